"""Arguments as a model sent them, understood or refused by name.

Declaring a tool's arguments:

    ACTION = Signature("actions", (
        Field("type", "enum", "click needs x and y, or css.", required=True, names=("action",),
              values=("click", "key"), meanings={"tap": "click", "press": "key"}),
        Field("x", "number", "click: x in CSS pixels.", only_for=("click",)),
        Field("y", "number", "click: y in CSS pixels.", only_for=("click",)),
        Field("key", "text", "key: key name.", only_for=("key",))),
        by="type", needs={"click": (("x", "y"), ("css",)), "key": (("key",),)})
    PREVIEW = Signature("preview", (
        Field("op", "enum", "What to do.", required=True, values=("open", "act")),
        Field("actions", "objects", "Only for act.", only_for=("act",), item=ACTION, most=32)),
        by="op", needs={"act": (("actions",),)})
    arguments = intake(PREVIEW, raw)  # a dict of canonical names; absent ones are not in it

A field without a description is understood but not shown to the model. Every message carries the
place (`actions[3].type 'drag' is not one of click, key`) and ends with what was done: nothing.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from difflib import get_close_matches
from functools import cached_property
from typing import Any

from artifact_kit.contract import values
from artifact_kit.contract.values import Kind, Wrong
from artifact_kit.errors import Refusal

WRAPPERS = frozenset({"arguments", "input", "args", "params", "parameters", "toolinput", "kwargs"})
COMMENTARY = frozenset(
    {
        "comment", "commentary", "description", "explanation", "instruction", "instructions",
        "intent", "justification", "meta", "note", "notes", "purpose", "rationale", "reason",
        "reasoning", "securityrisk", "summary", "taskprogress", "thinking", "thought", "thoughts",
        "title", "toolaction", "toolcallid", "toolsummary",
    }
)  # fmt: skip


@dataclass(frozen=True)
class Field:
    """One argument: what it is called, what it holds, and to which operation it belongs."""

    name: str
    kind: Kind
    description: str = ""
    """For the model's schema; without one the field is accepted but not shown."""
    _: KW_ONLY
    required: bool = False
    names: tuple[str, ...] = ()
    """Other names, compared without case, `_` and `-`."""
    values: tuple[str, ...] = ()
    """The words of an `enum`."""
    meanings: Mapping[str, str] = field(default_factory=dict)
    """Other words of an `enum`, lower case, and what they mean."""
    only_for: tuple[str, ...] = ()
    """The values of the signature's `by` field to which this one belongs; none: all."""
    item: Signature | None = None
    """What each entry of `objects` holds."""
    most: int | None = None
    """Most entries of `objects`, `texts` and `integers`."""
    keep_blank: bool = False
    """Whether an empty `text` is a value though the field is not required."""
    missing: str = ""
    """What to say, in place of `<name> is missing`, when it is required and not there."""


@dataclass(frozen=True)
class Signature:
    """The arguments of one tool, or of one entry of a list."""

    tool: str
    fields: tuple[Field, ...]
    by: str = ""
    """The enum field that decides which other fields belong."""
    needs: Mapping[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)
    """Value of `by` → the alternatives of which one must be complete."""
    bare: str = ""
    """The field that a plain string in place of an entry stands for."""
    hints: Mapping[str, str] = field(default_factory=dict)
    """Unknown argument, folded → what to do instead."""
    state: str = "Nothing was done."
    """The sentence that ends every refusal."""

    @cached_property
    def known(self) -> dict[str, Field]:
        """The field behind each of its names, which are folded."""
        names = {fold(other): each for each in self.fields for other in each.names}
        return names | {fold(each.name): each for each in self.fields}


class Arguments(dict[str, Any]):
    """Canonical arguments; `notes` tell the model what was understood differently than sent."""

    def __init__(self, items: Mapping[str, Any], notes: Iterable[str] = ()) -> None:
        super().__init__(items)
        self.notes = list(notes)


