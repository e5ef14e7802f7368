"""Answers of read, eval and shot in words (pure)."""

from __future__ import annotations

import itertools
import json
from typing import TYPE_CHECKING, Any

from artifact_kit.errors import Refusal

if TYPE_CHECKING:
    from artifact_kit.preview.capture import Box
    from artifact_kit.preview.pictures import Change


def numbered(told: list[str]) -> list[str]:
    """What each action did; those in a row that differ in the last value alone are one line."""
    lines, first = [], 1
    for start, run in itertools.groupby(map(_parted, told), key=lambda parts: parts[0]):
        values = [value for _, value in run]
        last = first + len(values) - 1
        if first == last:
            lines.append(f"{first}. {start}{values[0]}")
        elif len(set(values)) == 1:
            lines.append(f"{first}-{last}. {start}{values[0]} (each)")
        else:
            lines.append(f"{first}-{last}. {start}{' then '.join(values)}")
        first = last + 1
    return lines


def _parted(told: str) -> tuple[str, str]:
    """What was told, and the value in quotation marks at its end."""
    start, mark, value = told.rpartition(' "')
    whole = mark and value.endswith('"') and value.count('"') == 1
    return (f"{start} ", f'"{value}') if whole else (told, "")


def answered(query: dict[str, Any], answer: dict[str, Any]) -> str:
    """One query and its answer."""
    name = query.get("css") or query.get("ref", "")
    attr = query.get("attr", "text")
    label = name if attr == "text" else f"{name} {attr}"
    if "problem" in answer:
        near = f" (nearest: {', '.join(answer['near'])})" if answer.get("near") else ""
        has = f"; it has {', '.join(answer['attributes'])}" if answer.get("attributes") else ""
        return f"{label}: {answer['problem']}{near}{has}"
    value, length = answer["value"], answer["length"]
    cut = f" (first {len(value)} of {length} characters)" if length > len(value) else ""
    several = f" (first of {answer['matches']})" if answer["matches"] > 1 else ""
    return f"{label}: {json.dumps(value, ensure_ascii=False)}{several}{cut}"


def outlined(outline: dict[str, Any]) -> str:
    """The outline, and how to see the rest."""
    text = outline["text"] or "(nothing to read on the page)"
    if outline["more"]:
        text += f"\n… {outline['more']} more; read a part of it with queries, such as a css"
    return text


def raised(details: dict[str, Any]) -> str:
    """What code threw before it could start.

    Raises:
        Refusal: `bad_code` when it does not parse.
    """
    exception = details.get("exception", {})
    text = (exception.get("description") or details.get("text", "")).partition("\n")[0]
    if exception.get("className") == "SyntaxError":
        line = details.get("lineNumber", 0)
        raise Refusal(
            f"code does not parse: {text} (line {line}). Nothing was run.", code="bad_code"
        )
    return f"the code threw {text}"


def place_in_code(stack: str) -> str:
    """The line of the code itself, which starts below the line that wraps it."""
    for part in stack.splitlines():
        _, found, place = part.partition("eval:")
        line = place.partition(":")[0]
        if found and line.isdigit():
            return f" (line {int(line) - 1} of the code)"
    return ""


def returned(answer: dict[str, Any], chars: int) -> str:
    """What eval gave back."""
    value, length = answer.get("value", ""), answer.get("length", 0)
    if answer.get("type") == "undefined":
        return "undefined (use return to give back a value)"
    shown = json.dumps(value, ensure_ascii=False) if answer.get("type") == "string" else value
    if length > len(value):
        of = f" of {length}" if answer.get("type") == "string" else ""
        cut = f"first {len(value)}{of} characters; return a part, such as .slice({chars})"
        shown += f"\n…[{cut}]"
    return str(shown)


def pictured(name: str, size: tuple[int, int], box: Box, scale: float, colour: str) -> str:
    """A picture in words."""
    whole = f"{box.width:.0f}×{box.height:.0f}"
    scaled = f", scaled to {scale:.2f} of {whole}" if scale < 1 else ""
    blank = f", blank: one colour, {colour}" if colour else ""
    return f"shot of {name}: {size[0]}×{size[1]}{scaled}{blank}"


def changed(difference: Change | None) -> str:
    """What a shot shows that the last one did not."""
    if difference is None:
        return "nothing changed since the last shot"
    left, top, right, bottom = difference.box
    where = f"in {left},{top} {right - left}×{bottom - top} of the picture (framed)"
    return f"{_share(difference.share)} of the pixels changed since the last shot, {where}"


def moving(changes: list[Change | None]) -> str:
    """How much a row of shots moves."""
    shares = [each.share for each in changes if each is not None]
    if not shares:
        return "all of them are equal: nothing moves"
    most = _share(max(shares))
    return (
        f"{len(shares)} of {len(changes)} differ from the one before, by up to {most} of the pixels"
    )


def _share(share: float) -> str:
    return f"{share * 100:.1f} %" if share >= 0.001 else "less than 0.1 %"
