"""A save leaves the old bytes or the new ones, whatever happens to it."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from fsspec.implementations.memory import MemoryFileSystem

from artifact_kit.errors import Failure, Refusal, ToolError
from artifact_kit.workspace import Workspace
from artifact_kit.workspace.paths import TEMP_PREFIX
from tests.workspace.saving import kill_while_saving
from tests.workspace.storages import FullStore, OddStore, names_in, own_memory, stored, tree

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.workspace.storages import Disk

pytestmark = pytest.mark.anyio
UNIX = pytest.mark.skipif(sys.platform == "win32", reason="modes and signals of Unix")
ROOT_ONLY = pytest.mark.skipif(
    sys.platform != "linux" or os.geteuid() != 0, reason="needs root on Linux to mount a disk"
)


@UNIX
async def test_the_mode_of_a_file_survives_a_save_and_a_new_one_follows_the_umask(
    disk: Disk,
) -> None:
    old = disk.root / "a.html"
    old.write_text("OLD")
    old.chmod(0o640)
    workspace = disk.workspace()
    await workspace.write(workspace.path("a.html"), b"NEW")
    await workspace.write(workspace.path("b.html"), b"NEW")
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE(os.stat(old).st_mode) == 0o640
    assert stat.S_IMODE(os.stat(disk.root / "b.html").st_mode) == 0o666 & ~umask


@UNIX
async def test_a_write_protected_file_is_kept(disk: Disk) -> None:
    file = disk.root / "a.html"
    file.write_text("OLD")
    file.chmod(0o444)
    workspace = disk.workspace()
    with pytest.raises(Failure, match=r"permission\); a\.html is unchanged"):
        await workspace.write(workspace.path("a.html"), b"NEW")
    assert disk.files() == {"a.html": b"OLD"}


@UNIX
async def test_a_hard_link_elsewhere_keeps_the_old_bytes(disk: Disk) -> None:
    os.link(disk.root.parent / "secret.html", disk.root / "a.html")
    workspace = disk.workspace()
    await workspace.write(workspace.path("a.html"), b"NEW")
    assert (disk.root.parent / "secret.html").read_bytes() == b"SECRET"  # one look


async def test_a_name_of_full_length_can_be_saved(disk: Disk) -> None:
    workspace = disk.workspace()
    name = "x" * 250 + ".html"
    await workspace.write(workspace.path(name, most_chars=255), b"NEW")
    assert disk.files() == {name: b"NEW"}


async def test_unfinished_files_are_hidden_and_old_ones_swept(disk: Disk) -> None:
    fresh, stale = (disk.root / f"{TEMP_PREFIX}{n}.tmp" for n in ("fresh", "stale"))
    for file in (fresh, stale):
        file.write_text("half")
    hours_ago = time.time() - 7200
    os.utime(stale, (hours_ago, hours_ago))
    workspace = disk.workspace()
    assert await workspace.list(workspace.path(".")) == []
    await workspace.write(workspace.path("a.html"), b"A")
    assert names_in(disk.root) == sorted([fresh.name, "a.html"])


async def test_a_folder_with_nothing_but_unfinished_files_counts_as_empty(disk: Disk) -> None:
    (disk.root / "d").mkdir()
    (disk.root / "d" / f"{TEMP_PREFIX}x.tmp").write_text("half")
    workspace = disk.workspace()
    await workspace.delete(workspace.path("d"))
    assert names_in(disk.root) == []


async def test_folders_made_for_a_save_that_failed_go_away_again(disk: Disk) -> None:
    workspace = disk.workspace()
    version = await workspace.write(workspace.path("a.html"), b"A")
    with pytest.raises(Failure, match="changed meanwhile"):
        await workspace.write(workspace.path("new/deep/b.html"), b"B", expect=version)
    assert names_in(disk.root) == ["a.html"]


@UNIX
async def test_a_kill_at_any_moment_leaves_old_or_new_bytes(disk: Disk) -> None:
    kill_while_saving(disk.root, 12)
    workspace = disk.workspace()
    names = [entry.path.name for entry in await workspace.list(workspace.path("d"))]
    assert names == ["a.html"]


@contextmanager
def _small_disk(folder: Path, size: str) -> Iterator[None]:
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    if subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("this machine lets nobody mount a disk")
    try:
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=True)  # noqa: S607


@ROOT_ONLY
async def test_a_full_disk_keeps_the_old_file(tmp_path: Path) -> None:
    with _small_disk(tmp_path / "small", "256k"):
        workspace = Workspace(str(tmp_path / "small"))
        path = workspace.path("a.html")
        await workspace.write(path, b"o" * 150_000)
        with pytest.raises(Failure, match=r"no space left on the storage; a\.html is unchanged"):
            await workspace.write(path, b"n" * 150_000)
        assert (await workspace.read(path)).data == b"o" * 150_000
        assert names_in(tmp_path / "small") == ["a.html"]


@ROOT_ONLY
async def test_a_folder_moves_to_another_disk_below_the_same_root(tmp_path: Path) -> None:
    with _small_disk(tmp_path / "small", "1m"):
        workspace = Workspace(str(tmp_path))
        at = workspace.path
        await workspace.write(at("d/e/a.html"), b"A")
        await workspace.move(at("d"), at("small/d"))
        assert tree(tmp_path) == {"small/d/e/a.html": b"A"}
        await workspace.move(at("small/d/e/a.html"), at("a.html"))
        assert tree(tmp_path) == {"a.html": b"A"}


DENIED = """
import os, sys, anyio
from artifact_kit.errors import ToolError
from artifact_kit.workspace import Workspace
async def main():
    os.setgid(65534)
    os.setuid(65534)
    workspace = Workspace(sys.argv[1])
    at = workspace.path
    for call in (workspace.read(at("a.html")), workspace.write(at("a.html"), b"x"),
                 workspace.write(at("new.html"), b"x"), workspace.delete(at("a.html")),
                 workspace.move(at("a.html"), at("b.html")), workspace.read(at("locked/x.html"))):
        try:
            await call
            print("done")
        except ToolError as error:
            print(error.code, "|", error.message)
