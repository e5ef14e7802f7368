"""The promises, one function each; the docstring is the promise."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import anyio

from artifact_kit.errors import ToolError

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from artifact_kit.workspace import Workspace

_NAMES = (
    "a[1].html",
    "{a,b}.html",
    "100%.html",
    "c#.html",
    "my page.html",
    "日本.html",
    "-rf.html",
)


async def keeps_what_is_written(writer: Workspace, reader: Workspace) -> None:
    """What one instance writes, another reads, byte for byte."""
    for data in (b"<p>one</p>\r\n", bytes(range(256)) * 8, b"", b"shorter"):
        await writer.write(writer.path("d/a.html"), data)
        await _holds(reader, "d/a.html", data)


async def keeps_large_files(writer: Workspace, reader: Workspace) -> None:
    """Two megabytes come back whole, and a part of them is the part that was asked for."""
    data = hashlib.shake_128(b"large").digest(2_000_000)
    await writer.write(writer.path("large.bin"), data)
    await _holds(reader, "large.bin", data)
    part = await reader.read(reader.path("large.bin"), most=1000)
    _same(part.data, data[:1000], "the first 1000 bytes")
    _same(part.size, len(data), "the size told with a part")


async def tells_missing_from_empty(writer: Workspace, reader: Workspace) -> None:
    """A file that is not there is `not_found`, and its info is None; an empty one is there."""
    await writer.write(writer.path("empty.html"), b"")
    entry = await reader.info(reader.path("empty.html"))
    _same(entry.kind if entry else None, "file", "the kind of an empty file")
    _same(await reader.info(reader.path("nope.html")), None, "info of a missing file")
    await _fails(reader.read(reader.path("nope.html")), "not_found")
    await _fails(reader.read(reader.path("no/where.html")), "not_found")


async def lists_one_level(writer: Workspace, reader: Workspace) -> None:
    """A listing has the names of one folder, files with sizes, and nothing of its neighbours."""
    for name in ("site/b.html", "site/a.html", "site/css/x.css", "site-old/y.html", "site.html"):
        await writer.write(writer.path(name), b"12345")
    entries = await reader.list(reader.path("site"))
    told = [(entry.path.name, entry.kind, entry.size) for entry in entries]
    wanted = [("a.html", "file", 5), ("b.html", "file", 5), ("css", "folder", None)]
    _same(told, wanted, "the listing")


async def sees_changes_from_elsewhere(writer: Workspace, reader: Workspace) -> None:
    """What was added, changed or removed elsewhere is seen at once."""
    path = reader.path("d/late.html")
    await writer.write(writer.path("d/other.html"), b"x")
    _same(await reader.info(path), None, "info before the file was written")
    await reader.list(path.parent)
    await writer.write(path, b"first")
    await _holds(reader, "d/late.html", b"first")
    await writer.write(path, b"second, longer")
    await _holds(reader, "d/late.html", b"second, longer")
    await writer.delete(path)
    _same(await reader.info(path), None, "info after the file was removed")


async def takes_names_literally(writer: Workspace, reader: Workspace) -> None:
    """Names with brackets, braces, %, # and blanks are names, not patterns or escapes."""
    for name in (*_NAMES, "a1.html"):
        await writer.write(writer.path(name), name.encode())
    for name in _NAMES:
        await _holds(reader, name, name.encode())
    await writer.delete(writer.path("a[1].html"))
    await writer.move(writer.path("{a,b}.html"), writer.path("[ab].html"))
    await _holds(reader, "a1.html", b"a1.html")
    await _holds(reader, "[ab].html", b"{a,b}.html")
    _same(await reader.info(reader.path("a[1].html")), None, "the file that was deleted")


async def refuses_files_as_folders(writer: Workspace, reader: Workspace) -> None:
    """A file is never written under a file, nor over a folder."""
    await writer.write(writer.path("a.html"), b"A")
    await writer.write(writer.path("d/x.html"), b"X")
    await _fails(writer.write(writer.path("a.html/b/c.html"), b"no"), "not_folder")
    await _fails(writer.write(writer.path("d"), b"no"), "is_folder")
    await _holds(reader, "a.html", b"A")
    await _holds(reader, "d/x.html", b"X")


