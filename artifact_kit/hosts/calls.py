"""Calls and outcomes as lines of JSON (pure)."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from artifact_kit.contract import Image, Outcome
from artifact_kit.text import clip, size, well_formed

_FIELDS = ("tool", "args", "conversation")

Save = Callable[[Image], str | None]
"""Puts a picture into a file; gives its path, or None when the picture shall stand in the line."""


@dataclass(frozen=True)
class Call:
    """One line of a script."""

    tool: str
    args: object
    conversation: str


def parsed(line: bytes, *, most_bytes: int) -> Call | Outcome:
    """The call in a line, or what is wrong with the line."""
    if len(line) > most_bytes:
        return _refused(f"the line is longer than {size(most_bytes)}")
    try:
        found = json.loads(line.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return _refused("the line is not UTF-8")
    except json.JSONDecodeError as error:
        return _refused(f"the line is not JSON: {error.msg} at column {error.colno}")
    except (ValueError, RecursionError):
        return _refused("the line is not JSON that can be read: a number or a nesting is too big")
    if not isinstance(found, dict):
        return _refused("the line is not a JSON object")
    return _checked(found)


def _checked(found: dict[str, Any]) -> Call | Outcome:
    if not isinstance(found.get("tool"), str):
        return _refused("the line needs tool, the name of a tool")
    others = [name for name in found if name not in _FIELDS]
    if "args" not in found and others:
        return _refused(f"the line has '{clip(others[0], 60)}' and no args")
    conversation = found.get("conversation") or "default"
    if not isinstance(conversation, str):
        return _refused("conversation must be a string")
    return Call(found["tool"], found.get("args", {}), conversation)


def _refused(why: str) -> Outcome:
    text = f'Refused: {why}. A line is {{"tool": …, "args": {{…}}, "conversation"?: …}}.'
    return Outcome("refused", well_formed(text), data={"code": "bad_line"})


def rendered(outcome: Outcome, save: Save) -> bytes:
    """An outcome as one line."""
    told = {
        "status": outcome.status,
        "text": outcome.text,
        "data": outcome.data,
        "images": [_image(image, save) for image in outcome.images],
    }
    return well_formed(json.dumps(told, ensure_ascii=False)).encode() + b"\n"


def _image(image: Image, save: Save) -> dict[str, object]:
    path = save(image)
    where = {"path": path} if path else {"base64": base64.b64encode(image.data).decode()}
    return {"mime_type": image.mime_type, "width": image.width, "height": image.height, **where}
