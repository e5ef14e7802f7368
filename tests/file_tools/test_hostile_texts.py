"""Texts that make careless code run for hours; each call comes to its end (the suite's timeout)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.file_tools.stage import Stage

if TYPE_CHECKING:
    from pathlib import Path

MANY = 400_000
CONTENTS = {
    "fence and blanks": "```\nx\n```" + " " * MANY + "y",
    "fences": "```\n" * (MANY // 4),
    "closers": "x" + "</content>" * (MANY // 10),
    "empty lines": "\n" * MANY,
    "one long line of blanks": " " * MANY,
    "dots": "// ..." * (MANY // 6),
    "almost placeholders": "// ... the rest of the\n" * (MANY // 23),
    "opened tags": "<script " * (MANY // 8),
    "escapes": "\\n" * (MANY // 2),
    "control characters": "\x08\n" * (MANY // 2),
}
MISSES = {
    "blanks and dots": " " * 50_000 + "...x",
    "long line with look-alikes": "a\u00a0b" * 20_000 + "X",
    "line numbers": "12│x\n" * 20_000,
    "backslashes": "\\" * 50_000,
    "one word many times": "word " * 20_000,
    "many short lines": "}\n" * 30_000,
    "entities": "&lt;" * 20_000,
    "combining marks": "e\u0301" * 20_000,
}
FILES = {
    "one line": "a\u2019b word }" * 40_000,
    "many lines": "  word };\n\n" * 40_000,
    "one character": "a" * 400_000,
}


@pytest.mark.anyio
@pytest.mark.parametrize("name", CONTENTS)
@pytest.mark.parametrize("suffix", ["js", "html", "txt"])
async def test_a_hostile_content_is_stored_or_refused(
    name: str, suffix: str, tmp_path: Path
) -> None:
    stage = Stage("memory", tmp_path, {})
    args = {"path": f"f.{suffix}", "content": CONTENTS[name]}
    outcome = await stage.call("write_file", args)
    assert outcome.status in ("ok", "refused")
    assert len(outcome.text) < 1_000


@pytest.mark.anyio
@pytest.mark.parametrize("name", MISSES)
@pytest.mark.parametrize("file", FILES)
async def test_a_hostile_miss_is_explained_in_few_words(
    name: str, file: str, tmp_path: Path
) -> None:
    stage = Stage("memory", tmp_path, {"f.js": FILES[file]})
    args = {"path": "f.js", "oldText": MISSES[name], "newText": "something else"}
    outcome = await stage.call("edit_file", args)
    assert outcome.status == "refused"
    assert len(outcome.text) < 1_200


@pytest.mark.anyio
async def test_more_places_than_anybody_means_are_refused_with_their_number(tmp_path: Path) -> None:
    stage = Stage("memory", tmp_path, {"f.js": FILES["one character"]})
    args = {"path": "f.js", "oldText": "a", "newText": "b", "replaceAll": True}
    outcome = await stage.call("edit_file", args)
    assert outcome.status == "refused"
    assert "400000 places" in outcome.text
    assert stage.files()["f.js"] == FILES["one character"].encode()
