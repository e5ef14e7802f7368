"""What the workspace gives back."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from artifact_kit.workspace.paths import WorkspacePath

Kind = Literal["file", "folder", "other"]
BY_CONTENT = "sha256:"
"""How the versions begin that a content is told by where a storage has none of its own."""


@dataclass(frozen=True)
class Version:
    """Which content a file had; opaque, equal only for the same content at the same place."""

    tag: str


@dataclass(frozen=True)
class Entry:
    """What stands at a path. `other` can't be read: a pipe, a device, a link that leads out."""

    path: WorkspacePath
    kind: Kind
    size: int | None
    """In bytes; unknown for folders and for some servers' files."""
    version: Version
    is_link: bool = False


@dataclass(frozen=True)
class Content:
    """The bytes of a file, at most as many as were asked for; `size` is that of the whole file."""

    data: bytes = field(repr=False)
    size: int
    stated: Version | None = None
    """By the word of the storage, where that can be trusted."""

    @cached_property
    def version(self) -> Version:
        """The storage's, or else the content's own."""
        return self.stated or Version(BY_CONTENT + self.sha256)

    @cached_property
    def sha256(self) -> str:
        """Of `data`, in hexadecimal digits."""
        return hashlib.sha256(self.data).hexdigest()

    @property
    def hash(self) -> str:
        """The first eight of those digits."""
        return self.sha256[:8]


@dataclass(frozen=True, kw_only=True)
class Quota:
    """How much a workspace may hold; None is no limit."""

    files: int | None = None
    bytes: int | None = None
    depth: int | None = None
    """Most folders above a file, and the file itself: `a/b.html` has depth 2."""
