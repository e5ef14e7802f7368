"""The baselines: `<root>/<name>/<os>-<arch>-<engine>.png`, and what each was taken under.

Each name's folder has a `manifest.json`: a changed browser is told and never orphans a picture.
"""

from __future__ import annotations

import hashlib
import itertools
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pydantic import Field, ValidationError

from artifact_kit.errors import Failure, Refusal
from artifact_kit.text import clip
from artifact_kit.visual.folders import Folder, each
from artifact_kit.visual.keys import fold, folder_of
from artifact_kit.visual.report import Fact, Made, Text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from artifact_kit.workspace import Workspace

_MANIFEST = "manifest.json"
_PNG = b"\x89PNG\r\n\x1a\n"
_PNG_END = b"IEND\xaeB`\x82"
_OURS = re.compile(r"\w+-\w+-\w+\.png$")
_NO_PICTURES = ("is_folder", "not_file", "outside", "loop")
_LFS = b"version https://git-lfs"


class _Kept(Made):
    sha256: Text = ""


class _Manifest(Fact):
    version: int = 1
    name: Text = ""
    pictures: dict[str, _Kept] = Field(default_factory=dict)


@dataclass(frozen=True)
class Baseline:
    """What the store has for a key."""

    picture: bytes | None = field(default=None, repr=False)
    made: Made | None = None
    """None when nobody kept it, or the picture was changed without it."""
    others: tuple[str, ...] = ()
    """Platforms that have a picture of this name, when this one has none."""
    problem: str = ""
    """What stands in the place of the picture and is none."""


class BaselineStore:
    """Baselines in a local folder, under an fsspec URL, or in a workspace.

    Any number may read at once; `put` and `delete` are for one process at a time.
    """

    def __init__(self, place: str | Workspace) -> None:
        self._folder = Folder(place)
        self.shown = self._folder.shown

    async def get(self, key: str) -> Baseline:
        """The picture of a key, or the platforms that have one in its place.

        Raises:
            Failure: The storage can't tell.
        """
        try:
            picture = await self._folder.read(f"{key}.png")
        except (Failure, Refusal) as problem:
            if problem.code not in _NO_PICTURES:
                raise
            return Baseline(problem=problem.message)
        if picture is None:
            return Baseline(others=await self._others(key))
        folder, platform = _split(key)
        kept = (await self._manifest(folder)).pictures.get(platform)
        same = kept and kept.sha256 == _digest(picture)
        return Baseline(picture, Made.model_validate(kept.model_dump()) if kept and same else None)

    async def put(self, key: str, name: str, picture: bytes, made: Made | None) -> bool:
        """Make a picture the baseline; False when all was so already and no file was touched.

        Raises:
            Refusal: The store is read-only.
            Failure: What the storage met, or it did not keep what was written.
        """
        drawn = await self._save(f"{key}.png", picture)
        folder, platform = _split(key)
        manifest = await self._manifest(folder)
        facts = made.model_dump() if made else {}
        kept = {**manifest.pictures, platform: _Kept(**facts, sha256=_digest(picture))}
        told = await self._save_manifest(folder, _Manifest(name=name, pictures=kept))
        return drawn or told

    async def delete(self, key: str) -> None:
        """Remove a picture, and its name's folder with the last one."""
        folder, platform = _split(key)
        manifest = await self._manifest(folder)
        left = {at: kept for at, kept in manifest.pictures.items() if at != platform}
        await self._folder.delete(f"{key}.png")
        if not await self._others(key):
            await self._folder.delete(f"{folder}/{_MANIFEST}")
        elif left != manifest.pictures:
            await self._save_manifest(folder, manifest.model_copy(update={"pictures": left}))

    async def keys(self) -> list[str]:
        """Every key that has a picture, sorted.

        Only in folders with a manifest: other pictures may lie below the root, and are not ours.
        """
        waiting, found = [""], []
        while waiting:
            at = waiting.pop()
            names = await self._folder.names(at.rstrip("/"))
            waiting += [at + name for name in names if name.endswith("/")]
            if at and _MANIFEST in names:
                found += [at + name.removesuffix(".png") for name in names if _OURS.match(name)]
        return sorted(found)

    async def obsolete(self, names: Iterable[str], starts: Iterable[str]) -> tuple[str, ...]:
        """Keys, of any platform, that belong to none of the names of a whole plan.

        `starts` is how the names of that plan begin; others are nobody's business here.
        """
        used, own = {folder_of(name) for name in names}, tuple(map(fold, starts))

        async def name_of(key: str) -> str:
            folder = _split(key)[0]
            return (await self._manifest(folder)).name or folder

        unused = [key for key in await self.keys() if _split(key)[0] not in used]
        named = zip(unused, await each(name_of, unused), strict=True)
        return tuple(key for key, name in named if fold(name).startswith(own))

    async def _others(self, key: str) -> tuple[str, ...]:
        names = await self._folder.names(_split(key)[0])
        return tuple(name.removesuffix(".png") for name in names if _OURS.match(name))

    async def _manifest(self, folder: str) -> _Manifest:
        data = await self._folder.read(f"{folder}/{_MANIFEST}")
        try:
            return _Manifest.model_validate_json(data or b"{}")
        except ValidationError:
            return _Manifest()  # it only tells of the pictures, and the next `put` renews it

    async def _save_manifest(self, folder: str, manifest: _Manifest) -> bool:
        kept = dict(sorted(manifest.pictures.items()))
        text = manifest.model_copy(update={"pictures": kept}).model_dump_json(indent=1)
        return await self._save(f"{folder}/{_MANIFEST}", f"{text}\n".encode())

    async def _save(self, path: str, data: bytes) -> bool:
        if await self._folder.read(path) == data:
            return False
        await self._folder.write(path, data)
        if await self._folder.read(path) != data:
            raise Failure(f"the storage did not keep what was written to {path}", code="mismatch")
        return True


