"""The schema that a model sees, made from the same declaration that is enforced."""

from typing import Any

from artifact_kit.contract.intake import Field, Signature
from artifact_kit.contract.values import Kind

_TYPES: dict[Kind, str] = {
    "text": "string",
    "document": "string",
    "path": "string",
    "enum": "string",
    "integer": "integer",
    "number": "number",
    "boolean": "boolean",
    "objects": "array",
    "texts": "array",
    "integers": "array",
}


def input_schema(signature: Signature) -> dict[str, Any]:
    """A JSON schema that every provider takes: no anyOf, default, const or bounds."""
    shown = [each for each in signature.fields if each.description]
    return {
        "type": "object",
        "properties": {each.name: _property(each) for each in shown},
        "required": [each.name for each in shown if each.required],
    }


def _property(each: Field) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": _TYPES[each.kind]}
    if each.kind == "enum":
        schema["enum"] = list(each.values)
    schema["description"] = each.description
    if each.item is not None:
        schema["items"] = input_schema(each.item)
    elif each.kind in ("texts", "integers"):
        schema["items"] = {"type": "string" if each.kind == "texts" else "integer"}
    return schema
