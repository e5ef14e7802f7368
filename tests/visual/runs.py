"""Runs of checks as they lie on a disk, for the tests of what follows a run."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from PIL import Image, ImageDraw

from artifact_kit.visual.keys import baseline_key, picture_path
from artifact_kit.visual.report import (
    Box,
    Check,
    Difference,
    Made,
    Outcome,
    Pictures,
    Report,
    Size,
    Viewport,
    dumps,
)

if TYPE_CHECKING:
    from pathlib import Path

PLATFORM = "linux-x86_64-chromium"
MADE = Made(browser="Chromium 156.0.1", viewport="320x200", fonts="f1", settings="s1")
SIZE = (320, 200)
Spot = tuple[int, int]


def picture(shade: int = 240, spot: Spot | None = None, size: Spot = SIZE) -> bytes:
    """A PNG of one shade, with a red square of 12 × 12 at the spot."""
    image = Image.new("RGB", size, (shade, shade, shade))
    if spot:
        ImageDraw.Draw(image).rectangle((*spot, spot[0] + 11, spot[1] + 11), fill="red")
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


BEFORE, AFTER = picture(spot=(40, 40)), picture(spot=(44, 40))


def check(name: str, outcome: Outcome = "match", **facts: Any) -> Check:
    """A check of the page of this name."""
    given: dict[str, Any] = {
        "artifact": f"pages/{name}.html",
        "viewport": Viewport(width=320, height=200),
        "key": baseline_key(name, PLATFORM),
        "made": MADE,
    }
    return Check(name=name, outcome=outcome, **{**given, **facts})


def pictured(folder: Path, name: str, outcome: Outcome, **facts: Any) -> Check:
    """A check whose pictures are in the run's folder: a square that moved from 40,40 to 44,40."""
    shown = check(name, outcome, **facts)
    after = put(folder, "new" if outcome == "new" else "actual", shown.key, AFTER)
    if outcome == "new":
        return shown.model_copy(update={"pictures": Pictures(actual=after)})
    before = put(folder, "baseline", shown.key, BEFORE)
    diff = put(folder, "diff", shown.key, picture(255, spot=(40, 40)))
    size = Size(width=SIZE[0], height=SIZE[1])
    difference = Difference(
        pixels=96,
        share=0.0015,
        antialiased=3,
        largest_delta=0.5,
        box=Box(x=40, y=40, width=16, height=12),
        density=60,
        before=size,
        after=size,
        metric="OKLab HyAB",
    )
    pictures = Pictures(baseline=before, actual=after, diff=diff)
    return shown.model_copy(update={"pictures": pictures, "difference": difference})


def put(folder: Path, kind: Any, key: str, data: bytes) -> str:
    """A picture of the run; gives its path in the folder."""
    path = picture_path(kind, key)
    file = folder / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
    return path


def report(*checks: Check, **facts: Any) -> Report:
    """A whole run of these checks, in this order."""
    placed = [c.model_copy(update={"position": at}) for at, c in enumerate(checks)]
    given: dict[str, Any] = {
        "tool": "artifact-kit 0.1.0",
        "platform": PLATFORM,
        "browser": "Chromium 156.0.1",
        "baselines": "baselines",
        "planned": len(checks),
    }
    return Report(**{**given, **facts}, checks=tuple(placed))


def saved(folder: Path, run: Report) -> Report:
    """The report, written into the run's folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "report.json").write_bytes(dumps(run))
    return run


def files(folder: Path) -> dict[str, bytes]:
    """All files below a folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def stamps(folder: Path) -> dict[str, tuple[int, int]]:
    """What a file had to change if it were written again."""
    stats = {path.as_posix(): path.stat() for path in folder.rglob("*")}
    return {path: (stat.st_mtime_ns, stat.st_ino) for path, stat in stats.items()}
