"""Where the pages, the baselines and the pictures of a run of tests are."""

from __future__ import annotations

import os
import posixpath
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Places:
    """Folders or fsspec URLs; folders are absolute."""

    rootdir: Path
    """Where pytest's settings are."""
    here: Path
    """Where pytest was started, and where what it says is read and its commands are run."""
    artifacts: str
    baselines: str
    out: str

    def shown(self, place: str, *inside: str) -> str:
        """A path as one types it where pytest was started."""
        whole = posixpath.join(place, *inside)
        if "://" in whole:
            return whole
        try:
            return os.path.relpath(whole, self.here).replace(os.sep, "/")
        except ValueError:  # on another drive
            return whole


def whole(folder: Path, place: str) -> str:
    """A URL as it is, a path as one seen from the folder."""
    return place if "://" in place else Path(folder, place).as_posix()
