"""The browsers of a run: started when they are needed, handed from one page to the next."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Self

from artifact_kit.browser import Launcher, provide
from artifact_kit.errors import Failure, Refusal
from artifact_kit.preview.stage import Builder, Stages
from artifact_kit.visual.fonts import fonts_of

if TYPE_CHECKING:
    from types import TracebackType

    from artifact_kit.limits import Limits
    from artifact_kit.preview.stage import Stage


_MOST_PAGES = 200
"""Pages that one browser shows: they are one's own, and it is replaced on trouble before that."""


class Browsers:
    """Gives pages; a browser shows one at a time, each in a context of its own.

    `browser` is a path or a CDP address; without it one is found.
    """

    def __init__(self, limits: Limits, *, browser: str | None = None) -> None:
        self._limits = limits
        self._setting = browser
        self._starting = asyncio.Lock()
        self._launcher: Launcher | None = None
        self._stages: Stages | None = None
        self._idle: list[Stage] = []
        self.name = ""
        """`Chromium 156.0.7390.54`, once one has started."""
        self.fonts = ""
        """A digest of the fonts that it has."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """End all of them."""
        for stage in self._idle:
            self.drop(stage)
        if self._stages is not None:
            await self._stages.close()
        if self._launcher is not None:
            await self._launcher.close()

    async def take(self, *, virtual: bool) -> Stage:
        """A blank page whose time is real or virtual.

        Raises:
            Failure: `no_browser`: none starts.
            Refusal: `no_virtual_clock`: this one has none.
        """
        stages = await self._started()
        if virtual:
            self._check_clock()
        alike = next((each for each in self._idle if each.clock.virtual == virtual), None)
        if alike is not None:
            self._idle.remove(alike)
        try:
            stage = await stages.take(alike, virtual=virtual)
        except Failure:
            if not self.name:
                raise
            stage = await stages.take(virtual=virtual)  # it has started before
        if not self.name:
            self.fonts = await fonts_of(stage.bridge)
            self.name = f"Chromium {stage.running.browser.version}"
        return stage

    def give(self, stage: Stage) -> None:
        """A page is done with; its browser may show another."""
        self._idle.append(stage)

    def drop(self, stage: Stage, *, at_once: bool = False) -> None:
        """A page is done with, and its browser too."""
        if self._stages is not None:
            self._stages.dispose(stage, at_once=at_once)

    async def _started(self) -> Stages:
        async with self._starting:
            if self._stages is None:
                chromium = await provide(self._setting, install=False)
                launcher = Launcher(chromium, memory_bytes=self._limits.page_memory_bytes)
                await launcher.start()
                self._launcher = launcher
                builder = Builder(launcher, self._limits, lean=True, most_pages=_MOST_PAGES)
                self._stages = Stages(builder)
            return self._stages

    def _check_clock(self) -> None:
        if self._launcher is not None and self._launcher.chromium.kind != "headless-shell":
            raise Refusal(
                "the virtual clock needs Chromium's headless shell, and the browser in use is"
                " none; use --clock real, or have `artifact-kit browser --install` provide one",
                code="no_virtual_clock",
            )
