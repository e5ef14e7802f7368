"""Links, pipes and swaps on a real disk: nothing leads out, nothing hangs."""

from __future__ import annotations

import os
import shutil
import stat
import sys
from typing import TYPE_CHECKING, Any

import anyio
import pytest

from artifact_kit.errors import Failure, Refusal, ToolError
from artifact_kit.workspace import Workspace, beneath
from tests.workspace.races import race
from tests.workspace.storages import names_in, tree

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.workspace.storages import Disk

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(sys.platform == "win32", reason="links and pipes of a Unix disk"),
]


@pytest.fixture(params=["openat2", "walk"])
def workspace(
    request: pytest.FixtureRequest, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> Workspace:
    if request.param == "walk":
        monkeypatch.setattr(beneath, "supported", lambda: False)
    (disk.root / "d").mkdir()
    (disk.root / "in.html").write_text("IN")
    (disk.root / "d" / "f.html").write_text("F")
    return disk.workspace()


OUTWARD = {
    "up": "../secret.html",
    "absolute": "{base}/secret.html",
    "absolute-inside": "{root}/in.html",
    "out-and-back": "../ws/in.html",
    "device": "/dev/zero",
    "self": "/proc/self/environ",
    "neighbour": "../ws-evil/secret.html",
}


def _link(disk: Disk, name: str, target: str) -> None:
    os.symlink(target.format(base=disk.root.parent, root=disk.root), disk.root / name)


@pytest.mark.parametrize("target", OUTWARD.values(), ids=OUTWARD)
async def test_a_link_that_leads_out_is_refused_and_its_target_untouched(
    target: str, workspace: Workspace, disk: Disk
) -> None:
    _link(disk, "l.html", target)
    path = workspace.path("l.html")
    before = tree(disk.root.parent)
    for call in (workspace.read(path), workspace.write(path, b"X")):
        with pytest.raises(Refusal, match="leads out") as refusal:
            await call
        assert str(disk.root) not in refusal.value.message
    entry = await workspace.info(path)
    assert entry is not None
    assert (entry.kind, entry.is_link) == ("other", True)
    assert tree(disk.root.parent) == before


@pytest.mark.parametrize("target", ["..", "../ws-evil", "{base}", "d/../.."])
async def test_a_folder_link_that_leads_out_is_refused_by_every_operation(
    target: str, workspace: Workspace, disk: Disk
) -> None:
    _link(disk, "ld", target)
    before = tree(disk.root.parent)
    at = workspace.path
    inside, source = at("ld/secret.html"), at("in.html")
    calls: tuple[Callable[[], Any], ...] = (
        lambda: workspace.read(inside),
        lambda: workspace.write(at("ld/new/deep/x.html"), b"X"),
        lambda: workspace.list(at("ld")),
        lambda: workspace.info(inside),
        lambda: workspace.move(inside, at("got.html")),
        lambda: workspace.move(source, at("ld/got.html")),
        lambda: workspace.delete(inside),
        lambda: workspace.delete(at("ld/ws-evil"), recursive=True),
    )
    for call in calls:
        with pytest.raises(Refusal, match="leads out"):
            await call()
    assert tree(disk.root.parent) == before


async def test_links_that_stay_inside_are_followed(workspace: Workspace, disk: Disk) -> None:
    at = workspace.path
    for name, target in (
        ("l.html", "in.html"),
        ("ld", "d/"),
        ("d/up", ".."),
        ("new.html", "m.html"),
    ):
        _link(disk, name, target)
    assert (await workspace.read(at("l.html"))).data == b"IN"
    assert (await workspace.read(at("ld/f.html"))).data == b"F"
    assert (await workspace.read(at("d/up/d/up/in.html"))).data == b"IN"
    await workspace.write(at("l.html"), b"NEW")
    await workspace.write(at("new.html"), b"MADE")
    await workspace.write(at("d/up/top.html"), b"TOP")
    assert disk.files() == {
        "in.html": b"NEW", "d/f.html": b"F", "m.html": b"MADE", "top.html": b"TOP",
    }  # fmt: skip
    assert os.readlink(disk.root / "l.html") == "in.html"
    listed = {
        entry.path.name: (entry.kind, entry.is_link) for entry in await workspace.list(at("."))
    }
    assert listed["ld"] == ("folder", True)
    assert listed["l.html"] == ("file", True)
    assert listed["d"] == ("folder", False)


async def test_deleting_and_moving_a_link_never_touches_its_target(
    workspace: Workspace, disk: Disk
) -> None:
    at = workspace.path
    for name, target in (("l.html", "in.html"), ("ld", "../ws-evil"), ("d/lx", "../../ws-evil")):
        _link(disk, name, target)
    before = tree(disk.root.parent / "ws-evil")
    await workspace.move(at("l.html"), at("k.html"))
    assert os.readlink(disk.root / "k.html") == "in.html"
    await workspace.delete(at("k.html"))
    await workspace.delete(at("ld"))
    await workspace.delete(at("d"), recursive=True)
    assert disk.files() == {"in.html": b"IN"}
    assert names_in(disk.root) == ["in.html"]
    assert tree(disk.root.parent / "ws-evil") == before


async def test_loops_and_dead_ends_answer(workspace: Workspace, disk: Disk) -> None:
    for name, target in (("a", "b"), ("b", "a"), ("gone.html", "nope.html"), ("x", "in.html/y")):
        _link(disk, name, target)
    for name, code in (("a", "loop"), ("gone.html", "not_found"), ("x", "not_folder")):
        with pytest.raises(Failure) as failure:
            await workspace.read(workspace.path(name))
        assert failure.value.code == code


async def test_pipes_and_sockets_never_hang(workspace: Workspace, disk: Disk) -> None:
    os.mkfifo(disk.root / "pipe")
    path = workspace.path("pipe")
    with anyio.fail_after(5):
        for call in (workspace.read(path), workspace.write(path, b"X")):
            with pytest.raises(Failure, match="not a regular file"):
                await call
    assert stat.S_ISFIFO((disk.root / "pipe").lstat().st_mode)  # one look


async def test_a_scope_is_a_border_for_links_too(workspace: Workspace, disk: Disk) -> None:
    tenant = workspace.scope("tenants/7")
    await tenant.write(tenant.path("a.html"), b"mine")
    _link(disk, "tenants/7/l.html", "../../in.html")
    _link(disk, "tenants/7/up", "../..")
    for raw in ("l.html", "up/in.html"):
        with pytest.raises(Refusal, match="leads out"):
            await tenant.read(tenant.path(raw))
    with pytest.raises(Refusal, match="outside"):
        tenant.path("../8/a.html")
    assert str(await tenant.locate(f"{disk.root}/tenants/7/a.html")) == "a.html"
    assert (await workspace.read(workspace.path("tenants/7/a.html"))).data == b"mine"


async def test_a_root_that_is_a_link_is_known_by_both_of_its_names(disk: Disk) -> None:
    alias = disk.root.parent / "alias"
    os.symlink(disk.root, alias)
    workspace = Workspace(f"file://{alias}")
    await workspace.write(workspace.path("a.html"), b"A")
    assert str(await workspace.locate(f"{alias}/a.html")) == "a.html"
    assert str(await workspace.locate(f"{disk.root}/a.html")) == "a.html"
    with pytest.raises(Refusal):
        await workspace.locate(f"{disk.root}2/a.html")


async def test_a_root_that_vanished_answers_in_plain_words(
    workspace: Workspace, disk: Disk
) -> None:
    shutil.rmtree(disk.root)
    path = workspace.path("in.html")
    for call in (
        workspace.read(path), workspace.write(path, b"X"), workspace.list(workspace.path(".")),
        workspace.delete(path), workspace.info(path),
    ):  # fmt: skip
        with pytest.raises(ToolError, match="own folder is gone") as error:
            await call
        assert str(disk.root) not in error.value.message


@pytest.mark.skipif(sys.platform != "linux", reason="exchanges names in one step")
@pytest.mark.parametrize("way", ["openat2", "walk"])
async def test_a_folder_swapped_for_a_link_during_calls_leaks_nothing(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if way == "walk":
        monkeypatch.setattr(beneath, "supported", lambda: False)
    counts = await race(tmp_path, 1.0)
    for operation in ("read", "write", "list"):
        assert counts[f"{operation} ok"]
        assert counts[f"{operation} outside"]
    assert not {key for key in counts if key.endswith((" storage", " unavailable"))}
