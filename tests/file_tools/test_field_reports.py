"""Public reports about the file tools of others: one test each, the number in its name."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import pytest

from artifact_kit.limits import Limits
from tests.file_tools.stage import Stage

if TYPE_CHECKING:
    from pathlib import Path

    from artifact_kit.contract import Outcome

pytestmark = pytest.mark.anyio
KINDS = pytest.mark.parametrize("kind", ["memory", "local"])
needs_links = pytest.mark.skipif(sys.platform == "win32", reason="links need rights on Windows")


async def edit(stage: Stage, old: str, new: str, path: str = "f.txt") -> Outcome:
    return await stage.call("edit_file", {"path": path, "oldText": old, "newText": new})


@KINDS
async def test_f1_several_matches_are_counted_with_lines_and_none_is_edited(
    kind: str, tmp_path: Path
) -> None:
    """docker/docker-agent#3929, amd/gaia#3377."""
    stage = Stage(kind, tmp_path, {"f.txt": "n=1\nm\nn=1\n"})
    outcome = await edit(stage, "n=1", "n=2")
    assert outcome.status == "refused"
    assert "2 places in f.txt (lines 1, 3)" in outcome.text
    assert outcome.data["lines"] == [1, 3]
    assert stage.files()["f.txt"] == b"n=1\nm\nn=1\n"


@KINDS
async def test_f2_a_miss_says_what_differs_and_shows_the_nearest_line(
    kind: str, tmp_path: Path
) -> None:
    """modelcontextprotocol/servers#2034."""
    stage = Stage(kind, tmp_path, {"f.txt": "if (on)\n\tgo(1);\n"})
    outcome = await edit(stage, "  go(1);", "  go(2);")
    assert "tabs" in outcome.text
    assert "file line 2: →go(1);" in outcome.text


@KINDS
async def test_f3_lf_text_matches_a_crlf_file_which_stays_crlf(kind: str, tmp_path: Path) -> None:
    """anthropics/claude-code#164, #28831, #54876."""
    stage = Stage(kind, tmp_path, {"f.txt": b"a\r\nb\r\nc\r\n"})
    assert (await edit(stage, "a\nb", "A\nb")).status == "ok"
    assert stage.files()["f.txt"] == b"A\r\nb\r\nc\r\n"


@KINDS
async def test_f4_new_lines_take_the_ending_of_the_file(kind: str, tmp_path: Path) -> None:
    """openai/codex#4003, #25048."""
    stage = Stage(kind, tmp_path, {"f.txt": b"one\r\ntwo\r\n"})
    assert (await edit(stage, "two", "two\nthree\nfour")).status == "ok"
    data = stage.files()["f.txt"]
    assert data.count(b"\n") == data.count(b"\r\n") == 4


@KINDS
async def test_f5_no_newline_is_added_at_the_end(kind: str, tmp_path: Path) -> None:
    """openai/codex#7640."""
    stage = Stage(kind, tmp_path, {"f.txt": "one\ntwo"})
    await edit(stage, "two", "2")
    assert stage.files()["f.txt"] == b"one\n2"


@KINDS
async def test_f6_a_byte_order_mark_stays_and_line_one_still_matches(
    kind: str, tmp_path: Path
) -> None:
    """openai/codex#4003."""
    stage = Stage(kind, tmp_path, {"f.txt": b"\xef\xbb\xbfhi there\n"})
    assert (await edit(stage, "hi there", "hello")).status == "ok"
    assert stage.files()["f.txt"] == b"\xef\xbb\xbfhello\n"


@KINDS
async def test_f8_bytes_outside_the_match_are_identical(kind: str, tmp_path: Path) -> None:
    """strands-agents/harness-sdk#3175."""
    make = b"all:\n\tcc a.c\n\tcc b.c  \n  \t# mixed\r\n"
    stage = Stage(kind, tmp_path, {"Makefile": make})
    await edit(stage, "cc b.c", "cc -O2 b.c", "Makefile")
    assert stage.files()["Makefile"] == make.replace(b"cc b.c", b"cc -O2 b.c")


