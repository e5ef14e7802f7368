"""A shared table of path cases, through the file tools, where that table is at hand."""

from __future__ import annotations

import base64
import functools
import json
import os
import stat
import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
import pytest
from fsspec.implementations.memory import MemoryFileSystem

from artifact_kit.file_tools import file_tools
from artifact_kit.limits import Limits
from artifact_kit.workspace import Workspace
from tests.workspace.storages import (
    ROOT,
    FullStore,
    OddStore,
    own_memory,
    stored,
    tree,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from fsspec import AbstractFileSystem

    from artifact_kit.contract import Tool

TABLE = Path(__file__).parents[2].parent / "shared" / "cases" / "paths.json"
CASES = json.loads(TABLE.read_text(encoding="utf-8")) if TABLE.exists() else []
RUNS = [(case, kind) for case in CASES for kind in case["filesystems"]]

pytestmark = pytest.mark.skipif(not CASES, reason="the shared table is not here")


@dataclass
class Stage:
    """A workspace set up for a case, and how to look at its files from behind."""

    workspace: Workspace
    source: Any
    files: Callable[[], dict[str, bytes]]
    outside: Callable[[], dict[str, bytes]] = dict
    write: Callable[[str, bytes], None] = lambda name, data: None
    root: Path | None = None
    mounted: dict[str, Any] = field(default_factory=dict)
    mounts: dict[str, Callable[[], dict[str, bytes]]] = field(default_factory=dict)


@pytest.mark.anyio
@pytest.mark.parametrize(("case", "kind"), RUNS, ids=[f"{c['id']}-{k}" for c, k in RUNS])
async def test_a_case_of_the_table_holds(
    case: dict[str, Any], kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    stage = await anyio.to_thread.run_sync(functools.partial(_set, case, kind, tmp_path, request))
    before = stage.files(), stage.outside(), {n: look() for n, look in stage.mounts.items()}
    tools = {tool.name: tool for tool in file_tools(stage.workspace, Limits())}
    await _run(tools, stage, case)
    assert stage.outside() == before[1]
    _check_state(case["expected_state"], stage, before[0], before[2])


def _set(case: dict[str, Any], kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> Stage:
    setup = case["setup"]
    files = {name: _bytes(value) for name, value in setup.get("files", {}).items()}
    outside = {name: _bytes(value) for name, value in setup.get("outside", {}).items()}
    if kind == "local":
        stage = _on_disk(setup, files, outside, tmp_path)
    elif kind == "zip":
        stage = _in_archive(files, tmp_path)
    else:
        fs, base = _store(setup, kind, request)
        stage = _in_store(fs, base, files, outside, setup.get("dirs", []))
    for name, mount in setup.get("mounts", {}).items():
        _mount(stage, name, mount)
    if setup.get("mounts"):
        stage.workspace = Workspace.mounted({"": stage.source, **stage.mounted})
    return stage


def _on_disk(
    setup: dict[str, Any], files: dict[str, bytes], outside: dict[str, bytes], tmp_path: Path
) -> Stage:
    root = tmp_path / ROOT
    root.mkdir()
    for base, entries in ((root, files), (tmp_path, outside)):
        for name, data in entries.items():
            _put(base / name, data)
    for name in setup.get("dirs", []):
        (root / name).mkdir(parents=True)
    for name, target in setup.get("symlinks", {}).items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        os.symlink(target.replace("$ROOT", str(root)), root / name)
    for name in setup.get("fifo", []):
        os.mkfifo(root / name)
    for name, mode in setup.get("modes", {}).items():
        (root / name).chmod(int(mode, 8))

    def neighbours() -> dict[str, bytes]:
        mounts = tuple(f"mount-{name}" for name in setup.get("mounts", {}))
        found = tree(tmp_path)
        return {n: d for n, d in found.items() if not n.startswith((f"{ROOT}/", *mounts))}

    return Stage(
        Workspace(str(root)),
        str(root),
        lambda: tree(root),
        neighbours,
        lambda name, data: _put(root / name, data),
        root,
    )


def _store(
    setup: dict[str, Any], kind: str, request: pytest.FixtureRequest
) -> tuple[AbstractFileSystem, str]:
    if kind == "s3":
        return request.getfixturevalue("s3_client"), request.getfixturevalue("s3_folder") + "/"
    if kind == "fault":
        return own_memory({"enospc": FullStore, "weird": OddStore}[setup["fault"]["kind"]]), ""
    return own_memory(), ""


def _in_store(
    fs: AbstractFileSystem,
    base: str,
    files: dict[str, bytes],
    outside: dict[str, bytes],
    folders: list[str],
) -> Stage:
    root = f"{base}{ROOT}"

    def put(key: str, data: bytes) -> None:
        whole = (
            MemoryFileSystem.pipe_file if isinstance(fs, MemoryFileSystem) else type(fs).pipe_file
        )
        whole(fs, key, data)

    for name, data in files.items():
        put(f"{root}/{name}", data)
    for name, data in outside.items():
        put(f"{base}{name}", data)
    for name in folders:
        fs.makedirs(f"{root}/{name}")

    def neighbours() -> dict[str, bytes]:
        everything = stored(fs, base.rstrip("/"))
        return {n: d for n, d in everything.items() if not n.startswith(f"{ROOT}/")}

    return Stage(
        Workspace(fs, root=root),
        (fs, {"root": root}),
        lambda: stored(fs, root),
        neighbours,
        lambda name, data: put(f"{root}/{name}", data),
    )


def _in_archive(files: dict[str, bytes], tmp_path: Path) -> Stage:
    archive = tmp_path / "site.zip"
    with zipfile.ZipFile(archive, "w") as out:
        for name, data in files.items():
            out.writestr(name, data)
    whole = archive.read_bytes()

    def unchanged() -> dict[str, bytes]:
        assert archive.read_bytes() == whole
        return files

    url = f"zip://::file://{archive}"
    return Stage(Workspace(url), url, unchanged)


def _mount(stage: Stage, name: str, mount: dict[str, Any]) -> None:
    fs = own_memory()
    for inner, data in mount["files"].items():
        fs.pipe_file(f"m/{inner}", _bytes(data))
    stage.mounts[name] = functools.partial(stored, fs, "m")
    stage.mounted[name] = (fs, {"root": "m", "read_only": bool(mount.get("readonly"))})


async def _run(tools: dict[str, Tool], stage: Stage, case: dict[str, Any]) -> None:
    if case["tool"] != "sequence":
        await _call(tools, case["tool"], case["args"], case["expect"], case.get("expect_text"))
        return
    for step in case["args"]["steps"]:
        await _step(tools, stage, step)


async def _step(tools: dict[str, Tool], stage: Stage, step: dict[str, Any]) -> None:
    if step["tool"] == "external_write":
        for name, data in step["args"].items():
            await anyio.to_thread.run_sync(stage.write, name, _bytes(data))
    elif step["tool"] == "parallel":
        statuses: list[str] = []

        async def one(name: str, args: dict[str, Any]) -> None:
            statuses.append((await tools[name].call(args)).status)

        async with anyio.create_task_group() as group:
            for name, args in step["args"]["calls"]:
                group.start_soon(one, name, args)
        expected = {"all_ok": len(statuses), "ok": len(statuses), "one_ok": 1}[step["expect"]]
        assert statuses.count("ok") == expected
    else:
        await _call(tools, step["tool"], step["args"], step["expect"], step.get("expect_text"))


async def _call(
    tools: dict[str, Tool],
    name: str,
    args: dict[str, Any],
    expect: str,
    text: dict[str, list[str]] | None,
) -> None:
    sent = {key: _text(value) for key, value in args.items()}
    outcome = await tools[name].call(sent)
    wanted = {"refused", "failed"} if expect in ("refused", "failed") else {expect}
    assert outcome.status in wanted, outcome.text[:500]
    for part in (text or {}).get("contains", []):
        assert part in outcome.text
    for part in (text or {}).get("not_contains", []):
        assert part not in outcome.text


def _check_state(
    wanted: dict[str, Any],
    stage: Stage,
    before: dict[str, bytes],
    mounts_before: dict[str, dict[str, bytes]],
) -> None:
    files = stage.files()
    if wanted.get("unchanged"):
        assert files == before
        assert {name: look() for name, look in stage.mounts.items()} == mounts_before
    if "files" in wanted:
        assert files == {name: _bytes(value) for name, value in wanted["files"].items()}
    if "any_of" in wanted:
        states = [{n: _bytes(v) for n, v in state["files"].items()} for state in wanted["any_of"]]
        assert files in states
    for name, entries in wanted.get("mounts", {}).items():
        assert stage.mounts[name]() == {n: _bytes(v) for n, v in entries.items()}
    if stage.root is not None:
        _check_disk(wanted, stage.root)


def _check_disk(wanted: dict[str, Any], root: Path) -> None:
    for name in wanted.get("dirs", []):
        assert (root / name).is_dir()
    for name in wanted.get("absent_dirs", []):
        assert not (root / name).exists()
    if "symlinks" in wanted:
        links = {p: os.readlink(p) for p in root.rglob("*") if p.is_symlink()}
        assert links == {root / name: target for name, target in wanted["symlinks"].items()}
    for name, mode in wanted.get("modes", {}).items():
        umask = os.umask(0)
        os.umask(umask)
        expected = 0o666 & ~umask if mode == "umask" else int(mode, 8)
        assert stat.S_IMODE((root / name).stat().st_mode) == expected


def _put(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def _bytes(value: Any) -> bytes:
    if isinstance(value, dict) and "b64" in value:
        return base64.b64decode(value["b64"])
    text = _text(value)
    assert isinstance(text, str)
    return text.encode("utf-8", "surrogatepass")


def _text(value: Any) -> Any:
    match value:
        case {"repeat": [text, count]}:
            return text * count
        case {"concat": parts}:
            return "".join(_text(part) for part in parts)
    return value