async def moves_byte_for_byte(writer: Workspace, reader: Workspace) -> None:
    """A moved file has its bytes, replaces a file at the target, and leaves nothing behind."""
    data = bytes(range(256))
    await writer.write(writer.path("i.png"), data)
    await writer.write(writer.path("img/i.png"), b"old")
    await writer.move(writer.path("i.png"), writer.path("img/i.png"))
    await _holds(reader, "img/i.png", data)
    _same(await reader.info(reader.path("i.png")), None, "the old place")
    await writer.move(writer.path("img/i.png"), writer.path("img/I.png"))
    await _holds(reader, "img/I.png", data)


async def moves_folders_whole(writer: Workspace, reader: Workspace) -> None:
    """A folder moves with all that is in it and without its neighbours; never into itself."""
    for name in ("d/1.html", "d/e/2.html", "d-old/3.html"):
        await writer.write(writer.path(name), name.encode())
    await _fails(writer.move(writer.path("d"), writer.path("d/sub")), "into_itself")
    await _fails(writer.move(writer.path("d"), writer.path("d-old")), "is_folder")
    await writer.move(writer.path("d"), writer.path("p/q"))
    await _holds(reader, "p/q/1.html", b"d/1.html")
    await _holds(reader, "p/q/e/2.html", b"d/e/2.html")
    await _holds(reader, "d-old/3.html", b"d-old/3.html")
    _same(await reader.info(reader.path("d/1.html")), None, "the old place")


async def deletes_only_what_is_named(writer: Workspace, reader: Workspace) -> None:
    """A folder that is not empty stays unless the call says so; neighbours stay in any case."""
    for name in ("site/i.html", "site/css/a.css", "site-old/i.html", "sitemap.xml"):
        await writer.write(writer.path(name), b"1")
    await _fails(writer.delete(writer.path("site")), "not_empty")
    await _holds(reader, "site/css/a.css", b"1")
    await writer.delete(writer.path("site"), recursive=True)
    _same(await reader.info(reader.path("site/css/a.css")), None, "a file of the folder")
    await _holds(reader, "site-old/i.html", b"1")
    await _holds(reader, "sitemap.xml", b"1")
    await _fails(writer.delete(writer.path("site")), "not_found")


async def notices_lost_updates(writer: Workspace, reader: Workspace) -> None:
    """A write that expects a version is not done when the file has changed since."""
    path = writer.path("a.html")
    first = await writer.write(path, b"one")
    seen = await reader.read(path)
    await writer.write(path, b"two", expect=seen.version)
    await _fails(reader.write(path, b"lost", expect=seen.version), "changed")
    await _fails(reader.write(path, b"lost", expect=first), "changed")
    await _holds(reader, "a.html", b"two")


async def shows_old_or_new_never_parts(writer: Workspace, reader: Workspace) -> None:
    """A reader during saves sees one whole version or another, and no temporary file."""
    path = writer.path("a.html")
    versions = (b"a" * 200_000, b"b" * 300_000)
    await writer.write(path, versions[0])
    done = anyio.Event()

    async def save() -> None:
        for round_ in range(10):
            await writer.write(path, versions[round_ % 2])
        done.set()

    async with anyio.create_task_group() as group:
        group.start_soon(save)
        while not done.is_set():
            data = (await reader.read(path)).data
            _same(data in versions, True, f"a whole version (got {len(data)} bytes)")
            names = [entry.path.name for entry in await reader.list(path.parent)]
            _same(names, ["a.html"], "the listing during saves")


async def _holds(workspace: Workspace, name: str, data: bytes) -> None:
    content = await workspace.read(workspace.path(name))
    _same(content.data, data, name)
    _same(content.size, len(data), f"the size of {name}")


async def _fails(call: Awaitable[object], code: str) -> None:
    try:
        await call
    except ToolError as error:
        _same(error.code, code, f"the kind of failure ({error.message})")
        return
    raise AssertionError(f"a success where {code} was due")


def _same(got: object, wanted: object, what: str) -> None:
    if got != wanted:
        raise AssertionError(f"{what}: got {repr(got)[:200]}, wanted {repr(wanted)[:200]}")


PROMISES = (
    keeps_what_is_written,
    keeps_large_files,
    tells_missing_from_empty,
    lists_one_level,
    sees_changes_from_elsewhere,
    takes_names_literally,
    refuses_files_as_folders,
    moves_byte_for_byte,
    moves_folders_whole,
    deletes_only_what_is_named,
    notices_lost_updates,
    shows_old_or_new_never_parts,
)
