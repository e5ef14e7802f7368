"""Single values as models send them: coerced where that is exact, refused where it is not."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any, Literal

from artifact_kit.text import clip

Kind = Literal[
    "text",  # one string; "" counts as absent unless the field is required
    "document",  # as text, or an object or array that the tool may write as JSON
    "path",
    "integer",
    "number",
    "boolean",
    "enum",
    "objects",
    "texts",
    "integers",
]
_WHOLE = re.compile(r"[+-]?\d{1,15}(\.0+)?")
_DECIMAL = re.compile(r"[+-]?(\d{1,15}(\.\d*)?|\.\d+)")
_BOOLEANS = {"true": True, "false": False, "1": True, "0": False}
_LONE = re.compile(r"[\ud800-\udfff]")


class Wrong(Exception):
    """An argument that is not understood; `argument` is its place, `code` the kind of mistake."""

    def __init__(self, message: str, argument: str, code: str = "bad_argument") -> None:
        super().__init__(message)
        self.message = message
        self.argument = argument
        self.code = code


def at(where: str, name: str) -> str:
    """The place of a field: `type`, or `actions[3].type`."""
    return f"{where}.{name}" if where else name


def blank(value: object) -> bool:
    """Whether an optional argument with this value counts as not sent."""
    if isinstance(value, str):
        return not value.strip()
    return value is None or (isinstance(value, list | tuple | dict) and not value)


def neutral(value: object) -> bool:
    """Whether a value of another operation's field says nothing: 0 and false fill flat schemas."""
    return value in (0, False, "0", "false")


def shown(value: str) -> str:
    """A text as it stands in a message: quoted, one line, at most 60 characters."""
    return "'" + clip(value.replace("\n", "\\n").replace("\r", "\\r"), 60) + "'"


def what(value: object) -> str:
    """A value as a message names it: `number 42`, `'two'`, `object`."""
    match value:
        case None:
            return "null"
        case bool():
            return f"boolean {str(value).lower()}"
        case int() | float():
            return f"number {clip(_digits(value), 40)}"
        case str():
            return shown(value)
        case Mapping():
            return "object"
        case list() | tuple():
            return "array"
        case _:
            return "something that is not JSON"


def _digits(value: float) -> str:
    return str(value) if isinstance(value, float) or abs(value) < 10**40 else "of many digits"


def parsed(text: str | bytes | bytearray, name: str = "") -> Any:
    """The value of a JSON text, raw control characters in its strings allowed."""
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError) as error:
        at_line = f" at line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        raise Wrong(
            f"{name or 'the argument text'} is not valid JSON{at_line}. If your reply hit its "
            "output limit, send a shorter call",
            name,
            "bad_json",
        ) from None


def read(kind: Kind, value: Any, name: str) -> Any:
    """A value of a kind that needs nothing but itself."""
    match kind:
        case "text" | "document" | "path":
            return _text(kind, value, name)
        case "integer":
            return _integer(value, name)
        case "number":
            return _number(value, name)
        case "boolean":
            return _boolean(value, name)
        case "texts":
            listed = entries(value, name, bare="text")
            return [_text("text", each, f"{name}[{i}]") for i, each in enumerate(listed)]
        case "integers":
            listed = entries(value, name)
            return [_integer(each, f"{name}[{i}]") for i, each in enumerate(listed)]
        case _:
            raise TypeError(f"{kind} is not a kind of single value")


def bounded(value: Any, name: str, most: int | None) -> Any:
    """The same list, unless it has more entries than allowed."""
    if most is not None and isinstance(value, list) and len(value) > most:
        raise Wrong(f"{name} has {len(value)} entries; at most {most} are allowed", name)
    return value


def entries(value: Any, name: str, *, bare: str = "") -> list[Any]:
    """A list, also from its JSON text or from one entry; a plain word only where `bare` says so."""
    if isinstance(value, str):
        opens = value.lstrip()[:1]
        if opens == "[" and (not bare or value.rstrip()[-1:] == "]"):
            try:
                value = parsed(value, name)
            except Wrong:
                if not bare:
                    raise
        elif opens == "{":
            value = parsed(value, name)
    if isinstance(value, list | tuple):
        return list(value)
    if isinstance(value, Mapping) or (bare and isinstance(value, str)):
        return [value]
    raise Wrong(f"{name} must be an array (got {what(value)})", name)


def word(value: Any, name: str, words: tuple[str, ...], meanings: Mapping[str, str]) -> str:
    """One of the words, whatever its case, or what another word means."""
    if not isinstance(value, str):
        raise Wrong(f"{name} must be one of {', '.join(words)} (got {what(value)})", name)
    plain = value.strip().strip("'\"`").casefold()
    found = {each.casefold(): each for each in words}.get(plain) or meanings.get(plain)
    if found is None:
        raise Wrong(f"{name} {shown(value)} is not one of {', '.join(words)}", name)
    return found


def _text(kind: Kind, value: Any, name: str) -> Any:
    if kind == "document" and isinstance(value, Mapping | list | tuple):
        return value
    if isinstance(value, Mapping | list | tuple):
        raise Wrong(f"{name} must be one string (got {what(value)})", name)
    if not isinstance(value, str):
        raise Wrong(f"{name} must be a string (got {what(value)})", name)
    return value if value.isascii() else _joined(value, name)


def _joined(value: str, name: str) -> str:
    """The text with surrogate pairs as the characters they stand for."""
    if not _LONE.search(value):
        return value
    value = value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    if lone := _LONE.search(value):
        line = value.count("\n", 0, lone.start()) + 1
        raise Wrong(
            f"{name} has half of a character (lone surrogate U+{ord(lone[0]):04X}) at line {line}; "
            "it cannot be stored. Send the whole character, or leave it out",
            name,
            "surrogate",
        )
    return value


def _integer(value: Any, name: str) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**15:
        return value
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return int(value)
    if isinstance(value, str) and _WHOLE.fullmatch(value.strip()):
        return int(value.strip().partition(".")[0])
    raise Wrong(f"{name} must be a whole number (got {what(value)})", name)


def _number(value: Any, name: str) -> float:
    if isinstance(value, str) and _DECIMAL.fullmatch(value.strip()):
        value = float(value)
    plain = isinstance(value, int | float) and not isinstance(value, bool)
    if plain and abs(value) < 1e15 and math.isfinite(value):
        return int(value) if float(value).is_integer() else float(value)
    raise Wrong(f"{name} must be a number (got {what(value)})", name)


def _boolean(value: Any, name: str) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float) and value in (0, 1):
        return bool(value)
    if isinstance(value, str) and value.strip().casefold() in _BOOLEANS:
        return _BOOLEANS[value.strip().casefold()]
    raise Wrong(f"{name} must be true or false (got {what(value)})", name)
