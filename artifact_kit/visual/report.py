"""The facts of a run of checks, as `report.json` keeps them; all else is rendered from it.

Version 1. A later version 1 may add fields, which a reader that doesn't know them leaves out.
"""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue, ValidationError

from artifact_kit.errors import Refusal
from artifact_kit.text import clip, well_formed

Outcome = Literal[
    "match",
    "different",
    "resized",
    "new",
    "missing-artifact",
    "bad-baseline",
    "unstable",
    "errors",
    "failed",
    "crashed",
]
"""How a check ended. `failed` is a step or an expectation, `errors` the page's own."""

_MOST_CHARS = 100_000


def _bounded(text: str) -> str:
    if len(text) > _MOST_CHARS:
        raise ValueError(f"it has more than {_MOST_CHARS:,} characters")
    return well_formed(text)


Text = Annotated[str, AfterValidator(_bounded)]
Count = Annotated[int, Field(ge=0, le=10**12)]
Seconds = Annotated[float, Field(ge=0, allow_inf_nan=False)]
_PASSWORD = re.compile(r"(?<=://)[^/@:]*:[^/@]*@")
Place = Annotated[
    Text,
    AfterValidator(lambda place: _PASSWORD.sub("", "".join(filter(str.isprintable, place)))),
]
"""A folder or URL; a report is handed around, so a password in it is left out, and so is what
would steer a terminal."""
MOST_SHARDS = 10_000
REPORT = "report.json"
"""The name of a report in its folder."""


class Fact(BaseModel):
    """A part of a report."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Size(Fact):
    """In pixels of the picture."""

    width: Count
    height: Count


class Box(Fact):
    """In pixels of the picture, from its upper left corner."""

    x: Count
    y: Count
    width: Count
    height: Count


class Difference(Fact):
    """What the comparison counted between two pictures."""

    pixels: Count
    """Counted pixels, those of antialiased edges not among them."""
    share: Annotated[float, Field(ge=0, le=1)]
    """The counted pixels' part of all, from 0 to 1."""
    antialiased: Count = 0
    largest_delta: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.0
    """The largest distance of two colours, in units of the metric."""
    box: Box | None = None
    """The smallest that holds every counted pixel; None when there is none."""
    density: Count = 0
    """Most counted pixels in any window of 16 × 16."""
    densest: Box | None = None
    """Such a window."""
    before: Size
    after: Size
    metric: Text = ""


class Pictures(Fact):
    """Paths of PNG files, relative to the report's folder, with `/` between their parts."""

    baseline: Text | None = None
    actual: Text | None = None
    """The candidate that `approve` makes the baseline."""
    diff: Text | None = None
    earlier: Text | None = None
    """The shot before `actual`, of a page that does not stand still."""


class PageError(Fact):
    """One error of the page; equal ones are counted."""

    kind: Literal["uncaught", "rejection", "load", "blocked", "console"] = "uncaught"
    place: Text = ""
    """As `game.html:72:25`; empty when the page did not say."""
    text: Text
    count: Annotated[int, Field(ge=1)] = 1


class Viewport(Fact):
    """In CSS pixels; `scale` is the picture's pixels for each of them."""

    name: Text = ""
    width: Count
    height: Count
    scale: Annotated[float, Field(gt=0)] = 1.0


class Made(Fact):
    """Under what a picture was taken; what a baseline's manifest keeps of it."""

    browser: Text = ""
    """Name and build: `Chromium 156.0.7390.54`."""
    engine: Text = "chromium"
    viewport: Text = ""
    """As `1280x720`."""
    scale: float = 1.0
    fonts: Text = ""
    """A digest of the fonts that the browser has."""
    settings: Text = ""
    """A digest of the settings that change what a picture shows."""


class Shard(Fact):
    """Which part of the plan a report holds, from 1."""

    index: Annotated[int, Field(ge=1, le=MOST_SHARDS)]
    count: Annotated[int, Field(ge=1, le=MOST_SHARDS)]


