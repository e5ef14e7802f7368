"""Several storages as one tree, tenants, quotas, and names that only look alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from fsspec.implementations.memory import MemoryFileSystem

from artifact_kit.errors import Failure, Refusal, ToolError
from artifact_kit.workspace import Quota, Workspace, WorkspacePath
from tests.workspace.storages import Files, own_memory, stored

if TYPE_CHECKING:
    from tests.workspace.storages import Disk

pytestmark = pytest.mark.anyio


def _memory(files: Files) -> MemoryFileSystem:
    fs = own_memory()
    for name, data in files.items():
        fs.pipe_file(f"m/{name}", data)
    return fs


@pytest.fixture
def assets() -> MemoryFileSystem:
    return _memory({"logo.svg": b"<svg/>", "css/a.css": b"a{}"})


def _mounted(disk: Disk, mounts: dict[str, Any]) -> Workspace:
    return Workspace.mounted({"": str(disk.root), **mounts})


def _at(fs: MemoryFileSystem, **options: Any) -> tuple[MemoryFileSystem, dict[str, Any]]:
    return fs, {"root": "m", **options}


async def test_the_longest_mount_answers_and_whole_names_count(
    disk: Disk, assets: MemoryFileSystem
) -> None:
    inner = _memory({"deep.txt": b"INNER"})
    (disk.root / "assets").mkdir()
    (disk.root / "assets" / "logo.svg").write_text("HIDDEN")
    workspace = _mounted(disk, {"assets": _at(assets), "assets/css": _at(inner)})
    at = workspace.path
    assert (await workspace.read(at("assets/logo.svg"))).data == b"<svg/>"
    assert (await workspace.read(at("assets/css/deep.txt"))).data == b"INNER"
    assert await workspace.info(at("assets/css/a.css")) is None
    await workspace.write(at("assets2/x.html"), b"X")
    assert disk.files() == {"assets/logo.svg": b"HIDDEN", "assets2/x.html": b"X"}
    assert (await workspace.read(at("assets/css/../logo.svg"))).data == b"<svg/>"


async def test_mounts_show_in_the_folders_above_them(disk: Disk, assets: MemoryFileSystem) -> None:
    workspace = _mounted(disk, {"lib/vendor/assets": _at(assets)})
    for raw, names in ((".", ["lib"]), ("lib", ["vendor"]), ("lib/vendor", ["assets"])):
        entries = await workspace.list(workspace.path(raw))
        assert [(entry.path.name, entry.kind) for entry in entries] == [(names[0], "folder")]
    entry = await workspace.info(workspace.path("lib/vendor"))
    assert entry is not None
    assert entry.kind == "folder"


async def test_a_read_only_mount_is_never_changed_and_no_copy_is_left(
    disk: Disk, assets: MemoryFileSystem
) -> None:
    (disk.root / "a.html").write_text("A")
    workspace = _mounted(disk, {"assets": _at(assets, read_only=True)})
    at = workspace.path
    for call in (
        workspace.write(at("assets/new.txt"), b"x"),
        workspace.delete(at("assets/logo.svg")),
        workspace.move(at("assets/logo.svg"), at("logo.svg")),
        workspace.move(at("a.html"), at("assets/a.html")),
    ):
        with pytest.raises(Refusal, match="read-only"):
            await call
    assert disk.files() == {"a.html": b"A"}
    assert stored(assets, "m") == {"logo.svg": b"<svg/>", "css/a.css": b"a{}"}


async def test_moves_between_mounts_are_byte_for_byte(disk: Disk, assets: MemoryFileSystem) -> None:
    data = bytes(range(256)) * 40
    (disk.root / "i.png").write_bytes(data)
    workspace = _mounted(disk, {"assets": _at(assets)})
    at = workspace.path
    await workspace.move(at("i.png"), at("assets/img/i.png"))
    await workspace.move(at("assets/css"), at("styles/css"))
    assert disk.files() == {"styles/css/a.css": b"a{}"}
    assert stored(assets, "m") == {"logo.svg": b"<svg/>", "img/i.png": data}
    await workspace.move(at("assets/logo.svg"), at("styles/css/a.css"))
    assert disk.files() == {"styles/css/a.css": b"<svg/>"}


class Undeletable(MemoryFileSystem):
    """Keeps what it has."""

    protocol = "undeletable"

    def rm_file(self, path: str) -> None:
        raise PermissionError("no")


async def test_a_move_that_cannot_remove_the_source_takes_its_copy_back(disk: Disk) -> None:
    fs = own_memory(Undeletable)
    fs.pipe_file("m/a.txt", b"A")
    workspace = _mounted(disk, {"kept": _at(fs)})
    with pytest.raises(Failure, match=r"denied.*unchanged"):
        await workspace.move(workspace.path("kept/a.txt"), workspace.path("a.txt"))
    assert disk.files() == {}
    assert stored(fs, "m") == {"a.txt": b"A"}


async def test_mount_points_and_what_holds_them_stay(disk: Disk, assets: MemoryFileSystem) -> None:
    workspace = _mounted(disk, {"lib/assets": _at(assets)})
    at = workspace.path
    for raw in ("lib/assets", "lib", "."):
        for call in (
            workspace.delete(at(raw), recursive=True),
            workspace.move(at(raw), at("elsewhere")),
        ):
            with pytest.raises(Refusal, match="can't be"):
                await call
    with pytest.raises(Failure, match="lib is a folder"):
        await workspace.write(at("lib"), b"x")
    assert stored(assets, "m")


async def test_moves_onto_folders_or_into_themselves_change_nothing(disk: Disk) -> None:
    workspace = disk.workspace()
    at = workspace.path
    for name in ("a.html", "d/x.html", "e/y.html"):
        await workspace.write(at(name), name.encode())
    before = disk.files()
    for source, target, code in (
        ("a.html", "d", "is_folder"), ("d", "a.html", "not_folder"), ("d", "e", "is_folder"),
        ("d", "d/sub", "into_itself"), ("a.html", "a.html/b", "into_itself"),
        ("a.html", "./a.html", "same_path"), ("nope", "b", "not_found"),
        ("e/y.html", "a.html/y.html", "not_folder"),
    ):  # fmt: skip
        with pytest.raises(ToolError) as error:
            await workspace.move(at(source), at(target))
        assert error.value.code == code
    assert disk.files() == before


async def test_what_is_written_like_a_folder_must_be_one(disk: Disk) -> None:
    (disk.root / "a.html").write_text("A")
    (disk.root / "d").mkdir()
    workspace = disk.workspace()
    path = workspace.path("a.html/", trailing_slash=True)
    for call in (workspace.delete(path), workspace.move(path, workspace.path("b.html"))):
        with pytest.raises(Failure, match="is a file, not a folder"):
            await call
    await workspace.delete(workspace.path("d/", trailing_slash=True))
    assert disk.files() == {"a.html": b"A"}


async def test_two_names_of_one_file_move_as_one_would_expect(disk: Disk) -> None:
    (disk.root / "a.html").write_text("A")
    (disk.root / "b.html").hardlink_to(disk.root / "a.html")
    (disk.root / "d").mkdir()
    (disk.root / "up").symlink_to("d")
    (disk.root / "d" / "x.html").write_text("X")
    workspace = disk.workspace()
    await workspace.move(workspace.path("a.html"), workspace.path("b.html"))
    assert disk.files() == {"b.html": b"A", "d/x.html": b"X"}
    with pytest.raises(Refusal, match="already there"):
        await workspace.move(workspace.path("up/x.html"), workspace.path("d/x.html"))
    with pytest.raises(Refusal, match="into itself"):
        await workspace.move(workspace.path("d"), workspace.path("up/d"))
    assert disk.files() == {"b.html": b"A", "d/x.html": b"X"}


async def test_a_scope_sees_its_folder_and_the_mounts_in_it(
    disk: Disk, assets: MemoryFileSystem
) -> None:
    workspace = _mounted(disk, {"p/7/assets": _at(assets), "other": _at(own_memory())})
    tenant = workspace.scope("p/7")
    await tenant.write(tenant.path("a.html"), b"A")
    names = [entry.path.name for entry in await tenant.list(tenant.path("."))]
    assert names == ["a.html", "assets"]
    assert (await tenant.read(tenant.path("assets/logo.svg"))).data == b"<svg/>"
    assert disk.files() == {"p/7/a.html": b"A"}
    inner = workspace.scope("p/7/assets/css")
    assert (await inner.read(inner.path("a.css"))).data == b"a{}"


async def test_quotas_are_refused_with_their_numbers(disk: Disk) -> None:
    workspace = disk.workspace(quota=Quota(files=3, bytes=1000, depth=3))
    at = workspace.path
    await workspace.write(at("a.html"), b"x" * 600)
    with pytest.raises(Refusal, match=r"500 B does not fit: the limit is 1000 B, now used 600 B"):
        await workspace.write(at("b.html"), b"x" * 500)
    await workspace.write(at("a.html"), b"x" * 900)
    await workspace.write(at("b.html"), b"x")
    await workspace.write(at("c/d/e.html"), b"x")
    with pytest.raises(Refusal, match="there are 3 of 3"):
        await workspace.write(at("d.html"), b"x")
    with pytest.raises(Refusal, match="4 levels deep; the limit is 3"):
        await workspace.write(at("c/d/e/f.html"), b"x")
    (disk.root / "b.html").unlink()
    await workspace.write(at("d.html"), b"x")
    await workspace.delete(at("a.html"))
    await workspace.write(at("e.html"), b"x" * 900)
    assert sorted(disk.files()) == ["c/d/e.html", "d.html", "e.html"]


async def test_a_quota_counts_every_mount_that_can_be_written(assets: MemoryFileSystem) -> None:
    vendor = _memory({"big.js": b"x" * 5000})
    workspace = Workspace.mounted(
        {"assets": _at(assets), "vendor": _at(vendor, read_only=True)}, quota=Quota(bytes=50)
    )
    at = workspace.path
    await workspace.write(at("a.html"), b"x" * 30)
    with pytest.raises(Refusal, match="now used 39 B in 3 files"):
        await workspace.write(at("assets/b.html"), b"x" * 20)


async def test_a_tenants_quota_is_its_own_and_the_whole_one_counts_too() -> None:
    workspace = Workspace("memory://", quota=Quota(bytes=100))
    one = workspace.scope("one", quota=Quota(files=1))
    other = workspace.scope("other", quota=Quota(files=1))
    await one.write(one.path("a"), b"x" * 60)
    with pytest.raises(Refusal, match="one file too many"):
        await one.write(one.path("b"), b"x")
    with pytest.raises(Refusal, match="limit is 100 B"):
        await other.write(other.path("a"), b"x" * 60)
    await other.write(other.path("a"), b"x" * 40)


async def test_an_absolute_path_is_the_workspaces_own_or_refused(disk: Disk) -> None:
    workspace = disk.workspace()
    located = workspace.locate
    assert str(await located(f"{disk.root}/a.html")) == "a.html"
    assert str(await located("/a.html")) == "a.html"
    assert str(await located("/workspace/a.html")) == "a.html"
    with pytest.raises(Refusal, match="outside"):
        await located("/etc/a.html")
    for folder in ("workspace", "etc"):
        (disk.root / folder).mkdir()
        assert str(await located(f"/{folder}/a.html")) == f"{folder}/a.html"


async def test_a_model_may_know_the_root_by_its_host_name() -> None:
    workspace = Workspace("memory://", host_root="/srv/ws")
    assert str(workspace.path("/srv/ws/a.html")) == "a.html"
    assert str(workspace.scope("p/7").path("/srv/ws/p/7/a.html")) == "a.html"
    with pytest.raises(Refusal):
        workspace.path("/srv/other/a.html")


async def test_a_stored_name_is_found_by_its_only_look_alike() -> None:
    fs = _memory(
        {
            "Screen\u202fShot.txt": b"1",
            "it’s/cafe\u0301.html": b"2",
            "a\u00a0b": b"3",
            "a\u202fb": b"4",
        }
    )
    workspace = Workspace(fs, root="m")
    for raw, name in (
        ("Screen Shot.txt", "Screen\u202fShot.txt"), ("it's/café.html", "it’s/cafe\u0301.html"),
        ("a\u202fb", "a\u202fb"), ("a b", "a b"), ("new café.html", "new café.html"),
        ("it's/new/x.html", "it’s/new/x.html"),
    ):  # fmt: skip
        assert str(await workspace.locate(raw)) == name
    path = await workspace.locate("it's/café.html")
    assert path == WorkspacePath(("it’s", "cafe\u0301.html"))
    assert (await workspace.read(path)).data == b"2"
