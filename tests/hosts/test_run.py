"""`artifact-kit run`: one answer for each line, whatever the line or the page is."""

from __future__ import annotations

import base64
import io
import json
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import psutil
import pytest

from artifact_kit import Limits
from tests.hosts.command import KIT, all_end, answers, kit, line, picture

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MEMORY = ("run", "--root", "memory://")
GONE_S = 5
ON_POSIX = pytest.mark.skipif(sys.platform == "win32", reason="signals")


def test_a_script_with_every_tool_is_answered_line_by_line(tmp_path: Path) -> None:
    script = tmp_path / "script.jsonl"
    page = "<title>Sum</title><button onclick='out.textContent = 2 + 3'>Go</button><b id=out></b>"
    script.write_bytes(
        line("write_file", path="sum.html", content=page)
        + line("edit_file", path="sum.html", oldText="2 + 3", newText="20 + 3")
        + line("read_file", path="sum.html")
        + line("find_files", text="20")
        + line("preview", op="open", path="sum.html")
        + line("preview", op="act", actions=[{"type": "click", "css": "button"}])
        + line("preview", op="read", queries=["#out"])
        + line("preview", op="shot", save="sum.png")
        + line("manage_file", op="move", path="sum.html", to="done/sum.html")
        + line("preview", op="close")
    )
    root = tmp_path / "site"
    done = kit("run", "--root", root, script)
    outcomes = answers(done)
    assert done.returncode == 0
    assert [each["status"] for each in outcomes] == ["ok"] * 10, done.stdout
    assert outcomes[6]["data"]["values"] == ["23"]
    (image,) = outcomes[7]["images"]
    decoded = picture(io.BytesIO(base64.b64decode(image["base64"])))
    assert decoded.size == (image["width"], image["height"]) == (1280, 720)
    assert image["mime_type"] == "image/png"
    assert "20 + 3" in (root / "done" / "sum.html").read_text()
    assert (root / "sum.png").is_file()


BAD_LINES = (
    b"not json",
    b'{"tool": "read_file", "args": {"path": "a"}',
    b"[1, 2]",
    b'"write_file"',
    b"null",
    b"{}",
    b'{"args": {"path": "a"}}',
    b'{"tool": 5, "args": {}}',
    b'{"tool": "read_file", "arguments": {"path": "a"}}',
    b'{"tool": "read_file", "args": {"path": "a"}, "conversation": 7}',
    b'{"tool": "no_such_tool", "args": {}}',
    b'{"tool": "\\ud800", "args": {}}',
    b'{"tool": "read_file"}',
    b'{"tool": "read_file", "args": null}',
    b'{"tool": "read_file", "args": [["path", "a"]]}',
    b'{"tool": "read_file", "args": {"path": 42}}',
    b'{"tool": "read_file", "args": {"path": "\\udfff"}}',
    b'{"tool": "preview", "args": {"op": "fly"}}',
    b'{"tool": "preview", "args": true}',
    b"\xff\xfe{\x00}",
    b"[" * 200_000,
    b'{"tool": "read_file", "args": ' + b"9" * 10_000 + b"}",
)


def test_a_line_that_is_no_call_is_refused_and_the_next_one_works() -> None:
    good = line("write_file", path="a", content="x")
    done = kit(*MEMORY, given=b"".join(bad + b"\n" + good for bad in BAD_LINES))
    outcomes = answers(done)
    assert len(outcomes) == 2 * len(BAD_LINES)
    for bad, refused, written in zip(BAD_LINES, outcomes[::2], outcomes[1::2], strict=True):
        assert refused["status"] == "refused", bad[:60]
        assert refused["text"].startswith("Refused: "), bad[:60]
        assert set(refused) == {"status", "text", "data", "images"}
        assert written["status"] == "ok", bad[:60]
    assert done.returncode == 0


def test_blank_lines_are_skipped_and_the_last_line_needs_no_end() -> None:
    given = b"\n  \r\n\xef\xbb\xbf" + line("write_file", path="a", content="x") + b"\n"
    given += line("read_file", path="a").rstrip()
    assert [each["status"] for each in answers(kit(*MEMORY, given=given))] == ["ok", "ok"]


def test_a_line_beyond_the_limit_is_refused_and_costs_no_more_memory() -> None:
    huge = b'{"tool": "' + b"x" * (Limits().line_bytes + 1) + b'"}\n'
    refused, written = answers(kit(*MEMORY, given=huge + line("write_file", path="a", content="x")))
    assert "64.0 MiB" in refused["text"]
    assert written["status"] == "ok"


def test_arguments_may_be_the_json_text_that_a_model_sent() -> None:
    given = json.dumps({"tool": "write_file", "args": '{"path": "a", "content": "x"}'}).encode()
    assert [each["status"] for each in answers(kit(*MEMORY, given=given))] == ["ok"]


def test_conversations_have_pages_of_their_own() -> None:
    def said(conversation: str, **args: Any) -> bytes:
        call = {"tool": "preview", "args": args, "conversation": conversation}
        return json.dumps(call).encode() + b"\n"

    given = line("write_file", path="a.html", content="<title>A</title>a")
    given += said("one", op="open", path="a.html") + said("two", op="read") + said("one", op="read")
    statuses = [each["status"] for each in answers(kit(*MEMORY, given=given))]
    assert statuses == ["ok", "ok", "refused", "ok"]


