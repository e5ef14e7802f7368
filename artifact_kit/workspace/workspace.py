"""The workspace: canonical paths in, bytes and plain words out, whatever the storage is."""

from __future__ import annotations

import contextlib
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import anyio

from artifact_kit.errors import Refusal, ToolError
from artifact_kit.limits import Limits
from artifact_kit.workspace.faults import answer, state_of
from artifact_kit.workspace.locks import PathLocks, pauses
from artifact_kit.workspace.mounts import Mount, MountTable
from artifact_kit.workspace.moves import Place, relocate
from artifact_kit.workspace.opening import opened
from artifact_kit.workspace.paths import WorkspacePath, canonical
from artifact_kit.workspace.quotas import Ledger
from artifact_kit.workspace.storage import Gate, Parts, Problem, Stat
from artifact_kit.workspace.values import Content, Entry, Quota, Version

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping, Sequence

    from fsspec import AbstractFileSystem

    Source: TypeAlias = str | AbstractFileSystem

T = TypeVar("T")


class Workspace:
    """A tree of files that models work in, over any fsspec storage.

    `storage` is an fsspec URL, a local folder's path, or a filesystem object that the host made;
    `root` is a folder in it, `host_root` the absolute path by which a model may know that
    folder (a local root is its own).

    Raises:
        ValueError: The storage can't be used, with the way to make one that can.
    """

    def __init__(
        self,
        storage: str | AbstractFileSystem,
        *,
        root: str = "",
        host_root: str | None = None,
        read_only: bool = False,
        quota: Quota | None = None,
        deadline_s: float | None = None,
    ) -> None:
        base = opened(storage, root, read_only=read_only)
        self._ledgers: tuple[tuple[Workspace, Ledger], ...] = ()
        self._mounts = MountTable([Mount((), base, read_only or base.read_only)])
        self._host_roots = (*base.host_roots, *([host_root] if host_root else []))
        self._locks = PathLocks()
        self._place: Parts = ()
        self._deadline_s = deadline_s or Limits().storage_s
        self._add_quota(quota)

    @classmethod
    def mounted(
        cls,
        mounts: Mapping[str, Source | tuple[Source, Mapping[str, Any]]],
        **options: Any,
    ) -> Workspace:
        """A workspace of several storages: `{"": base, "data": (storage, {"read_only": True})}`.

        A mount hides what the base has at its place; without a base the root is an empty,
        private memory. Options of a mount are `root` and `read_only`.
        """
        places = {
            canonical(at, trailing_slash=True).parts if at else (): source
            for at, source in mounts.items()
        }
        source, own = _with_options(places.pop((), "memory://"))
        workspace = cls(source, **{**own, **options})
        for at, entry in places.items():
            source, own = _with_options(entry)
            wished = bool(own.get("read_only"))
            storage = opened(source, str(own.get("root", "")), read_only=wished)
            mount = Mount(at, storage, wished or storage.read_only)
            workspace._mounts = MountTable([*workspace._mounts.mounts, mount])
        return workspace

    def scope(self, path: str, *, quota: Quota | None = None) -> Workspace:
        """A workspace rooted in a folder of this one, for one tenant; links can't leave it.

        `quota` is the tenant's own; those of the whole workspace count as well.
        """
        parts = self.path(path, trailing_slash=True).parts
        inner = object.__new__(Workspace)
        inner._mounts = self._mounts.below(parts)
        inner._host_roots = tuple("/".join((root, *parts)) for root in self._host_roots)
        inner._locks = self._locks
        inner._place = (*self._place, *parts)
        inner._deadline_s = self._deadline_s
        inner._ledgers = self._ledgers
        inner._add_quota(quota)
        return inner

    def path(
        self, raw: str, *, most_chars: int = 200, trailing_slash: bool = False
    ) -> WorkspacePath:
        """What a model's path means, by its letters alone. Does no I/O.

        Raises:
            Refusal: `bad_path` or `outside`; the message says the form to use.
        """
        return canonical(
            raw,
            most_chars=most_chars,
            host_roots=self._host_roots,
            trailing_slash=trailing_slash,
        )

    async def locate(
        self, raw: str, *, most_chars: int = 200, trailing_slash: bool = False
    ) -> WorkspacePath:
        """`path`, then the name as it is stored: exact, else the only one that looks alike.

        Raises:
            Refusal: `bad_path` or `outside`.
            Failure: The storage can't be looked at.
        """
        path = canonical(
            raw,
            most_chars=most_chars,
            host_roots=self._host_roots,
            folders=await self._real_folder(raw),
            trailing_slash=trailing_slash,
        )
        parts = await self._run(path, lambda _: self._mounts.stored_spelling(path.parts))
        return WorkspacePath(parts, path.as_folder)

    async def info(self, path: WorkspacePath) -> Entry | None:
        """What stands at a path; None when certainly nothing does.

        Raises:
            Refusal: The way there leads out of the workspace.
            Failure: It can't be looked at.
        """
        stat = await self._run(path, lambda _: self._mounts.stat(path.parts))
        return _entry(path, stat) if stat else None

    async def read(self, path: WorkspacePath, *, most: int | None = None) -> Content:
        """The bytes of a file, cut to `most`.

        Raises:
            Refusal: It leads out of the workspace.
            Failure: `not_found`, `is_folder`, `not_folder`, `not_file`, `denied`, `unavailable` …
        """
        return await self.inspect(path, lambda content: content, most=most)

    async def inspect(
        self,
        path: WorkspacePath,
        look: Callable[[Content], T],
        *,
        most: int | None = None,
        known: Content | None = None,
    ) -> T:
        """What `look` makes of a file's content, in the worker that reads it.

        A content that is equal to `known`, byte by byte, is given to `look` as that very object,
        with everything that was ever found out about it.

        Raises:
            ToolError: What `look` raises.
            Refusal, Failure: As `read` does.
        """

        def work(_: Gate) -> T:
            mount, inside = self._mounts.find(path.parts)
            if self._mounts.names_under(path.parts):
                raise Problem("is_folder")
            content = mount.storage.read(inside, most)
            return look(known if known is not None and content == known else content)

        return await self._run(path, work)

    async def write(
        self, path: WorkspacePath, data: bytes, *, expect: Version | None = None
    ) -> Version:
        """Save a file in one step, with its parents; the old bytes stay until the new are safe.

        Raises:
            Refusal: Read-only, or it leads out of the workspace.
            Failure: `changed` when `expect` no longer holds; else what the storage met.
            Aborted: Cancelled after the change had begun.
        """
        self._mounts.check_writable(path)
        if self._mounts.names_under(path.parts) or not path.parts:
            raise answer(Problem("is_folder"), str(path))
        mount, inside = self._mounts.find(path.parts)

        def work(gate: Gate) -> Version:
            self._admit(path.parts, len(data))
            return mount.storage.write(inside, data, expect, gate)

        return await self._run(path, work, writes=True)

    async def rewrite(
        self, path: WorkspacePath, change: Callable[[Content], bytes], *, most: int | None = None
    ) -> Version:
        """Save what `change` makes of a file's content, with others kept away meanwhile.

        All of it happens in one worker, `change` too: it may compute for long, and may raise.

        Raises:
            ToolError: What `change` raises; nothing was changed then.
            Refusal: Read-only, or it leads out of the workspace.
            Failure: As `read` and `write` do.
            Aborted: Cancelled after the change had begun.
        """
        self._mounts.check_writable(path)
        if self._mounts.names_under(path.parts) or not path.parts:
            raise answer(Problem("is_folder"), str(path))
        mount, inside = self._mounts.find(path.parts)

        def admitted(before: Content) -> bytes:
            data = change(before)
            self._admit(path.parts, len(data))
            return data

        def work(gate: Gate) -> Version | None:
            return mount.storage.rewrite(inside, most, admitted, gate)

        async with self._locks.hold([(*self._place, *path.parts)]):
            for pause in pauses(self._deadline_s):
                if version := await self._run(path, work, writes=True):
                    return version
                await anyio.sleep(pause)
        raise answer(Problem("busy"), str(path))

    async def list(self, path: WorkspacePath) -> list[Entry]:
        """The entries of one folder, sorted by name.

        Raises:
            Refusal: It leads out of the workspace.
            Failure: `not_found`, `not_folder`, …
        """
        stats = await self._run(path, lambda _: self._mounts.names(path.parts))
        return [_entry(path / name, stat) for name, stat in sorted(stats.items())]

    async def move(self, source: WorkspacePath, target: WorkspacePath) -> None:
        """Move a file or a folder, across mounts too; an existing file at the target is replaced.

        Raises:
            Refusal: The root, a mount point, the same path, into itself, or read-only.
            Failure: What stands in the way, or what the storage met.
            Aborted: Cancelled after the change had begun.
        """
        self._mounts.check_movable(source)
        self._mounts.check_writable(target)
        if source.parts == target.parts:
            raise Refusal(f"{source} is already there; nothing was moved", code="same_path")
        if source.holds(target):
            raise Refusal(f"{source} can't be moved into itself", code="into_itself")
        if not target.parts:
            raise answer(Problem("is_folder"), str(target))

        def work(gate: Gate) -> None:
            self._mounts.check_slash(source)
            self._mounts.check_target(source.parts, target.parts)
            self._recount(target.parts)
            (one, parts), (other, into) = (self._mounts.find(p.parts) for p in (source, target))
            relocate(Place(one.storage, parts), Place(other.storage, into), gate)

        await self._run(source, work, target=target, writes=True)

    async def delete(self, path: WorkspacePath, *, recursive: bool = False) -> None:
        """Remove a file, a link (never what it points to), or a folder.

        Raises:
            Refusal: The root, a mount point, or read-only.
            Failure: `not_found`, `not_empty`, or what the storage met.
            Aborted: Cancelled after the change had begun.
        """
        self._mounts.check_movable(path)
        mount, inside = self._mounts.find(path.parts)

        def work(gate: Gate) -> None:
            self._mounts.check_slash(path)
            self._recount(())
            mount.storage.delete(inside, recursive, gate)

        await self._run(path, work, writes=True)

    @asynccontextmanager
    async def locked(self, *paths: WorkspacePath) -> AsyncIterator[None]:
        """Keep others away from these paths, and from what is in them, to the end of the block.

        Name all paths in one call; a second call inside the block may wait for the first.
        """
        async with self._locks.hold([(*self._place, *path.parts) for path in paths]):
            release = await self._hold_elsewhere(paths)
            try:
                yield
            finally:
                release()

    async def _hold_elsewhere(self, paths: Sequence[WorkspacePath]) -> Callable[[], None]:
        """Keep other processes away too, where the storage has locks between them."""
        for pause in pauses(self._deadline_s):
            with anyio.CancelScope(shield=True):
                release = await self._run(paths[0], lambda gate: self._hold_once(paths, gate))
            if release is not None:
                return release
            await anyio.sleep(pause)
        raise answer(Problem("busy"), str(paths[0]))

    def _hold_once(self, paths: Sequence[WorkspacePath], gate: Gate) -> Callable[[], None] | None:
        with contextlib.ExitStack() as stack:
            for mount in self._mounts.mounts:
                here = [
                    path.parts[len(mount.at) :]
                    for path in paths
                    if self._mounts.find(path.parts)[0] is mount
                ]
                release = mount.storage.hold(here) if here else _nothing
                if release is None:
                    return None
                stack.callback(release)
            gate.beat()
            return stack.pop_all().close

    async def _run(
        self,
        path: WorkspacePath,
        work: Callable[[Gate], T],
        *,
        target: WorkspacePath | None = None,
        writes: bool = False,
    ) -> T:
        mount, _ = self._mounts.find(path.parts)
        gate = Gate()
        try:
            return await mount.workers.run(work, gate, self._deadline_s, str(path))
        except ToolError:
            raise
        except Exception as error:
            state = state_of(error, gate, str(path)) if writes else ""
            way = self._in_the_way(error, target or path)
            raise answer(error, str(path), state=state, in_the_way=way) from error

    def _in_the_way(self, error: Exception, path: WorkspacePath) -> str:
        if not isinstance(error, Problem) or error.parts is None:
            return ""
        return str(WorkspacePath((*self._mounts.find(path.parts)[0].at, *error.parts)))

    def _add_quota(self, quota: Quota | None) -> None:
        if quota is not None:
            self._ledgers = (*self._ledgers, (self, Ledger(quota, lambda: self._mounts.sizes())))

    def _admit(self, parts: Parts, new: int) -> None:
        if not self._ledgers:
            return
        stat = self._mounts.stat(parts)
        for owner, ledger in self._ledgers:
            tail = (*self._place[len(owner._place) :], *parts)
            ledger.admit(tail, new, stat.size if stat else None)

    def _recount(self, target: Parts) -> None:
        for owner, ledger in self._ledgers:
            ledger.check_depth((*self._place[len(owner._place) :], *target))
            ledger.recount()

    async def _real_folder(self, raw: object) -> frozenset[str]:
        """The first name of an absolute path, when the workspace really has such a folder."""
        first = str(raw).strip(" \t\r\n\"'`").removeprefix("file://").replace("\\", "/")
        top = first.lstrip("/").partition("/")[0]
        if not first.startswith("/") or not top:
            return frozenset()
        try:
            path = canonical(top)
        except Refusal:
            return frozenset()
        entry = await self.info(path)
        return frozenset([top]) if entry and entry.kind == "folder" else frozenset()


def _nothing() -> None:
    """Let go of nothing."""


def _with_options(
    entry: Source | tuple[Source, Mapping[str, Any]],
) -> tuple[Source, Mapping[str, Any]]:
    return entry if isinstance(entry, tuple) else (entry, {})


def _entry(path: WorkspacePath, stat: Stat) -> Entry:
    return Entry(path, stat.kind, stat.size, stat.version, stat.is_link)
