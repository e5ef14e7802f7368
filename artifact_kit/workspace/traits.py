"""What is known about a filesystem's own behaviour, by its type."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fsspec.implementations.local import LocalFileSystem
from fsspec.spec import AbstractFileSystem as Base

if TYPE_CHECKING:
    from fsspec import AbstractFileSystem

READ_ONLY = frozenset(
    ("zip", "tar", "git", "github", "gist", "http", "https", "reference", "libarchive", "data")
)
_OBJECT_STORES = frozenset(
    ("s3", "s3a", "gs", "gcs", "abfs", "abfss", "az", "adl", "oss", "cos", "obs", "tos", "swift")
)
_WHOLE_FILE = ("pipe_file", "_pipe_file", "_open", "open")


@dataclass(frozen=True, kw_only=True)
class Traits:
    """How the adapter must treat a filesystem."""

    read_only: bool = False
    flat: bool = False
    """Folders are only prefixes of names."""
    atomic_puts: bool = False
    """`pipe_file` shows the old bytes or the new ones, nothing between."""
    conditional_puts: bool = False
    """`pipe_file(IfMatch=etag)` is refused by the server when the file has changed."""
    moves: bool = False
    """`mv` is the storage's own rename, not a copy by pattern."""
    guarded: bool = False
    """Names are host paths, and links may stand in them."""
    quoted: bool = False
    """Names become parts of a URL."""


def traits_of(fs: AbstractFileSystem) -> Traits:
    """Trust only what the filesystem's own class does; a subclass may have changed it."""
    names = protocols(fs)
    if names & READ_ONLY:
        return Traits(read_only=True, quoted=bool(names & {"http", "https"}))
    if names & _OBJECT_STORES and _own(fs):
        return Traits(flat=True, atomic_puts=True, conditional_puts=bool(names & {"s3", "s3a"}))
    return Traits(
        flat=bool(names & _OBJECT_STORES),
        atomic_puts="memory" in names and _own(fs),
        moves=type(fs).mv is not Base.mv and not isinstance(fs, LocalFileSystem),
        guarded=isinstance(fs, LocalFileSystem),
    )


def protocols(fs: AbstractFileSystem) -> frozenset[str]:
    """The names by which the filesystem is known."""
    names: Any = fs.protocol
    return frozenset([names] if isinstance(names, str) else names)


def _own(fs: AbstractFileSystem) -> bool:
    """Whether whole-file writing is done by a library's class, not by a host's subclass of it."""
    for method in _WHOLE_FILE:
        for cls in type(fs).__mro__:
            if method in vars(cls):
                if cls is not Base and not cls.__module__.startswith(_LIBRARIES):
                    return False
                break
    return True


_LIBRARIES = ("fsspec.", "s3fs.", "gcsfs.", "adlfs.", "ossfs.")