WRONG = {
    "throw new RangeError('too far')": "RangeError: too far",
    "const a = []; for (;;) a.push(new Array(5e6).fill(a.length + 0.5))": "page",
}


def test_a_page_that_goes_wrong_on_load_is_answered_and_the_next_line_works() -> None:
    given = line("write_file", path="good.html", content="<p>Fine")
    for script in WRONG:
        given += line("write_file", path="bad.html", content=f"<p>Hi<script>{script}</script>")
        given += line("preview", op="open", path="bad.html")
        given += line("preview", op="open", path="good.html")
    _, *outcomes = answers(kit(*MEMORY, given=given))
    for told, bad, good in zip(WRONG.values(), outcomes[1::3], outcomes[2::3], strict=True):
        assert told in bad["text"]
        assert bad["status"] == "failed" or bad["data"]["verdict"] == "broken"
        assert (good["status"], good["data"]["verdict"]) == ("ok", "ok")


def test_pictures_are_saved_beside_older_ones(tmp_path: Path) -> None:
    given = line("write_file", path="a.html", content="<body style='background: teal'>")
    given += line("preview", op="open", path="a.html") + line("preview", op="shot") * 2
    (tmp_path / "shots").mkdir()
    (tmp_path / "shots" / "0001.png").write_bytes(b"an older one")
    outcomes = answers(kit(*MEMORY, "--images", "shots", given=given, cwd=tmp_path))
    assert all(set(each["images"][0]) >= {"path", "width"} for each in outcomes[2:])
    names = sorted(path.name for path in (tmp_path / "shots").iterdir())
    assert names == ["0001.png", "0002.png", "0003.png"]
    assert (tmp_path / "shots" / "0001.png").read_bytes() == b"an older one"
    assert picture(tmp_path / outcomes[3]["images"][0]["path"]).size == (1280, 720)


def test_a_mount_is_a_folder_of_the_workspace(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "a.txt").write_text("mounted")
    mount = f"files={(tmp_path / 'data').as_uri()}"
    (read,) = answers(kit(*MEMORY, "--mount", mount, given=line("read_file", path="files/a.txt")))
    assert "mounted" in read["text"]
    assert str(tmp_path) not in json.dumps(read)


@pytest.mark.parametrize(
    "options",
    [
        ("--root", "nosuch://x"),
        ("--mount", "data"),
        ("--mount", "=memory://"),
        ("--mount", "../up=memory://"),
        ("--images", "taken"),
        ("missing.jsonl",),
        ("--nope",),
    ],
    ids=" ".join,
)
def test_options_that_cannot_be_used_end_with_2(options: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    done = kit("run", *options, cwd=tmp_path)
    assert done.returncode == 2
    assert "Error: " in done.stderr
    assert done.stdout == ""


def test_without_a_browser_the_file_tools_work_and_preview_says_how_to_get_one() -> None:
    given = line("write_file", path="a.html", content="<p>") + line(
        "preview", op="open", path="a.html"
    )
    env = {"ARTIFACT_KIT_BROWSER": "/no/such/browser"}
    written, looked = answers(
        kit(*MEMORY, given=given + line("read_file", path="a.html"), env=env)
    )[:2]
    assert written["status"] == "ok"
    assert (looked["status"], looked["data"]["code"]) == ("failed", "no_browser")
    assert "ARTIFACT_KIT_BROWSER" in looked["text"]


@pytest.fixture
def looking() -> Iterator[subprocess.Popen[bytes]]:
    """A run that has a page open and waits for its next line."""
    with subprocess.Popen(
        [*KIT, *MEMORY], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(line("write_file", path="a.html", content="<p>Hi"))
        process.stdin.write(line("preview", op="open", path="a.html"))
        process.stdin.flush()
        for _ in range(2):
            assert json.loads(process.stdout.readline())["status"] == "ok"
        yield process
        process.kill()


def below(process: subprocess.Popen[bytes]) -> list[psutil.Process]:
    found = psutil.Process(process.pid).children(recursive=True)
    assert any("chrom" in " ".join(each.cmdline()) for each in found)
    return found


def test_at_the_end_of_the_input_it_ends_and_leaves_no_process(
    looking: subprocess.Popen[bytes],
) -> None:
    started = below(looking)
    out, err = looking.communicate(timeout=GONE_S)
    assert (looking.returncode, out, err) == (0, b"", b"")
    assert all_end(started)


@ON_POSIX
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_while_it_waits_and_leaves_no_process(
    looking: subprocess.Popen[bytes], number: signal.Signals
) -> None:
    started = below(looking)
    looking.send_signal(number)
    assert looking.wait(timeout=GONE_S) == 128 + number
    assert looking.stderr
    assert looking.stderr.read() == b""
    assert all_end(started)


@ON_POSIX
def test_a_reader_that_goes_away_ends_it_without_a_word() -> None:
    reader, writer = os.pipe()
    with subprocess.Popen(
        [*KIT, *MEMORY], stdin=subprocess.PIPE, stdout=writer, stderr=subprocess.PIPE
    ) as process:
        os.close(writer)
        os.close(reader)
        _, err = process.communicate(line("read_file", path="a") * 3, timeout=30)
        assert (process.returncode, err) == (0, b"")