@KINDS
async def test_f9_new_text_is_verbatim(kind: str, tmp_path: Path) -> None:
    """OpenHands/software-agent-sdk PR 3882."""
    stage = Stage(kind, tmp_path, {"f.txt": "a[x]b"})
    await edit(stage, "[x]", "  y  \n ")
    assert stage.files()["f.txt"] == b"a  y  \n b"


@KINDS
async def test_f10_blanks_that_are_not_there_match_nothing(kind: str, tmp_path: Path) -> None:
    """CodebuffAI/freebuff PR 1291."""
    stage = Stage(kind, tmp_path, {"f.txt": "a\tb"})
    assert (await edit(stage, " ", "x")).status == "refused"
    assert stage.files()["f.txt"] == b"a\tb"


@KINDS
async def test_f14_quotes_are_exact_in_both_texts(kind: str, tmp_path: Path) -> None:
    """anthropics/claude-code#23945, #1986, #14355."""
    stage = Stage(kind, tmp_path, {"f.txt": "say('%s')\n"})
    assert (await edit(stage, "'%s'", "\u2018%s\u2019")).status == "ok"
    assert stage.files()["f.txt"].decode() == "say(\u2018%s\u2019)\n"


@KINDS
async def test_f17_a_gutter_is_never_stripped_only_named(kind: str, tmp_path: Path) -> None:
    """can1357/oh-my-pi#1492, xal-sh/xal PR 42, volcengine/OpenViking PR 4424."""
    stage = Stage(kind, tmp_path, {"f.txt": "a = 1\nb = 2\n", "years.tsv": "2024\t17\n2025\t9\n"})
    shown = await stage.call("read_file", {"path": "f.txt", "lineNumbers": True})
    numbered = shown.text.splitlines()[2]
    outcome = await edit(stage, numbered, numbered.replace("2", "3"))
    assert outcome.status == "refused"
    assert "line numbers" in outcome.text
    assert (await edit(stage, "2024\t17", "2024\t18", "years.tsv")).status == "ok"
    assert stage.files() == {"f.txt": b"a = 1\nb = 2\n", "years.tsv": b"2024\t18\n2025\t9\n"}


@KINDS
async def test_f18_our_own_truncation_notice_is_not_written_back(kind: str, tmp_path: Path) -> None:
    """can1357/oh-my-pi#11792, hermes-agent#83714."""
    stage = Stage(kind, tmp_path, {"f.txt": "x\n" * 90}, limits=Limits(read_chars=60))
    shown = await stage.call("read_file", {"path": "f.txt"})
    body = shown.text.split("\n", 1)[1]
    outcome = await stage.call("write_file", {"path": "f.txt", "content": body})
    assert outcome.status == "refused"
    assert outcome.data["code"] == "truncation_notice"
    assert stage.files()["f.txt"] == b"x\n" * 90


@KINDS
async def test_f20_the_notice_names_the_exact_next_line(kind: str, tmp_path: Path) -> None:
    """bytedance/deer-flow#5475."""
    lines = [f"line {number}\n" for number in range(1, 3001)]
    stage = Stage(kind, tmp_path, {"f.txt": "".join(lines)}, limits=Limits(read_chars=5_000))
    start, seen = 1, ""
    for _ in range(20):
        outcome = await stage.call("read_file", {"path": "f.txt", "startLine": start})
        _, body = outcome.text.split("\n", 1)
        text, _, notice = body.partition("…[truncated")
        seen += text
        if not notice:
            break
        start = int(notice.partition("startLine=")[2].rstrip("]"))
    assert seen == "".join(lines)


async def test_f25_a_host_path_is_mapped_or_refused_and_never_nested(tmp_path: Path) -> None:
    """langchain-ai/deepagents#5469."""
    stage = Stage("local", tmp_path, {})
    inside = await stage.call("write_file", {"path": f"{stage.folder}/a.txt", "content": "x"})
    outside = await stage.call("write_file", {"path": "/etc/a.txt", "content": "x"})
    assert (inside.status, outside.status) == ("ok", "refused")
    assert stage.files() == {"a.txt": b"x"}


