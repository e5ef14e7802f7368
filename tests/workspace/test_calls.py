"""Calls beside each other: locks, cancellation, deadlines, and an event loop that stays free."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import sys
import threading
from typing import TYPE_CHECKING, Any

import anyio
import pytest
from fsspec.implementations.memory import MemoryFileSystem

from artifact_kit.errors import Aborted, Failure
from artifact_kit.workspace import Workspace
from tests.workspace.saving import edit_in_processes
from tests.workspace.storages import own_memory, s3, stored

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from artifact_kit.workspace import Version, WorkspacePath
    from tests.workspace.storages import Disk

pytestmark = pytest.mark.anyio


async def _add(workspace: Workspace, path: WorkspacePath) -> None:
    async with workspace.locked(path):
        content = await workspace.read(path)
        count = int(content.data) + 1
        await workspace.write(path, str(count).encode(), expect=content.version)


@pytest.mark.parametrize("kind", ["disk", "memory"])
async def test_workspaces_over_one_store_never_both_replace_the_same_version(
    kind: str, disk: Disk
) -> None:
    fs = own_memory()
    kits = [Workspace(fs, root="ws"), Workspace(fs).scope("ws"), Workspace(fs, root="ws")]
    if kind == "disk":
        kits = [disk.workspace() for _ in range(3)]
    path = kits[0].path("a.html")
    for round_ in range(20):
        version = await kits[0].write(path, f"round {round_}".encode())
        outcomes: list[str] = []

        async def save(kit: Workspace, version: Version, outcomes: list[str]) -> None:
            try:
                await kit.write(path, os.urandom(8), expect=version)
                outcomes.append("ok")
            except Failure as failure:
                outcomes.append(failure.code)

        async with anyio.create_task_group() as group:
            for kit in kits:
                group.start_soon(save, kit, version, outcomes)
        assert sorted(outcomes) == ["changed", "changed", "ok"]


@pytest.mark.parametrize("kind", ["disk", "memory", "two workspaces"])
async def test_eight_tasks_that_edit_one_file_lose_nothing(kind: str, disk: Disk) -> None:
    one = Workspace("memory://") if kind == "memory" else disk.workspace()
    other = disk.workspace() if kind == "two workspaces" else one
    path = one.path("d/count.txt")
    await one.write(path, b"0")
    with anyio.fail_after(20):
        async with anyio.create_task_group() as group:
            for turn in range(40):
                group.start_soon(_add, (one, other)[turn % 2], path)
    assert (await one.read(path)).data == b"40"


@pytest.mark.skipif(sys.platform == "win32", reason="locks of Unix")
def test_three_processes_that_edit_one_file_lose_nothing(disk: Disk) -> None:
    counts = edit_in_processes(disk.root, 3, 40)
    assert counts == {"p0": 40, "p1": 40, "p2": 40}
    assert sorted(disk.files()) == ["counts.json"]


async def test_on_s3_a_rivals_update_is_noticed_without_any_lock(
    s3_endpoint: str, s3_folder: str
) -> None:
    kits = [Workspace(s3(s3_endpoint), root=s3_folder) for _ in range(2)]
    path = kits[0].path("count.txt")
    await kits[0].write(path, b"0")

    async def add_until_it_counts(workspace: Workspace) -> None:
        for _ in range(4):
            with contextlib.suppress(Failure):
                await _add(workspace, path)

    async with anyio.create_task_group() as group:
        for kit in kits:
            group.start_soon(add_until_it_counts, kit)
    seen = int((await kits[0].read(path)).data)
    before = (await kits[0].read(path)).version
    await _add(kits[1], path)
    with pytest.raises(Failure) as failure:
        await kits[0].write(path, b"lost", expect=before)
    assert failure.value.code == "changed"
    assert int((await kits[0].read(path)).data) == seen + 1


async def test_a_folders_lock_covers_what_is_in_it_and_nothing_else() -> None:
    workspace = Workspace("memory://")
    at = workspace.path
    order: list[str] = []
    used = anyio.Event()

    async def use(raw: str) -> None:
        async with workspace.locked(at(raw)):
            order.append(raw)
            used.set()

    async with anyio.create_task_group() as group, workspace.locked(at("d")):
        for raw in ("d/x.html", "D/X.html", "d2/x.html"):
            group.start_soon(use, raw)
        await used.wait()
        await anyio.wait_all_tasks_blocked()
        assert order == ["d2/x.html"]
    assert order == ["d2/x.html", "d/x.html", "D/X.html"]


async def test_calls_that_name_the_same_paths_in_another_order_never_wait_for_each_other() -> None:
    workspace = Workspace("memory://")
    a, b = workspace.path("a"), workspace.path("b")
    done = 0

    async def swap(*paths: WorkspacePath) -> None:
        nonlocal done
        for _ in range(20):
            async with workspace.locked(*paths):
                await anyio.lowlevel.checkpoint()
                done += 1

    with anyio.fail_after(10):
        async with anyio.create_task_group() as group:
            group.start_soon(swap, a, b)
            group.start_soon(swap, b, a)
    assert done == 40


async def test_a_lock_ends_with_a_cancelled_waiter(disk: Disk) -> None:
    workspace = disk.workspace()
    path = workspace.path("a.html")
    async with workspace.locked(path):
        with anyio.move_on_after(0.05) as scope:
            async with workspace.locked(path):
                raise AssertionError("two holders of one lock")
        assert scope.cancelled_caught
    with anyio.fail_after(5):
        async with workspace.locked(path):
            await workspace.write(path, b"x")


class SlowStore(MemoryFileSystem):
    """Waits in the middle of an operation until it is told to go on."""

    protocol = "slow"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.entered = threading.Event()
        self.go = threading.Event()
        self.slow = ""

    def _pause(self, operation: str) -> None:
        if operation == self.slow:
            self.entered.set()
            self.go.wait(10)

    def pipe_file(self, path: str, value: bytes, mode: str = "overwrite", **kwargs: Any) -> None:
        self._pause("stage" if ".~ak-" in path else "pipe")
        super().pipe_file(path, value, mode, **kwargs)

    def cp_file(self, path1: str, path2: str, **kwargs: Any) -> None:
        self._pause("copy")
        super().cp_file(path1, path2, **kwargs)

    def cat_file(self, path: str, *args: Any, **kwargs: Any) -> bytes:
        self._pause("read")
        data: bytes = super().cat_file(path, *args, **kwargs)
        return data


@pytest.fixture
async def slow() -> AsyncIterator[SlowStore]:
    fs = own_memory(SlowStore)
    assert isinstance(fs, SlowStore)
    fs.pipe_file("ws/a.html", b"OLD")
    yield fs
    fs.go.set()


async def _until(event: threading.Event) -> None:
    assert await anyio.to_thread.run_sync(event.wait, 5)


async def test_a_save_cancelled_before_its_commit_never_lands(slow: SlowStore) -> None:
    workspace = Workspace(slow, root="ws")
    slow.slow = "stage"
    task = asyncio.ensure_future(workspace.write(workspace.path("a.html"), b"NEW"))
    await _until(slow.entered)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    slow.go.set()
    slow.slow = ""
    await workspace.read(workspace.path("a.html"))
    while len(stored(slow, "ws")) > 1:
        await anyio.lowlevel.checkpoint()
    assert stored(slow, "ws") == {"a.html": b"OLD"}


async def test_a_save_cancelled_during_its_commit_says_what_became_of_it(slow: SlowStore) -> None:
    workspace = Workspace(slow, root="ws")
    slow.slow = "copy"
    task = asyncio.ensure_future(workspace.write(workspace.path("a.html"), b"NEW"))
    await _until(slow.entered)
    task.cancel()
    await anyio.wait_all_tasks_blocked()
    slow.go.set()
    with pytest.raises(Aborted, match="already done"):
        await task
    assert stored(slow, "ws") == {"a.html": b"NEW"}


async def test_a_move_cancelled_half_way_takes_its_copies_back(slow: SlowStore) -> None:
    source = own_memory()
    for name in ("m/d/1.html", "m/d/2.html"):
        source.pipe_file(name, name.encode())
    mounts = {"": (slow, {"root": "ws"}), "from": (source, {"root": "m"})}
    workspace = Workspace.mounted(mounts)
    slow.slow = "copy"
    task = asyncio.ensure_future(workspace.move(workspace.path("from/d"), workspace.path("d")))
    await _until(slow.entered)
    task.cancel()
    await anyio.wait_all_tasks_blocked()
    slow.go.set()
    with pytest.raises(Aborted, match="was not changed"):
        await task
    assert stored(slow, "ws") == {"a.html": b"OLD"}
    assert stored(source, "m") == {"d/1.html": b"m/d/1.html", "d/2.html": b"m/d/2.html"}


async def test_a_save_that_hangs_in_its_commit_says_that_it_may_land(slow: SlowStore) -> None:
    workspace = Workspace(slow, root="ws", deadline_s=0.2)
    slow.slow = "copy"
    with pytest.raises(Failure, match=r"didn't answer within 0.2 s; look at a\.html"):
        await workspace.write(workspace.path("a.html"), b"NEW")


async def test_a_hung_read_ends_at_the_deadline_and_others_go_on(slow: SlowStore) -> None:
    workspace = Workspace(slow, root="ws", deadline_s=0.2)
    slow.slow = "read"
    with anyio.fail_after(5):
        for _ in range(3):
            with pytest.raises(Failure, match=r"didn't answer within 0\.2 s"):
                await workspace.read(workspace.path("a.html"))
        assert await workspace.info(workspace.path("a.html")) is not None


async def test_a_server_that_says_nothing_ends_at_the_deadline() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        client = s3(f"http://127.0.0.1:{silent.getsockname()[1]}")
        workspace = Workspace(client, root="bucket", deadline_s=0.3)
        with anyio.fail_after(5), pytest.raises(Failure, match="didn't answer"):
            await workspace.write(workspace.path("a.html"), b"x")


@pytest.mark.parametrize("kind", ["disk", "slow", "s3"])
async def test_the_event_loop_runs_on_during_storage_calls(
    kind: str, disk: Disk, slow: SlowStore, s3_endpoint: str, s3_folder: str
) -> None:
    workspace = {
        "disk": disk.workspace(),
        "slow": Workspace(slow, root="ws"),
        "s3": Workspace(s3(s3_endpoint), root=s3_folder),
    }[kind]
    slow.slow = "read"
    ticks = 0

    async def work() -> None:
        path = workspace.path("a.html")
        await workspace.write(path, b"x" * 2_000_000)
        await workspace.read(path)
        await workspace.list(path.parent)

    task = asyncio.ensure_future(work())
    while not task.done():
        await asyncio.sleep(0)
        ticks += 1
        if slow.entered.is_set() and ticks > 100:
            slow.go.set()
    await task
    assert ticks > 20
