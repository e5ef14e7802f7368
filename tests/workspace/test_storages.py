"""The promises, on every storage that must really work."""

from __future__ import annotations

import tarfile
import threading
import zipfile
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import fsspec
import pytest
from fsspec.implementations.asyn_wrapper import AsyncFileSystemWrapper
from fsspec.implementations.dirfs import DirFileSystem
from fsspec.implementations.local import LocalFileSystem
from fsspec.implementations.memory import MemoryFileSystem

from artifact_kit.errors import Refusal, ToolError
from artifact_kit.testing import CHECKS, conformance
from artifact_kit.workspace import Workspace, beneath, local
from tests.workspace.storages import DictStore, LyingStore, names_in, own_memory, s3

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from artifact_kit.testing import Check

pytestmark = pytest.mark.anyio


class CountingLocal(LocalFileSystem):
    """A host's own variant of the local filesystem."""

    puts = 0

    def pipe_file(self, path: str, value: bytes, mode: str = "overwrite", **kwargs: Any) -> None:
        type(self).puts += 1
        super().pipe_file(path, value, mode, **kwargs)


def _of_memory(tmp_path: Path) -> Callable[[], Workspace]:
    return partial(Workspace, own_memory(), root="deep/ws")


def _of_host(tmp_path: Path) -> Callable[[], Workspace]:
    return partial(Workspace, own_memory(DictStore), root="ws")


def _of_disk(tmp_path: Path) -> Callable[[], Workspace]:
    return partial(Workspace, f"file://{tmp_path}/ws")


def _of_host_disk(tmp_path: Path) -> Callable[[], Workspace]:
    return partial(Workspace, CountingLocal(), root=str(tmp_path))


def _of_folder(tmp_path: Path) -> Callable[[], Workspace]:
    inner = DirFileSystem(path=str(tmp_path), fs=fsspec.filesystem("file"))
    return lambda: Workspace(DirFileSystem(path="ws", fs=inner), root="inner")


def _of_cache(tmp_path: Path) -> Callable[[], Workspace]:
    fs = fsspec.filesystem(
        "simplecache",
        fs=own_memory(),
        cache_storage=str(tmp_path / "cache"),
        skip_instance_cache=True,
    )
    return partial(Workspace, fs, root="ws")


def _of_async(tmp_path: Path) -> Callable[[], Workspace]:
    return lambda: Workspace(
        AsyncFileSystemWrapper(fsspec.filesystem("file"), asynchronous=False), root=str(tmp_path)
    )


SPOTS = {
    "memory": _of_memory,
    "host": _of_host,
    "disk": _of_disk,
    "host-disk": _of_host_disk,
    "dir": _of_folder,
    "cached": _of_cache,
    "async": _of_async,
}


@pytest.mark.parametrize("check", CHECKS, ids=str)
@pytest.mark.parametrize("spot", SPOTS)
async def test_a_promise_holds(spot: str, check: Check, tmp_path: Path) -> None:
    report = await conformance(SPOTS[spot](tmp_path), checks=(check,))
    assert report.ok, str(report)


async def test_the_promises_hold_on_disk_without_openat2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(beneath, "supported", lambda: False)
    report = await conformance(SPOTS["disk"](tmp_path))
    assert report.ok, str(report)


async def test_the_promises_hold_on_a_disk_without_descriptors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local, "supported", lambda: False)
    report = await conformance(SPOTS["disk"](tmp_path))
    assert report.ok, str(report)
    (tmp_path / "secret.txt").write_text("SECRET")
    (tmp_path / "ws" / "out").symlink_to(tmp_path)
    workspace = SPOTS["disk"](tmp_path)()
    assert str(workspace.path(f"{tmp_path}/ws/a.html")) == "a.html"
    for each in (workspace, workspace.scope("out")):
        with pytest.raises(Refusal, match="leads out"):
            await each.list(each.path("out" if each is workspace else "."))
    await workspace.delete(workspace.path("out"))
    assert (tmp_path / "secret.txt").read_text() == "SECRET"