def intake(signature: Signature, raw: object) -> Arguments:
    """The canonical arguments of one call.

    Raises:
        Refusal: naming the argument, its value and what is accepted; nothing was done.
    """
    try:
        return Arguments(_object(signature, _unwrapped(signature, raw), ""))
    except Wrong as wrong:
        message = wrong.message if wrong.message.endswith((".", "!", "?")) else f"{wrong.message}."
        facts: dict[str, object] = {"argument": wrong.argument} if wrong.argument else {}
        if signature.state.casefold().rstrip(".") not in message.casefold():
            message = f"{message} {signature.state}"
        raise Refusal(message, code=wrong.code, facts=facts) from None


def fold(name: str) -> str:
    """A name without case, `_`, `-` and blanks: `file_path`, `filePath` and `File-Path` agree."""
    return name.replace("_", "").replace("-", "").replace(" ", "").casefold()


def _unwrapped(signature: Signature, raw: object) -> dict[str, Any]:
    known = signature.known
    for _ in range(4):
        if raw is None:
            return {}
        if isinstance(raw, str | bytes | bytearray):
            raw = values.parsed(raw)
            continue
        if not isinstance(raw, Mapping):
            break
        inner = [
            (key, value)
            for key, value in raw.items()
            if not (_ignorable(key, value) or value == signature.tool) or fold(str(key)) in known
        ]
        if len(inner) == 1 and _wraps(*inner[0], known):
            raw = inner[0][1]
            continue
        return {str(key): value for key, value in raw.items()}
    raise Wrong(f"the arguments must be one JSON object (got {values.what(raw)})", "")


def _wraps(key: object, value: object, known: Mapping[str, Field]) -> bool:
    name = fold(str(key))
    if name not in WRAPPERS or name in known:
        return False
    return isinstance(value, Mapping) or (isinstance(value, str) and value.lstrip()[:1] == "{")


def _ignorable(key: object, value: object) -> bool:
    name = fold(str(key))
    if name == "encoding":
        return values.blank(value) or fold(str(value)) == "utf8"
    return name in COMMENTARY or values.blank(value)


def _object(signature: Signature, raw: Mapping[str, Any], where: str) -> dict[str, Any]:
    sent = _by_field(signature, raw, where)
    known = {each.name: each for each in signature.fields}
    given: dict[str, Any] = {}
    if signature.by in sent:
        given[signature.by] = _one(known[signature.by], sent.pop(signature.by), where)
    choice = str(given.get(signature.by, ""))
    for each in signature.fields:
        if each.name not in sent or each.name in given:
            continue
        if choice and each.only_for and choice not in each.only_for:
            _refuse_foreign(signature, each, sent[each.name], where)
        else:
            given[each.name] = _one(each, sent[each.name], where)
    given = {name: value for name, value in given.items() if value is not None}
    _check_complete(signature, given, choice, where)
    return {each.name: given[each.name] for each in signature.fields if each.name in given}


def _by_field(
    signature: Signature, raw: Mapping[str, Any], where: str
) -> dict[str, list[tuple[str, Any]]]:
    """Every field that was sent, with each of the names under which it was sent."""
    sent: dict[str, list[tuple[str, Any]]] = {}
    unknown: list[str] = []
    for key, value in raw.items():
        found = signature.known.get(fold(key))
        if found is not None:
            sent.setdefault(found.name, []).append((key, value))
        elif not _ignorable(key, value):
            unknown.append(key)
    if unknown:
        raise _unknown(signature, unknown, where)
    return sent


def _unknown(signature: Signature, unknown: list[str], where: str) -> Wrong:
    shown = [each.name for each in signature.fields if each.description]
    owner = where or signature.tool
    message = f"{owner} does not take {_quoted(unknown)}."
    for key in unknown:
        if hint := signature.hints.get(fold(key), ""):
            message = f"{message} {hint}"
        elif near := get_close_matches(key, shown, 1, 0.6):
            message = f"{message} Did you mean {near[0]}?"
    name = values.at(where, unknown[0])
    return Wrong(f"{message} Accepted: {', '.join(shown)}.", name, "unknown_argument")


