"""The MCP server over HTTP: many clients, some of which go away, and who is let in."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from typing import TYPE_CHECKING

import anyio
import pytest
from mcp import Client

from tests.hosts.command import kit
from tests.hosts.mcp_peer import HELLO, MEMORY, PAGE, script, served, told

if TYPE_CHECKING:
    from collections.abc import Iterator

TOKEN = "a-secret"  # noqa: S105 -- of the test's own server
ASKING = {"accept": "application/json, text/event-stream", "content-type": "application/json"}


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with served(*MEMORY, "--limit", "sessions=2", "--token", TOKEN) as (address, _):
        yield address


def status(url: str, method: str = "POST", body: bytes | None = None, **headers: str) -> int:
    """What the server says to a request with these headers, in which `_` stands for `-`."""
    given = {"authorization": f"Bearer {TOKEN}"} | headers
    named = ASKING | {name.replace("_", "-"): value for name, value in given.items() if value}
    data = body if body is not None else json.dumps(HELLO).encode()
    request = urllib.request.Request(  # noqa: S310 -- the test's own server
        url, data=data if method == "POST" else None, headers=named, method=method
    )
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:  # noqa: S310
            return int(answer.status)
    except urllib.error.HTTPError as error:
        with error:
            return error.code


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({}, 200),
        ({"host": "localhost:1"}, 200),
        ({"host": "[::1]:8000"}, 200),
        ({"host": "example.com"}, 421),
        ({"host": "127.0.0.1.example.com"}, 421),
        ({"host": "192.168.0.1"}, 421),
        ({"origin": "http://localhost:3000"}, 200),
        ({"origin": "http://127.0.0.1"}, 200),
        ({"origin": "https://example.com"}, 403),
        ({"origin": "http://localhost.example.com"}, 403),
        ({"origin": "null"}, 403),
        ({"authorization": ""}, 401),
        ({"authorization": "Bearer a-secre"}, 401),
        ({"authorization": TOKEN}, 401),
        ({"authorization": f"bearer {TOKEN}"}, 200),
        ({"content_type": "text/plain"}, 400),
        ({"mcp_session_id": "no-such-session"}, 404),
    ],
)
def test_only_who_should_is_let_in(url: str, headers: dict[str, str], code: int) -> None:
    assert status(url, "POST", None, **headers) == code


@pytest.mark.parametrize(
    "body",
    [b"", b"nonsense", b"[]", b"{", b'{"jsonrpc":"2.0","id":1,"method":"ping","params":"\\ud83d"}'],
)
def test_a_body_that_is_no_message_is_refused(url: str, body: bytes) -> None:
    assert status(url, body=body) == 400
    assert status(url) == 200


def test_another_path_or_method_is_not_there(url: str) -> None:
    assert status(url.replace("/mcp", "/")) == 404
    assert status(url, "PUT") in (400, 405)


def test_an_address_that_others_reach_needs_a_token() -> None:
    done = kit("mcp", *MEMORY, "--http", "0.0.0.0:0")
    assert done.returncode == 2
    assert "--token is needed" in done.stderr


@pytest.mark.parametrize("address", ["nowhere", "127.0.0.1:99999", "127.0.0.1:x", ":80"])
def test_an_address_that_is_none_ends_2(address: str) -> None:
    assert kit("mcp", *MEMORY, "--http", address).returncode == 2


def test_an_address_that_is_taken_is_told_of(url: str) -> None:
    done = kit("mcp", *MEMORY, "--http", url.split("/")[2])
    assert done.returncode == 1
    assert "cannot be listened at" in done.stderr


def test_from_elsewhere_names_are_asked_for_and_addresses_are_known() -> None:
    options = ("--http", "0.0.0.0:0", "--allow-host", "Kit.example", "--token", TOKEN)
    with served(*MEMORY, *options) as (url, process):
        url = url.replace("0.0.0.0", "127.0.0.1")  # noqa: S104
        names = ("192.168.0.1:8000", "kit.example", "localhost", "other.example")
        assert [status(url, host=name) for name in names] == [200, 200, 200, 421]
        assert status(url, origin="https://kit.example") == 200
        assert status(url, origin="https://other.example") == 403
        process.terminate()
        assert process.wait(5) == (1 if sys.platform == "win32" else 128 + signal.SIGTERM)


CLIENT = """
import anyio, sys
from mcp import Client
async def main():
    async with Client(sys.argv[1]) as client:
        page = {"path": "killed.html", "content": "<p>killed"}
        await client.call_tool("write_file", page)
        await client.call_tool("preview", {"op": "open", "path": "killed.html"})
        print("busy", flush=True)
        wait = {"type": "wait", "ms": 25_000}
        await client.call_tool("preview", {"op": "act", "actions": [wait]})
anyio.run(main)
"""


async def open_page(client: Client, name: str) -> str:
    page = {"path": f"{name}.html", "content": PAGE.format(name)}
    await client.call_tool("write_file", page)
    return told(await client.call_tool("preview", {"op": "open", "path": page["path"]}))


@pytest.mark.anyio
async def test_each_client_has_its_own_page() -> None:
    with served(*MEMORY) as (url, _):
        async with Client(url) as ann, Client(url) as bob:
            assert "page: ann.html" in await open_page(ann, "ann")
            assert "page: bob.html" in await open_page(bob, "bob")
            for client, name in ((ann, "ann"), (bob, "bob"), (ann, "ann")):
                read = told(await client.call_tool("preview", {"op": "read"}))
                assert f'text "{name}"' in read


@pytest.mark.anyio
async def test_a_client_that_is_killed_in_the_middle_of_a_call_makes_room() -> None:
    with served(*MEMORY, "--limit", "sessions=1") as (url, _):
        async with Client(url) as client:
            await anyio.to_thread.run_sync(be_killed, url)
            opened = ""
            with anyio.fail_after(8):  # its call would go on for 25 s, and its page for 120 s
                while "page: a.html" not in opened:
                    opened = await open_page(client, "a")
                    assert "page: a.html" in opened or "all are busy" in opened
            read = told(await client.call_tool("preview", {"op": "read"}))
            assert 'text "a"' in read


def be_killed(url: str) -> None:
    """Be a client that is killed while its page is busy."""
    with subprocess.Popen(
        script(CLIENT, url), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as client:
        assert client.stdout
        assert client.stdout.readline() == b"busy\n"
        client.kill()
