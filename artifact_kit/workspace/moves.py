"""Moving between places that have no common rename: copy all, check all, then delete."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from artifact_kit.workspace.storage import Gate, Parts, Problem, Storage

if TYPE_CHECKING:
    from collections.abc import Iterator


_WHOLE: tuple[Parts, str] = ((), "file")


@dataclass(frozen=True)
class Place:
    """A path in a storage."""

    storage: Storage
    parts: Parts

    def inside(self, tail: Parts) -> Place:
        """A path below this one."""
        return Place(self.storage, (*self.parts, *tail))


def relocate(source: Place, target: Place, gate: Gate) -> None:
    """Move a file or a folder byte for byte; on trouble the source is whole, the copy gone."""
    if source.storage is target.storage and source.storage.rename(source.parts, target.parts, gate):
        return
    stat = source.storage.info(source.parts)
    if stat is None:
        raise Problem("not_found")
    if stat.kind == "other":
        raise Problem("not_file")
    tails = list(_tree(source, ())) if stat.kind == "folder" else [_WHOLE]
    old = _replaced(target) if stat.kind == "file" else None
    gate.commit()
    try:
        _copy_all(source, target, tails, gate)
        gate.beat()
    except BaseException:
        gate.undone = _take_back(target, old)
        raise
    gate.settle()
    try:
        source.storage.delete(source.parts, stat.kind == "folder", gate)
    except Exception:
        if stat.kind == "file" and source.storage.info(source.parts) is not None:
            gate.undone = _take_back(target, old)
        raise


def _tree(place: Place, tail: Parts) -> Iterator[tuple[Parts, str]]:
    yield tail, "folder"
    for name, stat in sorted(place.storage.entries((*place.parts, *tail))):
        inner = (*tail, name)
        if stat.kind == "folder" and not stat.is_link:
            yield from _tree(place, inner)
        elif stat.kind == "file" and not stat.is_link:
            yield inner, "file"
        else:
            raise Problem("not_file", (*place.parts, *inner))


def _replaced(target: Place) -> bytes | None:
    if target.storage.info(target.parts) is None:
        return None
    return target.storage.read(target.parts, None).data


def _copy_all(source: Place, target: Place, tails: list[tuple[Parts, str]], gate: Gate) -> None:
    for tail, kind in tails:
        gate.beat()
        if kind == "folder":
            target.storage.make_folder(target.inside(tail).parts)
        else:
            _copy_file(source.inside(tail), target.inside(tail))


def _copy_file(source: Place, target: Place) -> None:
    if source.storage is target.storage and source.storage.copy(source.parts, target.parts):
        before, after = source.storage.info(source.parts), target.storage.info(target.parts)
        if before is None or after is None or before.size != after.size:
            raise Problem("mismatch", target.parts)
        return
    data = source.storage.read(source.parts, None).data
    target.storage.write(target.parts, data, None, Gate())
    if target.storage.read(target.parts, None).data != data:
        raise Problem("mismatch", target.parts)


def _take_back(target: Place, old: bytes | None) -> bool:
    with contextlib.suppress(Exception):
        if old is not None:
            target.storage.write(target.parts, old, None, Gate())
        elif target.storage.info(target.parts) is not None:
            target.storage.delete(target.parts, True, Gate())
        return True
    return False
