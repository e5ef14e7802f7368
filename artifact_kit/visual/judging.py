"""A picture beside its baseline: how the check ended, and what a person needs to see of it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from artifact_kit.preview.pictures import opened
from artifact_kit.visual.baselines import environment_note, picture_problem
from artifact_kit.visual.comparison import compare
from artifact_kit.visual.diffpicture import diff_picture
from artifact_kit.visual.keys import baseline_key, picture_path, platform_key
from artifact_kit.visual.report import Made, Pictures
from artifact_kit.visual.scanlines import BadPicture

if TYPE_CHECKING:
    from artifact_kit.visual.baselines import Baseline, BaselineStore
    from artifact_kit.visual.browsers import Browsers
    from artifact_kit.visual.capture import Taken
    from artifact_kit.visual.folders import Folder
    from artifact_kit.visual.keys import PictureKind
    from artifact_kit.visual.planning import Planned
    from artifact_kit.visual.report import Check, Outcome
    from artifact_kit.visual.scenario import Shot
    from artifact_kit.visual.tolerance import Tolerance

_KINDS: tuple[PictureKind, ...] = ("baseline", "actual", "diff", "earlier")


@dataclass
class Judge:
    """Knows where baselines are and where a run's pictures go; never writes a baseline."""

    output: Folder
    store: BaselineStore
    browsers: Browsers
    platform: str = field(default_factory=platform_key)

    def key(self, view: Planned, shot: Shot) -> str:
        """Of the baseline of a picture."""
        return baseline_key(view.picture_name(shot), self.platform)

    async def baseline(self, view: Planned, shot: Shot) -> Baseline:
        """What a picture is compared with.

        Raises:
            Failure: The storage can't tell.
        """
        return await self.store.get(self.key(view, shot))

    async def verdict(self, view: Planned, shot: Shot, taken: Taken, baseline: Baseline) -> Check:
        """How a check ended that depends on its picture alone.

        Raises:
            Failure: The output can't be written.
        """
        made = self._made(view)
        known = environment_note(baseline.made, made) if baseline.made else ""
        facts = {"key": self.key(view, shot), "made": made, "environment_note": known}
        if taken.earlier is not None:
            return await self._unstable(view, shot, taken, facts)
        if baseline.problem:
            facts["message"] = baseline.problem
            return await self._pictured(view, shot, "bad-baseline", facts, actual=taken.picture)
        if baseline.picture is None:
            facts |= {"others": baseline.others, "blank": await _blank(taken.picture)}
            return await self._pictured(view, shot, "new", facts, actual=taken.picture)
        if taken.picture == baseline.picture:
            return view.check(shot, "match", **facts)
        return await self._compared(view, shot, taken.picture, baseline.picture, facts)

    async def _compared(
        self, view: Planned, shot: Shot, now: bytes, before: bytes, facts: dict[str, Any]
    ) -> Check:
        facts["blank"] = await _blank(now)
        tolerance = tolerance_of(view, shot)
        message = picture_problem(before)
        if not message:
            try:
                found = await asyncio.to_thread(compare, before, now, tolerance)
            except BadPicture as bad:
                message = bad.message
        if message:
            facts["message"] = f"{facts['key']}.png: {message}"
            return await self._pictured(view, shot, "bad-baseline", facts, actual=now)
        facts |= {"difference": found.difference, "message": found.message}
        if found.outcome == "match":
            return await self._pictured(view, shot, "match", facts, actual=now)
        diff = await asyncio.to_thread(diff_picture, before, now, tolerance)
        return await self._pictured(
            view, shot, found.outcome, facts, actual=now, baseline=before, diff=diff
        )

    async def _unstable(
        self, view: Planned, shot: Shot, taken: Taken, facts: dict[str, Any]
    ) -> Check:
        pair = taken.earlier or b"", taken.picture
        found = await asyncio.to_thread(compare, *pair, tolerance_of(view, shot))
        diff = await asyncio.to_thread(diff_picture, *pair, tolerance_of(view, shot))
        facts["difference"] = found.difference
        return await self._pictured(
            view, shot, "unstable", facts, earlier=pair[0], actual=pair[1], diff=diff
        )

    async def failed(self, view: Planned, shot: Shot, message: str, now: bytes | None) -> Check:
        """A check that did not come to its picture, with what the page showed at its end."""
        facts = {"key": self.key(view, shot), "made": self._made(view), "message": message}
        shown = {"actual": now} if now is not None else {}
        return await self._pictured(view, shot, "failed", facts, **shown)

    async def _pictured(
        self, view: Planned, shot: Shot, outcome: Outcome, facts: dict[str, Any], **shown: bytes
    ) -> Check:
        """Write the pictures, and tell where they are."""
        paths: dict[str, str] = {}
        for kind in _KINDS:
            if kind in shown:
                lies = picture_path("new" if outcome == "new" else kind, facts["key"])
                await self.output.write(lies, shown[kind])
                paths[kind] = lies
        return view.check(shot, outcome, pictures=Pictures(**paths), **facts)

    def _made(self, view: Planned) -> Made:
        return Made(
            browser=self.browsers.name,
            viewport=f"{view.viewport.width}x{view.viewport.height}",
            fonts=self.browsers.fonts,
            settings=view.settings,
        )


def tolerance_of(view: Planned, shot: Shot) -> Tolerance:
    """What one picture may differ in."""
    return shot.tolerance or view.artifact.scenario.tolerance


async def _blank(picture: bytes) -> bool:
    """Whether every pixel has one colour."""
    colours = await asyncio.to_thread(lambda: opened(picture).getcolors(maxcolors=1))
    return colours is not None
