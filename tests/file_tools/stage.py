"""A workspace with files in it, its tools, and what is there afterwards."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

from fsspec import AbstractFileSystem
from fsspec.implementations.local import LocalFileSystem
from fsspec.implementations.memory import MemoryFileSystem

from artifact_kit.file_tools import file_tools
from artifact_kit.limits import Limits
from artifact_kit.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from artifact_kit.contract import Outcome, Tool


class Failing(AbstractFileSystem):  # type: ignore[misc] # fsspec is untyped
    """Operations on whole files that can be made to fail, before those of the class behind."""

    cachable = False
    failing: Mapping[str, str] = {}

    def _fail(self, operation: str) -> None:
        if operation in self.failing:
            raise OSError(self.failing[operation])

    def pipe_file(self, path: str, value: bytes, *args: Any, **kwargs: Any) -> Any:
        self._fail("write")
        return super().pipe_file(path, value, *args, **kwargs)

    def cat_file(self, path: str, *args: Any, **kwargs: Any) -> Any:
        self._fail("read")
        return super().cat_file(path, *args, **kwargs)

    def rm_file(self, path: str) -> Any:
        self._fail("delete")
        return super().rm_file(path)

    def cp_file(self, path1: str, path2: str, **kwargs: Any) -> Any:
        self._fail("move")
        return super().cp_file(path1, path2, **kwargs)


class FailingDisk(Failing, LocalFileSystem):  # type: ignore[misc] # fsspec is untyped
    """A disk as a host's own filesystem."""


class PrivateMemory(Failing, MemoryFileSystem):  # type: ignore[misc] # fsspec is untyped
    """A memory of its own (fsspec's is one per process)."""

    def __init__(self) -> None:
        super().__init__()
        self.store: dict[str, Any] = {}
        self.pseudo_dirs = [""]


class Stage:
    """Tools over a fresh workspace; `kind` is memory or local."""

    def __init__(
        self,
        kind: str,
        folder: Path,
        files: Mapping[str, str | bytes | None],
        *,
        limits: Limits | None = None,
        failing: Mapping[str, str] | None = None,
        host_root: str | None = None,
        strict: bool = False,
    ) -> None:
        self.kind, self.folder = kind, folder / "ws"
        self.memory = PrivateMemory()
        self.folder.mkdir()
        self.put(files)
        self.memory.failing = failing or {}
        source: Any = self.memory if kind == "memory" else str(self.folder)
        root = ""
        if failing and kind == "local":
            source, root = FailingDisk(), str(self.folder)
            source.failing = failing
        self.workspace = Workspace(source, root=root, host_root=host_root)
        self.tools: dict[str, Tool] = {
            tool.name: tool
            for tool in file_tools(self.workspace, limits or Limits(), strict=strict)
        }

    async def call(self, tool: str, args: object, *, conversation: str = "c") -> Outcome:
        return await self.tools[tool].call(args, conversation=conversation)

    def put(self, files: Mapping[str, str | bytes | None]) -> None:
        """Write behind the tools' back; None makes a folder."""
        for name, content in files.items():
            data = content.encode() if isinstance(content, str) else content
            if self.kind == "memory":
                if data is None:
                    self.memory.makedirs(f"/{name}", exist_ok=True)
                else:
                    self.memory.pipe_file(f"/{name}", data)
                continue
            path = self.folder / name
            (path if data is None else path.parent).mkdir(parents=True, exist_ok=True)
            if data is not None:
                path.write_bytes(data)

    def files(self) -> dict[str, bytes]:
        """All files and their bytes."""
        if self.kind == "memory":
            return {
                name.lstrip("/"): bytes(file.getvalue()) for name, file in self.memory.store.items()
            }
        return {
            path.relative_to(self.folder).as_posix(): path.read_bytes()
            for path in self.folder.rglob("*")
            if path.is_file()
        }


def as_bytes(content: Mapping[str, Any]) -> bytes | None:
    """File content as the shared cases write it; None for a folder."""
    if content.get("dir"):
        return None
    if "base64" in content:
        return base64.b64decode(content["base64"])
    return str(content["text"]).encode()
