"""The door of the package, and the toolkit that a host holds."""

from __future__ import annotations

import json
import subprocess
import sys

import anyio
import jsonschema
import pytest

import artifact_kit
from artifact_kit import Limits, Toolkit, Workspace


def test_the_public_names_are_sorted_and_there() -> None:
    assert list(artifact_kit.__all__) == sorted(artifact_kit.__all__)
    for name in artifact_kit.__all__:
        assert hasattr(artifact_kit, name)


def test_importing_the_package_imports_no_browser_no_mcp_and_no_pytest() -> None:
    code = (
        "import sys; from artifact_kit import Toolkit; "
        "print([n for n in ('playwright', 'mcp', 'pytest', 'click') if n in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_project_whose_pytest_loads_the_plugin_does_not_pay_for_the_kit() -> None:
    code = (
        "import sys, artifact_kit, artifact_kit.hosts; "
        "print([n for n in ('PIL', 'click', 'fsspec', 'pydantic', 'regex') if n in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.anyio
async def test_a_toolkit_answers_calls_with_dicts_and_json_text() -> None:
    async with Toolkit(Workspace("memory://toolkit-test")) as kit:
        args = {"path": "a.html", "content": "<p>"}
        assert (await kit.call("write_file", json.dumps(args))).status == "ok"
        outcome = await kit.call("read_file", {"path": "a.html"}, conversation="other")
        assert "<p>" in outcome.text


@pytest.mark.anyio
@pytest.mark.parametrize("args", [None, [], 5, b"\xff", object(), {1: 2}, "{", "[" * 99_999])
async def test_no_arguments_whatever_make_a_tool_raise(args: object) -> None:
    async with Toolkit(Workspace("memory://toolkit-odd")) as kit:
        for name in ("write_file", "read_file", "edit_file", "manage_file"):
            outcome = await kit.call(name, args)
            assert outcome.status == "refused"
            jsonschema.validate(outcome.data, kit.tools[name].output_schema)


@pytest.mark.anyio
async def test_an_unknown_tool_is_refused_with_the_list() -> None:
    async with Toolkit(Workspace("memory://toolkit-unknown")) as kit:
        outcome = await kit.call("wirte_file", {})
        assert outcome.status == "refused"
        assert outcome.is_error
        for name in kit.tools:
            assert name in outcome.text


@pytest.mark.anyio
async def test_what_one_conversation_saw_is_not_what_another_saw() -> None:
    async with Toolkit(Workspace("memory://toolkit-seen")) as kit:
        for conversation in ("one", "two"):
            await kit.call(
                "write_file", {"path": "a", "content": conversation}, conversation=conversation
            )
        stale = await kit.call("write_file", {"path": "a", "content": "x"}, conversation="one")
        fresh = await kit.call("write_file", {"path": "a", "content": "x"}, conversation="two")
        assert (stale.data["code"], fresh.status) == ("stale", "ok")


@pytest.mark.anyio
async def test_edits_side_by_side_are_all_kept() -> None:
    async with Toolkit(Workspace("memory://toolkit-side")) as kit:
        marks = [f"mark{number:02d}" for number in range(20)]
        await kit.call("write_file", {"path": "a", "content": "\n".join(marks)})

        async def edit(mark: str) -> None:
            args = {"path": "a", "oldText": mark, "newText": mark.upper()}
            assert (await kit.call("edit_file", args, conversation=mark)).status == "ok"

        with anyio.fail_after(5):
            async with anyio.create_task_group() as tasks:
                for mark in marks:
                    tasks.start_soon(edit, mark)
        text = (await kit.call("read_file", {"path": "a"})).text
        assert all(mark.upper() in text for mark in marks)


@pytest.mark.anyio
async def test_the_numbers_in_schemas_are_the_numbers_in_force() -> None:
    async with Toolkit(Workspace("memory://x"), limits=Limits(content_chars=777)) as kit:
        schema = kit.tools["write_file"].input_schema
        assert "at most 777 characters" in schema["properties"]["content"]["description"]
        outcome = await kit.call("write_file", {"path": "a", "content": "x" * 778})
        assert "the limit is 777" in outcome.text
