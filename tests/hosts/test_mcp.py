"""The MCP server in the hands of the official client."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import anyio
import mcp_types as types
import pytest
from jsonschema import validate
from mcp import Client, MCPError

from artifact_kit.hosts.demo.story import play
from tests.hosts.mcp_peer import MEMORY, PAGE, connected, outcome_of, over_stdio, served, told

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from artifact_kit import Outcome

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """A server over HTTP that several tests share, each with a connection of its own."""
    with served(*MEMORY) as (address, _):
        yield address


NAMES = ["write_file", "read_file", "edit_file", "manage_file", "find_files", "preview"]
WAITING = {"op": "act", "actions": [{"type": "wait", "ms": 20_000}]}


async def test_the_demo_is_played() -> None:
    async with connected(*MEMORY) as client:

        async def ask(why: str, tool: str, **args: Any) -> Outcome:
            assert why
            return outcome_of(await client.call_tool(tool, args))

        ending = await play(ask)
        assert ending.score == 2
        assert ending.before.data != ending.after.data


async def test_every_tool_says_all_that_a_client_asks_for(url: str) -> None:
    async with Client(url) as client:
        listed = (await client.list_tools()).tools
        assert [tool.name for tool in listed] == NAMES
        for tool in listed:
            assert tool.title
            assert tool.description
            assert tool.input_schema["type"] == "object"
            assert tool.output_schema
            assert tool.annotations
            hints = tool.annotations.model_dump(exclude={"title"})
            assert all(isinstance(hint, bool) for hint in hints.values()), hints
            assert tool.annotations.open_world_hint is False
        reads = {
            tool.name for tool in listed if tool.annotations and tool.annotations.read_only_hint
        }
        assert reads == {"read_file", "find_files"}


async def test_the_text_is_complete_and_the_structured_part_small(url: str) -> None:
    async with Client(url) as client:
        schemas = {tool.name: tool.output_schema for tool in (await client.list_tools()).tools}
        content = "\n".join(f"line {number}" for number in range(500))
        await client.call_tool("write_file", {"path": "a.txt", "content": content})
        for name, args in (
            ("read_file", {"path": "a.txt"}),
            ("find_files", {"text": "line 4"}),
            ("edit_file", {"path": "a.txt", "oldText": "nothing", "newText": "x"}),
            ("preview", {"op": "act", "actions": [{"type": "key", "key": "a"}]}),
        ):
            result = await client.call_tool(name, args)
            assert len(json.dumps(result.structured_content)) < 1500
            schema = schemas[name]
            assert schema
            validate(result.structured_content, schema)
        read = await client.call_tool("read_file", {"path": "a.txt"})
        assert content in told(read)


async def test_refusals_and_failures_are_results_that_say_so(url: str) -> None:
    async with Client(url) as client:
        for name, args in (("read_file", {"path": "no.txt"}), ("preview", WAITING), ("fly", {})):
            result = await client.call_tool(name, args)
            assert result.is_error
            assert told(result).startswith(("Refused: ", "Read failed: "))


async def test_a_read_is_cut_where_clients_cut_a_result(url: str) -> None:
    async with Client(url) as client:
        text = "\n".join("x" * 99 for _ in range(1_000))
        await client.call_tool("write_file", {"path": "a.txt", "content": text})
        read = told(await client.call_tool("read_file", {"path": "a.txt"}))
        assert 55_000 < len(read) < 61_000
        assert "startLine=" in read


async def test_long_acts_tell_of_progress_to_those_who_ask(url: str) -> None:
    beats: list[tuple[float, str | None]] = []

    async def on_progress(progress: float, total: float | None, message: str | None) -> None:
        beats.append((progress, message))

    async with Client(url) as client:
        await client.call_tool("write_file", {"path": "a.html", "content": PAGE.format("a")})
        await client.call_tool("preview", {"op": "open", "path": "a.html"})
        act = {"op": "act", "actions": [{"type": "wait", "ms": 2_500}]}
        await client.call_tool("preview", act, progress_callback=on_progress)
    assert [progress for progress, _ in beats] == sorted({progress for progress, _ in beats})
    assert len(beats) >= 2
    assert all(message for _, message in beats)


@pytest.mark.parametrize("transport", ["stdio", "http"])
async def test_a_cancelled_call_ends_and_its_page_stays(transport: str, url: str) -> None:
    async with Client(url if transport == "http" else over_stdio(*MEMORY)) as client:
        await client.call_tool("write_file", {"path": "a.html", "content": PAGE.format("a")})
        await client.call_tool("preview", {"op": "open", "path": "a.html"})
        with anyio.move_on_after(0.5) as waiting:
            await client.call_tool("preview", WAITING)
        assert waiting.cancelled_caught
        with anyio.fail_after(5):
            read = await client.call_tool("preview", {"op": "read"})
        assert 'text "a"' in told(read)


async def test_pictures_can_be_left_out_and_read_as_resources() -> None:
    async with connected(*MEMORY, "--images", "omit") as client:
        await client.call_tool("write_file", {"path": "a.html", "content": PAGE.format("a")})
        await client.call_tool("preview", {"op": "open", "path": "a.html"})
        shot = await client.call_tool("preview", {"op": "shot"})
        assert [part.type for part in shot.content] == ["text"]
        assert "(image/png, 1280×720, " in told(shot)
        assert told(shot).endswith("resource shots://1")
        saved = await client.call_tool("preview", {"op": "shot", "save": "a.png"})
        assert told(saved).endswith("saved as a.png")
        (blob,) = (await client.read_resource("shots://1")).contents
        assert isinstance(blob, types.BlobResourceContents)
        assert blob.mime_type == "image/png"


async def test_clients_that_show_the_structured_part_in_place_of_the_text_get_none(
    url: str,
) -> None:
    named = types.Implementation(name="claude-code", version="2")
    async with Client(url, client_info=named) as client:
        assert not any(tool.output_schema for tool in (await client.list_tools()).tools)
        read = await client.call_tool("read_file", {"path": "."})
        assert read.structured_content is None
    async with connected(*MEMORY, "--structured", "always", client_info=named) as client:
        assert (await client.call_tool("read_file", {"path": "."})).structured_content


async def test_files_of_the_workspace_are_resources(tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    for number in range(250):
        (tmp_path / "pages" / f"{number:03} ü.html").write_text(f"<p>{number}", encoding="utf-8")
    (tmp_path / "z.bin").write_bytes(b"\xff\x00")
    async with connected("--root", tmp_path) as client:
        first = await client.list_resources()
        assert first.next_cursor
        rest = await client.list_resources(cursor=first.next_cursor)
        found = [*first.resources, *rest.resources]
        assert len({resource.uri for resource in found}) == len(found) == 251
        (text,) = (await client.read_resource(found[3].uri)).contents
        assert isinstance(text, types.TextResourceContents)
        assert (text.text, text.mime_type) == ("<p>3", "text/html")
        (blob,) = (await client.read_resource("workspace:///z.bin")).contents
        assert isinstance(blob, types.BlobResourceContents)
        for uri in ("workspace:///no.txt", "workspace:///../up.txt", "shots://9", "file:///etc/x"):
            with pytest.raises(MCPError) as refused:
                await client.read_resource(uri)
            assert refused.value.error.code == -32002
            assert str(tmp_path) not in refused.value.error.message


def rooted(*roots: str) -> Any:
    async def roots_of_client(_: Any) -> types.ListRootsResult:
        return types.ListRootsResult.model_validate({"roots": [{"uri": each} for each in roots]})

    return roots_of_client


async def test_roots_of_the_client_narrow_the_workspace(tmp_path: Path) -> None:
    for name in ("one", "two", "outside"):
        (tmp_path / "all" / name).mkdir(parents=True)
        (tmp_path / "all" / name / f"{name}.txt").write_text(name)
    folder = tmp_path / "all"
    elsewhere = tmp_path.as_uri() + "/nowhere"
    cases = [
        (rooted((folder / "one").as_uri(), elsewhere), {"one.txt"}),
        (rooted(elsewhere, "https://example.com/one"), {"one/", "outside/", "two/"}),
        (rooted(tmp_path.as_uri()), {"one/", "outside/", "two/"}),
        (
            rooted((folder / "one").as_uri(), (folder / "two").as_uri()),
            {"one/", "outside/", "two/"},
        ),
        (None, {"one/", "outside/", "two/"}),
    ]
    with served("--root", folder) as (url, _):
        for roots, names in cases:
            async with Client(url, list_roots_callback=roots) as client:
                listing = told(await client.call_tool("read_file", {"path": "."}))
                shown = {line.split()[0] for line in listing.splitlines()[1:]}
                assert shown == names
                up = await client.call_tool("read_file", {"path": "../two/two.txt"})
                assert up.is_error


async def test_groups_choose_the_tools(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(PAGE.format("a"))
    async with connected("--root", tmp_path, "--tools", "preview") as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == ["preview"]
        assert (await client.call_tool("read_file", {"path": "a.html"})).is_error


async def test_read_only_has_no_tool_that_writes(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(PAGE.format("a"))
    async with connected("--root", tmp_path, "--read-only", "--split") as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert not {"write_file", "edit_file", "move_file", "delete_file"} & set(tools)
        assert "save" not in tools["preview_shot"].input_schema["properties"]
        assert not (await client.call_tool("preview_open", {"path": "a.html"})).is_error
        assert (await client.call_tool("preview_shot", {"save": "a.png"})).is_error
        assert (await client.call_tool("write_file", {"path": "b", "content": "b"})).is_error
    assert os.listdir(tmp_path) == ["a.html"]


async def test_split_gives_one_tool_for_each_operation() -> None:
    async with connected(*MEMORY, "--split") as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        ops = ("open", "act", "read", "eval", "shot", "close")
        assert {f"preview_{op}" for op in ops} | {"move_file", "delete_file"} <= set(tools)
        assert not {"preview", "manage_file"} & set(tools)
        assert tools["preview_act"].input_schema["required"] == ["actions"]
        assert set(tools["delete_file"].input_schema["properties"]) == {"path", "recursive"}
        assert set(tools["move_file"].input_schema["properties"]) == {"path", "to"}
        await client.call_tool("write_file", {"path": "a.html", "content": PAGE.format("a")})
        moved = await client.call_tool("move_file", {"path": "a.html", "to": "b.html"})
        assert told(moved).startswith("moved a.html to b.html")
        for name, args, words in (
            ("preview_open", {"op": "open", "path": "b.html"}, "page: b.html"),
            ("preview_act", {}, "actions is missing"),
            ("preview_act", {"actions": {"type": "press", "key": "a"}}, "pressed a"),
            ("preview_read", {"selector": "p"}, "preview_read does not take 'selector'"),
            ("preview_read", {"queries": ["p"]}, 'p: "a"'),
            ("preview_eval", {"code": "return 1 + 1"}, "2"),
            ("preview_shot", {"op": "open"}, "op 'open' is not one of shot"),
            ("preview_shot", {}, "shot of the view"),
            ("preview_close", {}, "closed b.html"),
            ("delete_file", {"path": "b.html"}, "deleted b.html"),
        ):
            assert words in told(await client.call_tool(name, args)), name


async def test_without_a_browser_the_files_work_and_preview_says_how_to_get_one() -> None:
    options = (*MEMORY, "--no-browser-install", "--browser", "/no/such/browser")
    async with connected(*options) as client:
        page = {"path": "a.html", "content": PAGE.format("a")}
        assert not (await client.call_tool("write_file", page)).is_error
        opened = await client.call_tool("preview", {"op": "open", "path": "a.html"})
        assert opened.is_error
        assert "names no program that exists" in told(opened)


@pytest.mark.parametrize("transport", ["stdio", "http"])
async def test_clients_of_a_newer_protocol_are_sent_to_the_handshake(
    transport: str, url: str
) -> None:
    server = url if transport == "http" else over_stdio(*MEMORY)
    async with Client(server, mode="auto") as client:
        assert client.protocol_version == "2025-11-25"
    async with Client(server, mode="2026-07-28") as client:
        with pytest.raises(MCPError) as refused:
            await client.list_tools()
        assert refused.value.error.code == types.UNSUPPORTED_PROTOCOL_VERSION