@pytest.mark.parametrize("check", CHECKS, ids=str)
async def test_a_promise_holds_on_s3_with_listing_caches_on(
    check: Check, s3_endpoint: str, s3_folder: str
) -> None:
    clients = [s3(s3_endpoint, use_listings_cache=True) for _ in range(2)]
    turn = iter(clients * 8)
    report = await conformance(lambda: Workspace(next(turn), root=s3_folder), checks=(check,))
    assert report.ok, str(report)


async def test_a_host_that_knows_the_file_only_through_its_cache_sees_it_after_all(
    s3_endpoint: str, s3_folder: str
) -> None:
    host, other = s3(s3_endpoint), s3(s3_endpoint)
    other.pipe_file(f"{s3_folder}/a.html", b"old")
    assert host.ls(s3_folder)
    workspace = Workspace(host, root=s3_folder)
    other.pipe_file(f"{s3_folder}/late.html", b"late")
    other.pipe_file(f"{s3_folder}/a.html", b"new and longer")
    assert (await workspace.read(workspace.path("late.html"))).data == b"late"
    assert (await workspace.read(workspace.path("a.html"))).data == b"new and longer"
    other.rm_file(f"{s3_folder}/a.html")
    assert await workspace.info(workspace.path("a.html")) is None


async def test_a_put_on_s3_is_conditional_at_the_server(s3_endpoint: str, s3_folder: str) -> None:
    client = s3(s3_endpoint)
    workspace = Workspace(client, root=s3_folder)
    path = workspace.path("a.html")
    version = await workspace.write(path, b"one")
    rival = s3(s3_endpoint)
    rival.pipe_file(f"{s3_folder}/a.html", b"rival")
    client.invalidate_cache = lambda *_: None
    with pytest.raises(ToolError, match="changed meanwhile"):
        await workspace.write(path, b"two", expect=version)
    assert rival.cat_file(f"{s3_folder}/a.html") == b"rival"


async def test_a_storage_that_lies_is_found_out() -> None:
    report = await conformance(partial(Workspace, own_memory(LyingStore), root="ws"))
    assert not report.ok
    assert "keeps what is written" in {finding.check for finding in report.findings}
    assert "did not keep" in str(report)


class ForgetfulStore(MemoryFileSystem):
    """Remembers what was saved in the instance only."""

    protocol = "forgetful"


async def test_a_storage_that_only_remembers_is_found_out() -> None:
    report = await conformance(lambda: Workspace(own_memory(ForgetfulStore), root="ws"))
    assert "keeps what is written" in {finding.check for finding in report.findings}


class GlobbingStore(MemoryFileSystem):
    """Takes the name of a file to delete for a pattern."""

    protocol = "globbing"

    def rm_file(self, path: str) -> None:
        for name in self.glob(path):
            super().rm_file(name)


async def test_a_storage_that_expands_patterns_is_found_out() -> None:
    report = await conformance(partial(Workspace, own_memory(GlobbingStore), root="ws"))
    assert [finding.check for finding in report.findings] == ["takes names literally"]


