"""What is remembered of a file that was read, and that it is never taken for the file itself."""

import os
from pathlib import Path

import pytest

from artifact_kit.file_tools.shelf import Kept, Shelf
from artifact_kit.file_tools.textfile import TextFile
from artifact_kit.workspace import Content, WorkspacePath
from tests.file_tools.stage import Stage


@pytest.mark.anyio
@pytest.mark.parametrize("kind", ["memory", "local"])
async def test_a_change_that_leaves_size_and_times_as_they_were_is_seen(
    kind: str, tmp_path: Path
) -> None:
    stage = Stage(kind, tmp_path, {"a.txt": "one\n"})
    file = stage.folder / "a.txt"
    first = await stage.call("read_file", {"path": "a.txt"})
    again = await stage.call("read_file", {"path": "a.txt"})
    if kind == "local":
        stat = file.stat()
        file.write_text("two\n")
        os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    else:
        stage.put({"a.txt": "two\n"})
    changed = await stage.call("read_file", {"path": "a.txt"})
    assert again == first
    assert changed.text == first.text.replace("one", "two")
    assert changed.data["hash"] != first.data["hash"]


@pytest.mark.anyio
async def test_a_content_is_the_known_one_only_while_every_byte_is(tmp_path: Path) -> None:
    workspace = Stage("local", tmp_path, {"a.txt": "one"}).workspace
    path = workspace.path("a.txt")
    known = await workspace.read(path)
    assert await workspace.inspect(path, lambda content: content is known, known=known)
    other = Content(b"ONE", known.size, known.version)
    assert await workspace.inspect(path, lambda content: content.data, known=other) == b"one"


def test_what_was_unused_for_longest_makes_room() -> None:
    shelf = Shelf()
    paths = [WorkspacePath((name,)) for name in ("a", "b", "a", "c")]
    for path in paths:
        data = bytes(3 << 20)
        shelf.put(path, Kept(Content(data, len(data)), TextFile(data)))
    assert [shelf.get(path) is None for path in paths] == [False, True, False, False]
    huge = bytes(9 << 20)
    shelf.put(paths[0], Kept(Content(huge, len(huge)), TextFile(huge)))
    assert [shelf.get(path) is None for path in paths] == [True, True, True, False]