@KINDS
async def test_f26_a_leading_slash_is_the_workspace_root(kind: str, tmp_path: Path) -> None:
    """langchain-ai/deepagentsjs#544, #653."""
    stage = Stage(kind, tmp_path, {})
    outcome = await stage.call("write_file", {"path": "/index.html", "content": "x"})
    assert outcome.data["path"] == "index.html"
    assert stage.files() == {"index.html": b"x"}


@needs_links
@pytest.mark.parametrize(
    ("tool", "args"),
    [
        ("read_file", {"path": "link"}),
        ("write_file", {"path": "link", "content": "x"}),
        ("edit_file", {"path": "link", "oldText": "secret", "newText": "x"}),
        ("manage_file", {"op": "move", "path": "mine", "to": "out/mine"}),
        ("read_file", {"path": "out/secret"}),
        ("manage_file", {"op": "delete", "path": "out/secret"}),
        ("find_files", {"text": "secret"}),
    ],
)
async def test_f27_links_that_lead_out_lead_nowhere(
    tool: str, args: dict[str, str], tmp_path: Path
) -> None:
    """modelcontextprotocol/servers#1845, cyanheads/filesystem-mcp-server#21."""
    stage = Stage("local", tmp_path, {"mine": "mine"})
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret").write_text("secret text", encoding="utf-8")
    os.symlink(outside / "secret", stage.folder / "link")
    os.symlink(outside, stage.folder / "out")
    outcome = await stage.call(tool, args)
    assert "secret text" not in outcome.text
    assert outcome.status != "ok" or tool == "find_files"
    assert [path.name for path in outside.iterdir()] == ["secret"]
    assert (outside / "secret").read_text(encoding="utf-8") == "secret text"


async def test_f28_a_neighbour_with_the_same_beginning_is_outside(tmp_path: Path) -> None:
    """GitHubSecurityLab/seclab-taskflow-agent PR 214."""
    stage = Stage("local", tmp_path, {})
    other = tmp_path / "ws2"
    other.mkdir()
    (other / "x").write_text("not yours", encoding="utf-8")
    for path in ("../ws2/x", f"{other}/x"):
        outcome = await stage.call("read_file", {"path": path})
        assert outcome.status == "refused"
        assert "not yours" not in outcome.text


@KINDS
async def test_f31_a_move_tells_what_it_replaced_and_can_be_told_not_to(
    kind: str, tmp_path: Path
) -> None:
    """modelcontextprotocol/servers#4628, bytedance/UI-TARS-desktop#1977."""
    stage = Stage(kind, tmp_path, {"a": "1", "b": "x" * 4200})
    kept = {"op": "move", "path": "a", "to": "b", "overwrite": False}
    assert (await stage.call("manage_file", kept)).status == "refused"
    outcome = await stage.call("manage_file", {"op": "move", "path": "a", "to": "b"})
    assert "replaced a file of 4.1 KiB" in outcome.text


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such mode")
async def test_f32_an_edit_keeps_the_mode(tmp_path: Path) -> None:
    """modelcontextprotocol/servers PR 4115."""
    stage = Stage("local", tmp_path, {"run.sh": "echo 1\n"})
    (stage.folder / "run.sh").chmod(0o755)
    await edit(stage, "1", "2", "run.sh")
    assert (stage.folder / "run.sh").stat().st_mode & 0o777 == 0o755


@KINDS
@pytest.mark.parametrize("cap", [1023, 1024, 1025])
async def test_f33_no_character_is_cut_in_two(kind: str, cap: int, tmp_path: Path) -> None:
    """modelcontextprotocol/servers#4666."""
    stage = Stage(kind, tmp_path, {"f.txt": "a" * 1023 + "あ" + "b"}, limits=Limits(read_chars=cap))
    outcome = await stage.call("read_file", {"path": "f.txt"})
    assert "\ufffd" not in outcome.text


