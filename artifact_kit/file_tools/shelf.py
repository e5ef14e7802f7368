"""The files read last, with what was found out about them."""

from collections import OrderedDict
from dataclasses import dataclass

from artifact_kit.file_tools.textfile import TextFile
from artifact_kit.workspace import Content, WorkspacePath

_BYTES = 8 * 1024 * 1024


@dataclass(frozen=True)
class Kept:
    """A content and its text."""

    content: Content
    file: TextFile


class Shelf:
    """Holds at most 8 MiB of contents; those unused for longest make room.

    It never answers for a storage: a file is read each time, and only a content that is still
    the same, byte by byte, need not be taken apart again.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[WorkspacePath, Kept] = OrderedDict()
        self._bytes = 0

    def get(self, path: WorkspacePath) -> Kept | None:
        """What was read there last."""
        return self._kept.get(path)

    def put(self, path: WorkspacePath, kept: Kept) -> None:
        """Keep it in place of what was there, unless it is too large."""
        if old := self._kept.pop(path, None):
            self._bytes -= len(old.content.data)
        if len(kept.content.data) > _BYTES:
            return
        self._kept[path] = kept
        self._bytes += len(kept.content.data)
        while self._bytes > _BYTES:
            _, old = self._kept.popitem(last=False)
            self._bytes -= len(old.content.data)
