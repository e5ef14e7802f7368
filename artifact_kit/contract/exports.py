"""Tools in the form of each provider, and Anthropic's own text editor on top of ours.

The plain schemas are accepted everywhere, with `strict: false` where there is such a switch. The
strict export is for hosts that insist on it: every field is required there, and one that may be
left out may be null instead.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from artifact_kit.contract.outcome import Outcome
from artifact_kit.contract.schemas import input_schema
from artifact_kit.contract.values import Wrong, parsed, word

if TYPE_CHECKING:
    from artifact_kit.contract.intake import Field, Signature
    from artifact_kit.contract.tool import Tool

Json = dict[str, Any]

TEXT_EDITOR_NAMES = ("str_replace_based_edit_tool", "str_replace_editor")
TEXT_EDITOR: Json = {"type": "text_editor_20250728", "name": "str_replace_based_edit_tool"}
"""What a host sends to Anthropic in place of `write_file`, `read_file` and `edit_file`."""
_COMMANDS = ("view", "create", "str_replace", "insert")


def anthropic(tool: Tool) -> Json:
    """A tool for Anthropic's Messages API."""
    return {
        "name": tool.name,
        "description": tool.description,
        "input_schema": tool.input_schema,
    }


def openai(tool: Tool, *, strict: bool = False) -> Json:
    """A function for OpenAI's chat completions; see `openai_responses` for the flat form."""
    return {"type": "function", "function": _function(tool, strict=strict)}


def openai_responses(tool: Tool, *, strict: bool = False) -> Json:
    """A function for OpenAI's Responses API."""
    return {"type": "function", **_function(tool, strict=strict)}


def _function(tool: Tool, *, strict: bool) -> Json:
    parameters = tool.input_schema
    if strict:
        if tool.signature is None:
            raise ValueError(f"{tool.name} has no signature to make a strict schema from")
        parameters = strict_schema(tool.signature)
    return {
        "name": tool.name,
        "description": tool.description,
        "parameters": parameters,
        "strict": strict,
    }


def gemini(tool: Tool) -> Json:
    """A function declaration for Gemini."""
    return {
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.input_schema,
    }


def mcp(tool: Tool) -> Json:
    """A tool as the Model Context Protocol lists it."""
    return {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": tool.input_schema,
        "outputSchema": tool.output_schema,
        "annotations": {"title": tool.title, **tool.annotations},
    }


def strict_schema(signature: Signature) -> Json:
    """The schema of a signature under OpenAI's strict rules."""
    return _strict_object(signature, [each for each in signature.fields if each.description])


def _strict_object(signature: Signature, fields: list[Field]) -> Json:
    plain = input_schema(signature)["properties"]
    return {
        "type": "object",
        "properties": {each.name: _strict(each, dict(plain[each.name])) for each in fields},
        "required": [each.name for each in fields],
        "additionalProperties": False,
    }


def _strict(each: Field, schema: Json) -> Json:
    if each.item is not None:
        schema["items"] = _strict_items(each.item)
    if not each.required and not each.keep_blank:
        schema["type"] = [schema["type"], "null"]
    return schema


def _strict_items(item: Signature) -> Json:
    """One small object for each kind of entry: cheaper than a flat one full of nulls."""
    shown = [each for each in item.fields if each.description]
    kinds = next((each for each in shown if each.name == item.by), None)
    if kinds is None:
        return _strict_object(item, shown)
    variants = []
    for kind in kinds.values:
        fields = [each for each in shown if not each.only_for or kind in each.only_for]
        variant = _strict_object(item, fields)
        variant["properties"][kinds.name] |= {"enum": [kind]}
        variants.append(variant)
    return {"anyOf": variants}


async def text_editor(
    tools: Mapping[str, Tool], arguments: Any, *, conversation: str = "default"
) -> Outcome:
    """One call of Anthropic's text editor tool, answered by our tools.

    `view`, `create`, `str_replace` and `insert` become read_file, write_file and edit_file.
    """
    try:
        args = parsed(arguments) if isinstance(arguments, str) else arguments
        args = dict(args) if isinstance(args, Mapping) else {}
        command = word(args.pop("command", None), "command", _COMMANDS, {})
    except Wrong as wrong:
        text = f"Refused: {wrong.message}. Nothing was done."
        return Outcome("refused", text, data={"code": wrong.code, "argument": "command"})
    if command == "insert" and "insert_text" in args:
        args["new_str"] = args.pop("insert_text")
    name = {"view": "read_file", "create": "write_file"}.get(command, "edit_file")
    return await tools[name].call(args, conversation=conversation)