@KINDS
async def test_f35_a_look_alike_name_is_used_only_when_it_is_the_only_one_and_is_named(
    kind: str, tmp_path: Path
) -> None:
    """openclaw/openclaw PR 126797."""
    stage = Stage(kind, tmp_path, {"a\u202fb.txt": "old", "a b.txt": "mine"})
    await stage.call("write_file", {"path": "a b.txt", "content": "new"})
    assert stage.files() == {"a\u202fb.txt": b"old", "a b.txt": b"new"}
    await stage.call("manage_file", {"op": "delete", "path": "a b.txt"})
    outcome = await stage.call("read_file", {"path": "a b.txt"})
    assert "\\u202f" in outcome.text


@KINDS
async def test_f38_own_writes_are_not_taken_for_those_of_others(kind: str, tmp_path: Path) -> None:
    """hermes-agent PR 4390."""
    stage = Stage(kind, tmp_path, {"f.txt": "0"})
    await stage.call("read_file", {"path": "f.txt"})
    for content in ("1", "2", "3"):
        outcome = await stage.call("write_file", {"path": "f.txt", "content": content})
        assert outcome.status == "ok"
        assert "changed" not in outcome.text


@KINDS
async def test_f40_a_batch_is_applied_whole_or_not_at_all(kind: str, tmp_path: Path) -> None:
    """coder/coder PR 23493, BaseIntelligence/bounty-challenge#9773."""
    stage = Stage(kind, tmp_path, {"f.txt": "a\nb\nc\n"})
    pairs = [("a", "A"), ("b", "B"), ("zz", "Z")]
    edits = [{"oldText": old, "newText": new} for old, new in pairs]
    outcome = await stage.call("edit_file", {"path": "f.txt", "edits": edits})
    assert "edits[2]" in outcome.text
    assert stage.files()["f.txt"] == b"a\nb\nc\n"


@KINDS
@pytest.mark.parametrize(
    ("data", "kind_of_file"), [(b"%PDF-1.7\n\0\0", "PDF"), (b"PK\x03\x04\x14\0", "ZIP")]
)
async def test_f42_a_binary_file_is_refused_with_type_and_size(
    kind: str, data: bytes, kind_of_file: str, tmp_path: Path
) -> None:
    """xuzhougeng/wisp-science PR 403."""
    stage = Stage(kind, tmp_path, {"doc": data})
    outcome = await stage.call("read_file", {"path": "doc"})
    assert outcome.status == "refused"
    assert kind_of_file in outcome.text
    assert f"{len(data)} B" in outcome.text


@KINDS
async def test_f43_svg_is_text(kind: str, tmp_path: Path) -> None:
    """agentforce314/clawcodex PR 149."""
    stage = Stage(kind, tmp_path, {"icon.svg": "<svg><path d='M0 0'/></svg>\n"})
    assert "<svg>" in (await stage.call("read_file", {"path": "icon.svg"})).text
    assert (await edit(stage, "M0 0", "M1 1", "icon.svg")).status == "ok"


async def test_f45_a_listing_is_capped_counted_and_leaves_out_what_is_ignored(
    tmp_path: Path,
) -> None:
    """modelcontextprotocol/servers PR 1150, sammcj/mcp-devtools#218."""
    files: dict[str, str | bytes | None] = {f"d/f{n:04d}.txt": "x" for n in range(1500)}
    stage = Stage("memory", tmp_path, {**files, "node_modules/m/i.js": "x"})
    folder = await stage.call("read_file", {"path": "d"})
    assert "200 of 1500 entries shown" in folder.text
    found = await stage.call("find_files", {})
    assert "200 of 1500 files shown" in found.text
    assert "ignored: node_modules/" in found.text
    assert len(folder.text) < 6_000
    assert len(found.text) < 6_000