def _quoted(names: list[str]) -> str:
    quoted = [values.shown(name) for name in names[:5]]
    if len(names) > 5:
        quoted.append(f"{len(names) - 5} more")
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"


def _one(each: Field, sent: list[tuple[str, Any]], where: str) -> Any:
    """The one value of a field that may have been sent under several names."""
    exact = [pair for pair in sent if pair[0] == each.name]
    others = [pair for pair in sent if pair[0] != each.name]
    if len(sent) > 1:
        others = [pair for pair in others if not values.blank(pair[1])]
    pairs = [(key, _value(each, value, where)) for key, value in exact + others]
    pairs = [pair for pair in pairs if pair[1] is not None]
    if not pairs:
        return None
    first, value = pairs[0]
    for key, other in pairs[1:]:
        if not _same(each, value, other):
            raise Wrong(
                f"both {first} and {key} were given with different values; send only {each.name}",
                values.at(where, each.name),
                "conflicting_arguments",
            )
    return value


def _same(each: Field, one: Any, other: Any) -> bool:
    if each.kind == "path":
        return posixpath.normpath(str(one).strip()) == posixpath.normpath(str(other).strip())
    return bool(one == other)


def _refuse_foreign(
    signature: Signature, each: Field, sent: list[tuple[str, Any]], where: str
) -> None:
    """A filled field of another operation says that the call means something else."""
    if all(values.blank(value) or values.neutral(value) for _, value in sent):
        return
    name = values.at(where, each.name)
    kinds = " or ".join(each.only_for)
    raise Wrong(f"{name} is only for {signature.by} {kinds}", name, "not_for_op")


def _check_complete(
    signature: Signature, given: Mapping[str, Any], choice: str, where: str
) -> None:
    for each in signature.fields:
        if each.required and each.name not in given:
            name = values.at(where, each.name)
            message = each.missing or f"{name} is missing"
            if each.kind == "enum" and not each.missing:
                message = f"{message}; it is one of {', '.join(each.values)}"
            raise Wrong(message, name, "missing_argument")
    ways = signature.needs.get(choice, ())
    if ways and not any(all(name in given for name in way) for way in ways):
        only = next((each for each in signature.fields if ways == ((each.name,),)), None)
        if only and only.missing:
            raise Wrong(only.missing, values.at(where, only.name), "missing_argument")
        text = ", or ".join(" and ".join(way) for way in ways)
        place = f"{where}: " if where else ""
        raise Wrong(f"{place}{choice} needs {text}", where or ways[0][0], "missing_argument")


def _value(each: Field, value: Any, where: str) -> Any:
    """The checked value, or None when it counts as absent."""
    name = values.at(where, each.name)
    if value is None:
        return None
    if each.kind in ("text", "document"):
        keep = each.required or each.keep_blank or not values.blank(value)
        return values.read(each.kind, value, name) if keep else None
    if values.blank(value):
        return None
    match each.kind:
        case "enum":
            return values.word(value, name, each.values, each.meanings)
        case "objects":
            return _objects(each, value, name)
        case _:
            return values.bounded(values.read(each.kind, value, name), name, each.most)


def _objects(each: Field, value: Any, name: str) -> list[dict[str, Any]] | None:
    if each.item is None:
        raise TypeError(f"the field {each.name} of kind objects declares no item")
    entries = values.bounded(values.entries(value, name, bare=each.item.bare), name, each.most)
    items = []
    for index, entry in enumerate(entries):
        place = f"{name}[{index}]"
        items.append(_object(each.item, _entry(each.item, entry, place), place))
    return items or None


def _entry(signature: Signature, entry: Any, place: str) -> dict[str, Any]:
    if isinstance(entry, str):
        if entry.lstrip()[:1] == "{":
            entry = values.parsed(entry, place)
        elif signature.bare and entry.strip():
            entry = {signature.bare: entry}
    if not isinstance(entry, Mapping):
        raise Wrong(f"{place} must be an object (got {values.what(entry)})", place)
    return {str(key): value for key, value in entry.items()}