class Check(Fact):
    """One picture of one artifact in one view, or why there is none."""

    name: Text
    """Unique in the report, whatever the case of its letters."""
    position: Count = 0
    """Its place in the whole plan, from 0, over all shards."""
    artifact: Text = ""
    """The file, as the run was given it; relative to where it ran when it can be."""
    viewport: Viewport | None = None
    scheme: Text = ""
    """`light` or `dark`."""
    shot: Text = ""
    """The scenario's name for it."""
    outcome: Outcome
    message: Text = ""
    """What the outcome's own words can't tell: which step failed, why a baseline is bad."""
    difference: Difference | None = None
    pictures: Pictures = Pictures()
    errors: tuple[PageError, ...] = ()
    """The page's, whether or not they fail the check."""
    blank: bool = False
    """The page showed nothing."""
    key: Text = ""
    """Of its baseline, see `keys.baseline_key`."""
    made: Made | None = None
    others: tuple[Text, ...] = ()
    """Of a new one: platforms that have a baseline of this name."""
    environment_note: Text = ""
    """In what the baseline was taken otherwise: `baseline from Chromium 155, now 156`."""
    promoted: bool = False
    """The candidate became the baseline in this same run."""
    seconds: Seconds = 0.0
    attempts: Count = 1


class Report(Fact):
    """A run of checks, in the order of its plan."""

    version: Literal[1] = 1
    tool: Text
    """Name and version: `artifact-kit 0.1.0`."""
    platform: Text = ""
    """As in the keys of baselines: `linux-x86_64-chromium`."""
    browser: Text = ""
    baselines: Place = ""
    """Where the baselines are: a folder or an fsspec URL, as the run was given it."""
    settings: dict[str, JsonValue] = {}
    shard: Shard | None = None
    missing_shards: tuple[Shard, ...] = ()
    """Of a merged report: those that nobody handed in."""
    filtered: bool = False
    """Only some of the artifacts or checks were asked for."""
    interrupted: bool = False
    planned: Count = 0
    """How many checks there were to do; more than `checks` has when it was interrupted."""
    seconds: Seconds = 0.0
    checks: tuple[Check, ...] = ()
    obsolete: tuple[Text, ...] = ()
    """Keys of baselines that no check of the whole plan uses."""
    allow_deleted: bool = False
    """Whether those may be, and fail nothing."""

    @property
    def whole(self) -> bool:
        """Whether it speaks for every check there is."""
        parts = self.shard or self.missing_shards or self.filtered or self.interrupted
        return not parts and len(self.checks) == self.planned


def loads(data: bytes, shown: str) -> Report:
    """The report in these bytes; `shown` is what a message calls them.

    Raises:
        Refusal: `bad_report`, in one sentence.
    """
    try:
        return Report.model_validate_json(data)
    except ValidationError as error:
        raise Refusal(f"{shown} {_problem(error)}", code="bad_report") from None


def dumps(report: Report) -> bytes:
    """The same report always gives the same bytes."""
    return (report.model_dump_json(indent=1) + "\n").encode()


def passes(check: Check) -> bool:
    """Whether there is nothing in it for a person to look at."""
    return check.outcome == "match" or check.promoted


def deleted(report: Report) -> tuple[str, ...]:
    """Keys of the baselines whose page or shot is gone, where the report can know that and it
    was not allowed."""
    return report.obsolete if report.whole and not report.allow_deleted else ()


def exit_code(report: Report) -> int:
    """0 all match, 1 something does not or was not done, 2 there was nothing to check."""
    if not report.checks and not (report.interrupted or report.missing_shards or report.shard):
        return 2
    undone = report.interrupted or report.missing_shards or len(report.checks) < report.planned
    return int(bool(undone or deleted(report)) or not all(map(passes, report.checks)))


def _problem(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=True)[0]
    place = ".".join(str(part) for part in first["loc"])
    if first["type"] == "json_invalid":
        return "is not a report: it is not JSON, or was cut off"
    if place == "version":
        version = clip(repr(first["input"]), 20)
        return f"is a report of version {version}; this kit reads version 1"
    if not place or first["type"] == "missing":
        return f"is not a report of artifact-kit: it has no {clip(place, 80) or 'fields'}"
    return f"is a broken report: {clip(place, 80)}: {clip(first['msg'], 120).lower()}"