anyio.run(main)
"""


@ROOT_ONLY
def test_permission_denied_answers_in_plain_words(disk: Disk) -> None:
    (disk.root / "a.html").write_text("OLD")
    (disk.root / "a.html").chmod(0o600)
    (disk.root / "locked").mkdir(mode=0o700)
    for folder in (disk.root, *disk.root.parents):
        if not folder.stat().st_mode & 0o001:
            folder.chmod(0o755)
    run = subprocess.run(
        [sys.executable, "-c", DENIED, str(disk.root)], capture_output=True, text=True, check=True
    )
    lines = run.stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["denied"] * 6
    assert str(disk.root) not in run.stdout
    assert disk.files() == {"a.html": b"OLD"}


async def test_a_store_that_fills_up_half_way_keeps_the_old_bytes() -> None:
    fs = own_memory(FullStore)
    MemoryFileSystem.pipe_file(fs, "ws/a.html", b"OLD")
    workspace = Workspace(fs, root="ws")
    with pytest.raises(Failure, match="no space left"):
        await workspace.write(workspace.path("a.html"), b"N" * 100_000)
    assert stored(fs, "ws") == {"a.html": b"OLD"}


async def test_an_odd_exception_answers_without_its_class_or_path() -> None:
    workspace = Workspace(own_memory(OddStore), root="ws")
    with pytest.raises(Failure) as failure:
        await workspace.write(workspace.path("a.html"), b"N")
    assert failure.value.message == "unexpected storage error; a.html is unchanged"


class StrictStore(MemoryFileSystem):
    """Says no in its own words."""

    protocol = "strict"

    def pipe_file(self, path: str, value: bytes, mode: str = "overwrite", **kwargs: Any) -> None:
        raise OSError("quota exceeded")

    def rm_file(self, path: str) -> None:
        raise RuntimeError("deleting is for administrators")

    def cat_file(self, path: str, *args: Any, **kwargs: Any) -> bytes:
        raise OSError(errno.EACCES, "no", path)


async def test_a_storages_own_words_are_passed_on() -> None:
    fs = own_memory(StrictStore)
    MemoryFileSystem.pipe_file(fs, "ws/a.html", b"OLD")
    workspace = Workspace(fs, root="ws")
    path = workspace.path("a.html")
    for call, words in (
        (workspace.write(path, b"N"), "quota exceeded; a.html is unchanged"),
        (workspace.delete(path), "deleting is for administrators"),
        (workspace.read(path), "the storage denied access to a.html"),
    ):
        with pytest.raises(ToolError) as error:
            await call
        assert words in error.value.message


async def test_a_version_holds_until_the_file_changes(disk: Disk) -> None:
    workspace = disk.workspace()
    path = workspace.path("a.html")
    first = await workspace.write(path, b"one")
    entry = await workspace.info(path)
    assert entry is not None
    assert entry.version == first == (await workspace.read(path)).version
    (disk.root / "a.html").write_text("two, by hand")  # somebody else
    with pytest.raises(Failure) as failure:
        await workspace.write(path, b"three", expect=first)
    assert failure.value.code == "changed"
    os.unlink(disk.root / "a.html")
    with pytest.raises(Failure) as failure:
        await workspace.write(path, b"three", expect=first)
    assert failure.value.code == "changed"
    assert disk.files() == {}


async def test_a_read_only_workspace_is_never_written(disk: Disk) -> None:
    (disk.root / "a.html").write_text("OLD")
    workspace = disk.workspace(read_only=True)
    path = workspace.path("a.html")
    for call in (
        workspace.write(path, b"x"), workspace.delete(path),
        workspace.move(path, workspace.path("b.html")),
    ):  # fmt: skip
        with pytest.raises(Refusal, match="read-only"):
            await call
    assert disk.files() == {"a.html": b"OLD"}
