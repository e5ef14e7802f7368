"""Pages in a folder, checked as the command does it, in browsers that the tests share."""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from PIL import Image

from artifact_kit import Limits
from artifact_kit.visual import Run, Wishes, clear, promote, suite_of
from artifact_kit.visual.folders import save_report

if TYPE_CHECKING:
    from pathlib import Path

    from artifact_kit.visual import Browsers, Check, Report

HEAD = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Test</title>
<style>body { margin: 20px; font: 16px sans-serif }</style>"""


@dataclass
class Stand:
    """A folder of pages, and what became of them when they were checked."""

    folder: Path
    browsers: Browsers
    limits: Limits = field(default_factory=Limits)

    def put(self, name: str, body: str) -> None:
        """A page, or another file when its name says so."""
        whole = body if "." in name else HEAD + body
        file = self.folder / "site" / (name if "." in name else f"{name}.html")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(whole, encoding="utf-8")

    async def run(
        self, *paths: str, accept: Any = None, force: bool = False, jobs: int = 2, **wishes: Any
    ) -> Report:
        """Check the pages, or only some."""
        suite = await suite_of(
            [str(self.folder / "site" / path) for path in paths or (".",)],
            out=str(self.folder / "out"),
            baselines=str(self.folder / "baselines"),
            wishes=Wishes(**wishes),
        )
        await clear(suite.output)
        run = Run(suite.judge(self.browsers), self.limits)
        await run.check(suite.views, jobs=jobs)
        report = await suite.report(run.judge, run.checks, 1.0, stopped=False)
        if accept:
            done = await promote(report, suite.output, suite.store, accept, force=force)
            report = done.report
        await save_report(suite.output, report)
        return report

    async def check(self, name: str, **wishes: Any) -> Check:
        """The one check of a page."""
        (check,) = (await self.run(f"{name}.html", **wishes)).checks
        return check

    async def scene(self, body: str, scenario: str = "", **wishes: Any) -> list[Check]:
        """The checks of a page by itself, with its scenario."""
        self.put("scene", body)
        self.put("scene.check.yaml", scenario or "seed: 1")
        return list((await self.run("scene.html", **wishes)).checks)

    def picture(self, check: Check, kind: str = "actual") -> Image.Image:
        """A picture that the run left."""
        path = getattr(check.pictures, kind)
        with Image.open(io.BytesIO((self.folder / "out" / path).read_bytes())) as opened:
            return opened.convert("RGB")


def outcomes(report: Report) -> dict[str, str]:
    """How each check ended."""
    return {check.name.rpartition("site/")[2]: check.outcome for check in report.checks}
