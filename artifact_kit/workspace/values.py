"""What the workspace gives back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from artifact_kit.workspace.paths import WorkspacePath

Kind = Literal["file", "folder", "other"]


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
    version: Version
    size: int


@dataclass(frozen=True, kw_only=True)
class Quota:
    """How much a workspace may hold; None is no limit."""

    files: int | None = None
    bytes: int | None = None
    depth: int | None = None
    """Most folders above a file, and the file itself: `a/b.html` has depth 2."""
