"""Tools in the form of each provider."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from artifact_kit import Limits, Toolkit, Workspace
from artifact_kit.contract import exports
from artifact_kit.file_tools import file_tools
from tests.contract.test_intake import ROBOT

SHARED = Path(__file__).parents[2].parent / "shared" / "schemas.json"
TOOLS = file_tools(Workspace("memory://exports"), Limits())
FORBIDDEN = {"oneOf", "anyOf", "allOf", "const", "$ref", "default", "minLength", "maximum"}


def keys(schema: object) -> set[str]:
    if isinstance(schema, dict):
        return set(schema).union(*map(keys, schema.values()))
    return set().union(*map(keys, schema)) if isinstance(schema, list) else set()


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_the_plain_schemas_use_only_what_every_provider_takes(tool: Any) -> None:
    assert not keys(tool.input_schema) & FORBIDDEN
    jsonschema.Draft202012Validator.check_schema(tool.input_schema)
    jsonschema.Draft202012Validator.check_schema(tool.output_schema)
    assert set(tool.annotations) == {
        "readOnlyHint",
        "destructiveHint",
        "idempotentHint",
        "openWorldHint",
    }


@pytest.mark.skipif(not SHARED.exists(), reason="the agreed schemas are not at hand")
@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_the_schemas_are_the_agreed_ones(tool: Any) -> None:
    agreed = json.loads(SHARED.read_text(encoding="utf-8"))
    if tool.name not in agreed:
        pytest.skip("not among the agreed schemas")
    assert tool.description == agreed[tool.name]["description"]
    assert tool.input_schema == agreed[tool.name]["input_schema"]


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_each_provider_gets_name_description_and_schema(tool: Any) -> None:
    assert exports.anthropic(tool)["input_schema"] == tool.input_schema
    assert exports.openai(tool)["function"]["parameters"] == tool.input_schema
    assert exports.openai_responses(tool)["strict"] is False
    assert exports.gemini(tool)["parameters"] == tool.input_schema
    listed = exports.mcp(tool)
    assert listed["outputSchema"] == tool.output_schema
    assert listed["annotations"]["openWorldHint"] is False


def strict_objects(schema: Any) -> list[dict[str, Any]]:
    if isinstance(schema, list):
        return [found for each in schema for found in strict_objects(each)]
    if not isinstance(schema, dict):
        return []
    here = [schema] if "properties" in schema else []
    return here + [found for each in schema.values() for found in strict_objects(each)]


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_the_strict_form_requires_every_field_and_forbids_others(tool: Any) -> None:
    function = exports.openai(tool, strict=True)["function"]
    assert function["strict"] is True
    for found in strict_objects(function["parameters"]):
        assert found["required"] == list(found["properties"])
        assert found["additionalProperties"] is False


def test_the_strict_form_of_a_list_has_one_small_object_for_each_kind() -> None:
    steps = exports.strict_schema(ROBOT)["properties"]["steps"]
    assert steps["type"] == ["array", "null"]
    tap, press, _ = steps["items"]["anyOf"]
    assert tap["properties"]["type"]["enum"] == ["tap"]
    assert list(press["properties"]) == ["type", "key"]


@pytest.mark.anyio
async def test_what_a_strict_model_sends_is_understood() -> None:
    async with Toolkit(Workspace("memory://strict")) as kit:
        await kit.call("write_file", {"path": "a", "content": "1\n2\n3\n"})
        args = {"path": "a", "startLine": 2, "endLine": None, "startChar": None}
        assert "lines 2-3 of 3" in (await kit.call("read_file", args)).text


@pytest.mark.anyio
async def test_the_text_editor_of_anthropic_works_on_our_tools() -> None:
    async with Toolkit(Workspace("memory://editor")) as kit:

        async def editor(**args: object) -> str:
            return (await kit.call("str_replace_based_edit_tool", args)).text

        assert "saved a.txt" in await editor(command="create", path="a.txt", file_text="1\n2\n")
        assert "lines 2-2 of 2" in await editor(command="view", path="/a.txt", view_range=[2, -1])
        replaced = await editor(command="str_replace", path="a.txt", old_str="2", new_str="two")
        assert "1 replacement" in replaced
        await editor(command="insert", path="a.txt", insert_line=0, insert_text="0\n")
        await editor(command="insert", path="a.txt", insert_line=3, new_str="3")
        await editor(command="insert", path="a.txt", insert_line=1, new_str="0.5\n0.6")
        assert (await editor(command="view", path="a.txt")).endswith("\n0\n0.5\n0.6\n1\ntwo\n3\n")
        assert "insertLine 99 is outside" in await editor(
            command="insert", path="a.txt", insert_line=99, new_str="x"
        )
        assert "not one of view, create" in await editor(command="undo_edit", path="a.txt")
