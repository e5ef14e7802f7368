"""The wire of standard input and output: whatever comes, and however it ends."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import psutil
import pytest

from tests.hosts.command import KIT, all_end
from tests.hosts.mcp_peer import BEGIN, HELLO, MEMORY, PAGE, Raw, raw, script

END_S = 5
ON_POSIX = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
WAITING = {"op": "act", "actions": [{"type": "wait", "ms": 20_000}]}
PING = {"jsonrpc": "2.0", "method": "ping"}
BROKEN: list[tuple[bytes, int, Any]] = [
    (b"nonsense", -32700, None),
    (b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"na', -32700, 7),
    (b'{"jsonrpc":"2.0","id":"x","method":"ping","params":{"a":\xff}}', -32700, "x"),
    (b'{"jsonrpc":"2.0","id":8,"method":"ping","params":{"a":NaN}}', -32700, 8),
    (b'{"jsonrpc":"2.0","id":9,"method":"ping","params":{"a":' + b"9" * 5000 + b"}}", -32700, 9),
    (b'{"jsonrpc":"2.0","id":10,"method":"ping","params":' + b"[" * 100_000, -32700, 10),
    (b"[]", -32600, None),
    (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600, None),
    (b'"ping"', -32600, None),
    (b'{"id":11,"method":"ping"}', -32600, 11),
    (b'{"jsonrpc":"2.0","id":12,"method":5}', -32600, 12),
    (b'{"jsonrpc":"2.0","id":13,"method":"ping","params":[1]}', -32600, 13),
    (b'{"jsonrpc":"2.0","id":14,"method":"\\ud83d"}', -32601, 14),
    (b'{"jsonrpc":"2.0","id":15,"method":"no/such"}', -32601, 15),
    (b'{"jsonrpc":"2.0","id":16,"method":"tools/call","params":{}}', -32602, 16),
    (b'{"jsonrpc":"2.0","id":17,"method":"ping","pad":"' + b"x" * 1_000_000 + b'"}', -32600, 17),
    (b'{"method":"ping","pad":"' + b"x" * 1_000_000 + b'","jsonrpc":"2.0","id":18}', -32600, 18),
]


def test_every_broken_line_is_answered_and_the_next_is_understood() -> None:
    with raw(*MEMORY, "--limit", "line_bytes=500_000") as client:
        for line, code, number in BROKEN:
            client.send(b"", line)
            answer = client.read()
            assert (answer["error"]["code"], answer["id"]) == (code, number), (line[:80], answer)
            client.send({**PING, "id": 99})
            assert client.read() == {"jsonrpc": "2.0", "id": 99, "result": {}}


def test_halves_of_characters_are_told_of_by_the_tool_and_never_sent() -> None:
    with raw(*MEMORY) as client:
        written = client.ask("write_file", {"path": "\ud83d.txt", "content": "a"})
        assert written["isError"]
        page = PAGE.format("x") + r"<script>console.log('\ud83d!', '\ude00')</script>"
        client.ask("write_file", {"path": "a.html", "content": page})
        opened = client.ask("preview", {"op": "open", "path": "a.html"})
        assert "\ufffd!" in opened["text"]
        code = r"return '\ud83d'"
        assert not client.ask("preview", {"op": "eval", "code": code})["isError"]
        unknown = client.ask("\ud83d", {})
        assert "\ud83d" not in json.dumps(unknown, ensure_ascii=False)


def test_what_others_print_stays_off_the_wire() -> None:
    code = (
        "import sys, anyio; from artifact_kit.hosts.mcp import stdio\n"
        "stdio._claimed(); print('stray'); sys.stdout.flush(); print(sys.stdin.read() == '')\n"
    )
    done = subprocess.run(script(code), input=b"x", capture_output=True, check=True)
    assert done.stdout == b""
    assert done.stderr.split() == [b"stray", b"True"]


def test_calls_that_were_sent_are_answered_when_the_input_ends() -> None:
    call = Raw.call(None, 1, "write_file", {"path": "a", "content": "b"})  # type: ignore[arg-type]
    given = b"".join(json.dumps(each).encode() + b"\n" for each in (HELLO, BEGIN, call))
    done = subprocess.run(
        [*KIT, "mcp", *MEMORY], input=given, capture_output=True, timeout=30, check=False
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["id"] for answer in answers] == [0, 1]
    assert (done.returncode, done.stderr) == (0, b"")


def look(client: Raw) -> list[psutil.Process]:
    """Have a page open and a long call going on; gives the processes there are then."""
    client.ask("write_file", {"path": "a.html", "content": PAGE.format("a")})
    assert not client.ask("preview", {"op": "open", "path": "a.html"})["isError"]
    client.send(client.call(5, "preview", WAITING))
    found = psutil.Process(client.process.pid).children(recursive=True)
    assert any("chrom" in " ".join(each.cmdline()) for each in found)
    return [psutil.Process(client.process.pid), *found]


@pytest.mark.parametrize("how", ["close", "kill"])
def test_a_server_that_ends_in_the_middle_of_a_call_leaves_nothing(how: str) -> None:
    with raw(*MEMORY) as client:
        processes = look(client)
        if how == "kill":
            client.process.kill()
        else:
            assert client.process.stdin
            client.process.stdin.close()
        client.process.wait(END_S)
        assert all_end(processes)


CLIENT = f"""
import sys
sys.path.insert(0, {sys.path[0]!r})
from tests.hosts.mcp_peer import raw
from tests.hosts.test_mcp_lines import look
with raw("--root", "memory://") as client:
    print(*(each.pid for each in look(client)), flush=True)
    client.read()
"""


@ON_POSIX
def test_a_client_that_is_killed_in_the_middle_of_a_call_leaves_nothing() -> None:
    with subprocess.Popen(script(CLIENT), stdout=subprocess.PIPE, cwd=".") as client:
        assert client.stdout
        processes = [psutil.Process(int(each)) for each in client.stdout.readline().split()]
        client.kill()
        assert processes
        assert all_end(processes)
