"""YAML and JSON as plain values that know their lines (pure)."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import yaml

from artifact_kit.errors import Refusal
from artifact_kit.text import clip

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Loc = tuple[str | int, ...]

_MOST_CHARS = 1_000_000
_MOST_NODES = 20_000
"""Aliases of aliases can mean more values than any machine holds."""


class _Loader(yaml.SafeLoader):
    """YAML 1.2's core: `on`, `12:30` and `2024-01-01` are texts, as whoever writes them means."""

    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012


for _tag, _pattern, _first in (
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    ("int", r"[-+]?[0-9]+", "-+0123456789"),
    ("float", r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?", "-+.0123456789"),
):
    _Loader.add_implicit_resolver(
        f"tag:yaml.org,2002:{_tag}", re.compile(f"^(?:{_pattern})$"), list(_first)
    )


@dataclass(frozen=True)
class Document:
    """The values of a file, under the name by which messages call it."""

    shown: str
    values: dict[str, Any]
    lines: Mapping[Loc, int]

    def place(self, loc: Loc) -> str:
        """`snake.check.yaml:12: steps[1].op`; without a line where none is known."""
        known = next((loc[:end] for end in range(len(loc), -1, -1) if loc[:end] in self.lines), ())
        line = f":{self.lines[known]}" if known in self.lines else ""
        key = spelled(loc)
        return f"{self.shown}{line}: {key}" if key else f"{self.shown}{line}"


def spelled(loc: Sequence[str | int]) -> str:
    """`steps[1].op`."""
    parts = (f"[{part}]" if isinstance(part, int) else f".{part}" for part in loc)
    return "".join(parts).removeprefix(".")


def parsed(data: bytes, shown: str) -> Document:
    """The mapping in a YAML or JSON file.

    Raises:
        Refusal: `bad_scenario`, with the file and the line.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise _refused(shown, "it is not UTF-8") from None
    if len(text) > _MOST_CHARS:
        raise _refused(shown, f"it has more than {_MOST_CHARS} characters")
    return _json(text, shown) if shown.endswith(".json") else _yaml(text, shown)


def _json(text: str, shown: str) -> Document:
    try:
        values = json.loads(text, object_pairs_hook=_no_duplicates)
    except json.JSONDecodeError as error:
        raise _refused(f"{shown}:{error.lineno}", f"it is not JSON: {error.msg}") from None
    except (ValueError, RecursionError) as error:
        raise _refused(shown, f"it is not JSON that can be used: {error}") from None
    # YAML takes all of JSON but its tabs, and knows the lines.
    document = _yaml(text.replace("\t", " "), shown)
    return replace(document, values=values)


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"'{clip(twice, 60)}' stands twice in one object")
    return found


def _yaml(text: str, shown: str) -> Document:
    loader = _Loader(text)
    lines: dict[Loc, int] = {}
    try:
        node = loader.get_single_node()
        values = None if node is None else _value(loader, node, (), lines, shown)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = f":{mark.line + 1}" if mark else ""
        raise _refused(f"{shown}{line}", f"it is not YAML: {error.problem}") from None
    except (yaml.YAMLError, RecursionError) as error:
        raise _refused(shown, f"it is not YAML that can be used: {clip(str(error), 200)}") from None
    finally:
        loader.dispose()
    if not isinstance(values, dict):
        raise _refused(shown, "it must hold keys with values, such as `viewports: [phone]`")
    return Document(shown, values, lines)


def _value(loader: _Loader, node: yaml.Node, loc: Loc, lines: dict[Loc, int], shown: str) -> Any:
    lines[loc] = node.start_mark.line + 1
    if len(lines) > _MOST_NODES:
        raise _refused(shown, f"it has more than {_MOST_NODES} values")
    if isinstance(node, yaml.SequenceNode):
        return [
            _value(loader, each, (*loc, index), lines, shown)
            for index, each in enumerate(node.value)
        ]
    if isinstance(node, yaml.MappingNode):
        found: dict[str, Any] = {}
        for key, each in node.value:
            name = str(key.value)
            if name in found:
                where = f"{shown}:{key.start_mark.line + 1}"
                raise _refused(where, f"'{clip(name, 60)}' stands twice")
            found[name] = _value(loader, each, (*loc, name), lines, shown)
        return found
    return loader.construct_object(node)


def _refused(where: str, why: str) -> Refusal:
    return Refusal(f"{where}: {why}", code="bad_scenario")
