"""Which tools a server offers, and in which form (pure)."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from artifact_kit.contract import Arguments, Outcome, Signature, Tool, input_schema, intake

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from artifact_kit.contract import Field
    from artifact_kit.hosts.mcp.settings import Group

_ONLY_FOR = re.compile(r"^Only for [\w, ]+: (\w)")
_NAMES = {"manage_file": "{op}_file"}
_TITLES = {"open": "Open a page", "act": "Act on the page", "read": "Read the page",
           "eval": "Run code in the page", "shot": "Picture of the page", "close": "Close the page",
           "move": "Move a file", "delete": "Delete a file"}  # fmt: skip
_WORDS = {
    "open": "Open an HTML file of the workspace in a sandboxed browser page; the page that was "
    "open is closed. Every result of the preview tools also lists new console messages and errors "
    "with their place in the files.",
    "act": "Do actions on the open page, as a person would: click, type, press keys, scroll, wait.",
    "read": "Read texts, values and attributes of the open page by CSS selector, or outline the "
    "page without any queries.",
    "eval": "Run JavaScript in the open page and give back what it returns.",
    "shot": "Take a picture of the open page, or of a part of it.",
    "close": "Close the open page.",
    "move": "Move (rename) a file or folder of the workspace. An existing file at the target is "
    "replaced.",
    "delete": "Delete a file of the workspace, or a folder; one that is not empty needs recursive "
    "true.",
}
_FOREIGN = {"preview": {"path": ("open",)}, "manage_file": {"recursive": ("delete",)}}
"""Fields that belong to one operation though their declaration takes them, and ignores them,
with others too."""


def offered(
    tools: Iterable[Tool], groups: frozenset[Group], *, read_only: bool, split: bool
) -> dict[str, Tool]:
    """The tools by name."""
    chosen = [tool for tool in tools if tool.tags & groups]
    if read_only:
        chosen = [_without(tool, "save") for tool in chosen if "write" not in tool.tags]
    if split:
        chosen = [part for tool in chosen for part in _parts(tool)]
    return {tool.name: tool for tool in chosen}


def _without(tool: Tool, name: str) -> Tool:
    signature = tool.signature
    if signature is None or not any(each.name == name for each in signature.fields):
        return tool
    kept = tuple(each for each in signature.fields if each.name != name)
    return _with_signature(tool, replace(signature, fields=kept))


def _with_signature(tool: Tool, signature: Signature, **changes: Any) -> Tool:
    return replace(
        tool,
        signature=signature,
        input_schema=input_schema(signature),
        **{"intake": lambda raw: intake(signature, raw), **changes},
    )


def _parts(tool: Tool) -> list[Tool]:
    """One tool for each operation of a tool that has some."""
    signature = tool.signature
    if signature is None or signature.by != "op":
        return [tool]
    (ops,) = (each.values for each in signature.fields if each.name == "op")
    return [_part(tool, signature, op) for op in ops]


def _part(tool: Tool, signature: Signature, op: str) -> Tool:
    name = _NAMES.get(tool.name, f"{tool.name}_{{op}}").format(op=op)
    own = replace(
        signature,
        tool=name,
        fields=tuple(_field(each, signature, op) for each in _fields(tool.name, signature, op)),
        by="",
        needs={},
    )

    def understood(raw: object) -> Mapping[str, Any]:
        found = intake(own, raw)
        return Arguments({**found, "op": op}, found.notes)

    return _with_signature(
        tool,
        own,
        name=name,
        title=_TITLES.get(op, tool.title),
        description=_WORDS.get(op, tool.description),
        annotations={**tool.annotations, **_hints(op)},
        intake=understood,
    )


def _hints(op: str) -> dict[str, bool]:
    reads = op == "read"
    return {"readOnlyHint": reads, "idempotentHint": reads or op == "close"}


def _fields(tool: str, signature: Signature, op: str) -> list[Field]:
    foreign = _FOREIGN.get(tool, {})
    return [
        each
        for each in signature.fields
        if (not each.only_for or op in each.only_for) and op in foreign.get(each.name, (op,))
    ]


def _field(each: Field, signature: Signature, op: str) -> Field:
    if each.name == "op":  # understood when it is sent all the same
        return replace(each, description="", required=False, values=(op,))
    ways = signature.needs.get(op, ())
    words = _ONLY_FOR.sub(lambda found: found[1].upper(), each.description)
    return replace(
        each,
        description=words,
        only_for=(),
        required=each.required or (len(ways) == 1 and each.name in ways[0]),
    )


def unknown(name: str, tools: Mapping[str, Tool]) -> Outcome:
    """The answer to a call of a tool that is not offered."""
    shown = name if len(name) <= 60 else f"{name[:60]}…"
    text = f"Refused: there is no tool {shown!r}. Tools: {', '.join(tools)}."
    return Outcome("refused", text, data={"code": "unknown_tool"})