@contextmanager
def _served(folder: Path) -> Iterator[str]:
    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: Any) -> None:
            return

    handler = partial(Quiet, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()


FILES = {"start.html": b"<p>hi</p>", "css/my style.css": b"a{}", "c#.txt": b"sharp", "e.txt": b""}


@contextmanager
def _read_only(kind: str, tmp_path: Path) -> Iterator[str]:
    folder = tmp_path / "site"
    for name, data in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    if kind == "http":
        with _served(folder) as url:
            yield url
    elif kind == "zip":
        with zipfile.ZipFile(tmp_path / "site.zip", "w") as archive:
            for name in FILES:
                archive.write(folder / name, name)
        yield f"zip://{tmp_path}/site.zip"
    else:
        with tarfile.open(tmp_path / "site.tar", "w") as tar:
            for name in FILES:
                tar.add(folder / name, name)
        yield f"tar://::file://{tmp_path}/site.tar"


@pytest.mark.parametrize("kind", ["zip", "tar", "http"])
async def test_archives_and_web_servers_are_read_and_never_written(
    kind: str, tmp_path: Path
) -> None:
    with _read_only(kind, tmp_path) as url:
        workspace = Workspace(url)
        at = workspace.path
        for name, data in FILES.items():
            assert (await workspace.read(at(name))).data == data
        assert (await workspace.read(at("start.html"), most=3)).data == b"<p>"
        names = [entry.path.name for entry in await workspace.list(at("."))]
        assert set(names) >= {"start.html", "css"}
        assert await workspace.info(at("nope.html")) is None
        assert await workspace.info(at("start.html/inner.html")) is None
        for call in (
            workspace.write(at("start.html"), b"x"),
            workspace.delete(at("start.html")),
            workspace.move(at("start.html"), at("b.html")),
        ):
            with pytest.raises(Refusal, match="read-only"):
                await call
        assert (await workspace.read(at("start.html"))).data == FILES["start.html"]


async def test_a_link_in_a_tar_does_not_lead_out(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("SECRET")
    with tarfile.open(tmp_path / "t.tar", "w") as tar:
        link = tarfile.TarInfo("l.txt")
        link.type, link.linkname = tarfile.SYMTYPE, str(tmp_path / "secret.txt")
        tar.addfile(link)
    workspace = Workspace(f"tar://::file://{tmp_path}/t.tar")
    with pytest.raises(ToolError) as error:
        await workspace.read(workspace.path("l.txt"))
    assert "SECRET" not in error.value.message


def test_a_read_only_folder_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="is not a folder"):
        Workspace(str(tmp_path / "nope"), read_only=True)
    (tmp_path / "file").write_text("x")
    with pytest.raises(ValueError, match="is not a folder"):
        Workspace(str(tmp_path / "file"))
    assert names_in(tmp_path) == ["file"]


def test_an_asynchronous_filesystem_is_refused_with_the_way_out() -> None:
    with pytest.raises(ValueError, match="make it without"):
        Workspace(s3("http://127.0.0.1:1", asynchronous=True), root="bucket")


async def test_a_memory_url_is_a_store_of_its_own() -> None:
    one, other = Workspace("memory://"), Workspace("memory://")
    await one.write(one.path("a.html"), b"mine")
    assert await other.info(other.path("a.html")) is None


async def test_a_hosts_variant_of_the_disk_is_used_and_links_still_stay_in(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("SECRET")
    root = tmp_path / "ws"
    root.mkdir()
    (root / "out").symlink_to(tmp_path)
    before = CountingLocal.puts
    workspace = Workspace(CountingLocal(), root=str(root))
    await workspace.write(workspace.path("a.html"), b"x")
    assert CountingLocal.puts > before
    for call in (
        workspace.read(workspace.path("out/secret.txt")),
        workspace.write(workspace.path("out/new.txt"), b"x"),
        workspace.list(workspace.path("out")),
    ):
        with pytest.raises(Refusal, match="leads out"):
            await call
    assert names_in(tmp_path) == ["secret.txt", "ws"]


async def test_folders_that_a_console_made_on_s3_are_folders(
    s3_endpoint: str, s3_folder: str
) -> None:
    client = s3(s3_endpoint)
    bucket, _, prefix = s3_folder.partition("/")
    for name in ("empty/", "d/", "d/e/"):
        client.call_s3("put_object", Bucket=bucket, Key=f"{prefix}/{name}", Body=b"")
    workspace = Workspace(client, root=s3_folder)
    at = workspace.path
    await workspace.write(at("d/x.html"), b"X")
    assert [(e.path.name, e.kind) for e in await workspace.list(at("d"))] == [
        ("e", "folder"),
        ("x.html", "file"),
    ]
    await workspace.delete(at("empty"))
    await workspace.move(at("d"), at("moved"))
    await workspace.delete(at("moved"), recursive=True)
    left = client.call_s3("list_objects_v2", Bucket=bucket, Prefix=prefix)
    assert left["KeyCount"] == 0