def picture_problem(data: bytes) -> str:
    """Why bytes can't be a picture, as far as that shows without decoding; empty for a PNG."""
    if data.startswith(_LFS):
        return "it is a Git LFS pointer, not the picture; run `git lfs pull`"
    if not data:
        return "it is empty"
    if not data.startswith(_PNG):
        return "it is not a PNG"
    return "" if _PNG_END in data[-64:] else "it is a PNG that was cut off"


def environment_note(baseline: Made, now: Made) -> str:
    """What changed since the baseline was taken: `baseline from Chromium 155, now 156`."""
    changes = []
    if baseline.browser and now.browser and baseline.browser != now.browser:
        before, after = _told_apart(baseline.browser, now.browser)
        changes.append(f"baseline from {before}, now {after}")
    before, after = (f"{made.viewport} at scale {made.scale:g}" for made in (baseline, now))
    if baseline.viewport and now.viewport and before != after:
        changes.append(f"baseline of {before}, now {after}")
    for noun in ("fonts", "settings"):
        then, this = getattr(baseline, noun), getattr(now, noun)
        if then and this and then != this:
            changes.append(f"baseline taken with other {noun}")
    return "; ".join(changes)


def _told_apart(before: str, after: str) -> tuple[str, str]:
    """Two builds, each only as long as tells it from the other."""
    pairs = zip(before.split("."), after.split("."), strict=False)
    same = len(list(itertools.takewhile(lambda pair: pair[0] == pair[1], pairs)))
    short = [clip(".".join(build.split(".")[: same + 1]), 80) for build in (before, after)]
    product = short[0].rpartition(" ")[0]
    return short[0], short[1].removeprefix(f"{product} ")


def _split(key: str) -> tuple[str, str]:
    folder, _, platform = key.rpartition("/")
    return folder, platform


def _digest(picture: bytes) -> str:
    return hashlib.sha256(picture).hexdigest()
