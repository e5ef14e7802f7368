"""What every reader of a report is told, in one place; the renders only dress it."""

from __future__ import annotations

import shlex
from collections import Counter
from typing import TYPE_CHECKING, assert_never

from artifact_kit.text import clip, plural
from artifact_kit.visual.report import deleted, passes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from artifact_kit.visual.report import Box, Check, Difference, Outcome, Report, Size

_LABELS: dict[Outcome, str] = {
    "different": "different",
    "resized": "resized",
    "new": "new",
    "missing-artifact": "missing",
    "bad-baseline": "bad baseline",
    "unstable": "not stable",
    "errors": "with errors",
    "failed": "failed",
    "crashed": "crashed",
    "match": "match",
}
_ELSEWHERE = "no baseline here"
_ORDER = (*_LABELS.values(), _ELSEWHERE)
_MOST_LINES = 200
_LINE_CHARS = 1_000

DELETED = "there is a baseline, but its page or its shot is gone"
ACCEPTABLE: tuple[Outcome, ...] = ("new", "different", "resized", "bad-baseline")
"""Outcomes with a picture that may become the baseline."""


def label(check: Check) -> str:
    """`different`, `not stable`, …; `accepted` when its picture became the baseline."""
    if check.promoted and check.outcome != "match":
        return "accepted"
    return _ELSEWHERE if check.outcome == "new" and check.others else _LABELS[check.outcome]


def sentence(check: Check) -> str:
    """What happened, without a full stop at the end."""
    parts = [brief(check)]
    if check.errors:
        first = check.errors[0]
        parts.append(f"first: {' '.join(f'{first.place}  {clip(first.text, 300)}'.split())}")
    return ", ".join(parts)


def brief(check: Check) -> str:
    """The same for those who list the page's errors beside it."""
    parts = [_said(check)]
    if check.promoted and check.outcome != "match":
        parts.append("accepted: its picture is the baseline now")
    parts.append(check.environment_note)
    if check.errors and check.outcome != "errors":
        parts.append(_errors(check))
    return "; ".join(filter(None, parts))


def headline(report: Report) -> str:
    """`3 of 40 checks need a look: 2 different, 1 new`."""
    joint = ", but " if all(map(passes, report.checks)) else ": "
    return joint.join(filter(None, (verdict(report), tally(report))))


def verdict(report: Report) -> str:
    """`3 of 40 checks need a look`, or that all match."""
    checks = plural(len(report.checks), "check")
    failed = sum(not passes(check) for check in report.checks)
    if failed:
        return f"{failed} of {checks} {'needs' if failed == 1 else 'need'} a look"
    accepted = sum(label(check) == "accepted" for check in report.checks)
    if not report.checks:
        return "nothing was checked"
    matching = len(report.checks) - accepted
    said = f"{checks}: {'all match' if len(report.checks) > 1 else 'it matches'}"
    return f"{checks}: {matching} match, {accepted} accepted" if accepted else said


def tally(report: Report) -> str:
    """How many ended in which way that needs a look: `2 different, 1 new`; and what is gone."""
    counts = Counter(label(check) for check in report.checks if not passes(check))
    told = ", ".join(f"{counts[name]} {name}" for name in _ORDER if counts[name])
    gone = deleted(report)
    lost = f"{plural(len(gone), 'baseline')} without a page" if gone else ""
    return "; ".join(filter(None, (told, lost)))


def terminal_lines(report: Report, place: str) -> list[str]:
    """A line for each check to look at, the sum, and what to do; `place` is the report's."""
    failed = [check for check in report.checks if not passes(check)]
    gone = deleted(report)
    told = [(label(check), f"{check.name}: {sentence(check)}") for check in failed]
    told += [("deleted", f"{key}: {DELETED}") for key in gone]
    lines = [f"{what:>12}  {flat(clip(said, _LINE_CHARS))}" for what, said in told[:_MOST_LINES]]
    if len(told) > _MOST_LINES:
        lines.append(f"{'':>12}  … and {len(told) - _MOST_LINES} more")
    lines += [*filter(None, [unseen(report)]), headline(report)]
    if any(check.outcome in ACCEPTABLE for check in failed):
        command = approve_command(place, baselines=report.baselines)
        lines.append(f"to accept what is meant: {command} [NAMES…]")
    if gone:
        lines.append(f"to delete what is gone: {prune_command(place, report)}")
    return lines


def visible(text: str) -> str:
    """Characters that hide, steer a terminal or turn the direction of others, as escapes."""
    keeps = "\n\t\u200c\u200d"
    return "".join(c if c.isprintable() or c in keeps else f"\\u{ord(c):04x}" for c in text)


def flat(text: str) -> str:
    """The same in one line."""
    return visible(" ".join(text.split()))


def unseen(report: Report) -> str:
    """Why the report does not speak for every check there is; empty when it does."""
    if report.missing_shards:
        shards = [f"{shard.index}/{shard.count}" for shard in report.missing_shards]
        return f"{plural(len(shards), 'shard')} missing: {_listed(shards)}"
    if report.interrupted:
        return f"interrupted after {len(report.checks)} of {plural(report.planned, 'check')}"
    if report.shard:
        return f"this is shard {report.shard.index} of {report.shard.count}"
    if report.filtered:
        return "only some checks were asked for"
    if len(report.checks) < report.planned:
        return f"only {len(report.checks)} of {plural(report.planned, 'check')} were done"
    return ""


def approve_command(place: str, checks: Sequence[Check] = (), baselines: str = "") -> str:
    """The one command that makes these candidates the baselines; all of them without names.

    Baselines above the folder where it is typed have to be named.
    """
    where = ["--baselines", baselines] if baselines.startswith("..") else []
    names = [check.name for check in checks]
    return shlex.join(["artifact-kit", "approve", place, *where, *names])


def prune_command(place: str, report: Report) -> str:
    """The one that deletes the baselines of what is gone."""
    return f"{approve_command(place, baselines=report.baselines)} --prune"


def measures(difference: Difference) -> str:
    """`312 pixels differ (0.034 %), in a box of 40×12 at 604,310`."""
    noun = "pixel differs" if difference.pixels == 1 else "pixels differ"
    said = f"{difference.pixels:,} {noun} ({share(difference.share)})"
    return f"{said}, in {where(difference.box)}" if difference.box else said


def details(difference: Difference) -> list[tuple[str, str]]:
    """Further figures, each with its name."""
    rows = [
        ("largest delta", f"{difference.largest_delta:.3g} {difference.metric}".strip()),
        ("densest 16×16 window", plural(difference.density, "pixel")),
        ("antialiased, not counted", plural(difference.antialiased, "pixel")),
    ]
    if difference.before != difference.after:
        rows.insert(0, ("size", f"{extent(difference.before)} → {extent(difference.after)}"))
    return rows


def where(box: Box) -> str:
    """`a box of 40×12 at 604,310`."""
    return f"a box of {box.width}×{box.height} at {box.x},{box.y}"


def extent(size: Size) -> str:
    """`1280×720`."""
    return f"{size.width}×{size.height}"


def share(part: float) -> str:
    """Per cent, with as many digits as tell something: `0.034 %`."""
    return f"{part * 100:.2g} %" if part < 0.01 else f"{part * 100:.1f} %"


def _said(check: Check) -> str:
    match check.outcome:
        case "match":
            return "matches its baseline"
        case "different":
            return f"stable but different: {_measured(check)}"
        case "resized":
            return f"resized{_sizes(check)}: {_measured(check)}"
        case "new":
            return _new(check)
        case "missing-artifact":
            return check.message or "there is no such artifact"
        case "bad-baseline":
            return f"its baseline can't be used: {check.message or 'it is no picture'}"
        case "unstable":
            moved = measures(check.difference) if check.difference else check.message
            return f"differs between two shots{f': {moved}' if moved else ''}"
        case "errors":
            return _errors(check)
        case "failed":
            return check.message or "a step or an expectation did not hold"
        case "crashed":
            tries = f" ({plural(check.attempts, 'attempt')})" if check.attempts > 1 else ""
            return f"{check.message or 'the browser ended'}{tries}"
        case _:
            assert_never(check.outcome)


def _new(check: Check) -> str:
    if not check.others:
        shows_nothing = ", and the page shows nothing" if check.blank else ""
        return f"there is no baseline yet{shows_nothing}"
    platform = check.key.rpartition("/")[2]
    return f"no baseline for {platform}; there is one for {_listed(list(check.others))}"


def _measured(check: Check) -> str:
    return measures(check.difference) if check.difference else check.message or "see its pictures"


def _sizes(check: Check) -> str:
    if check.difference is None:
        return ""
    return f" from {extent(check.difference.before)} to {extent(check.difference.after)}"


def _errors(check: Check) -> str:
    count = sum(error.count for error in check.errors)
    return f"the page has {plural(count, 'error')}" if count else check.message or "errors"


def _listed(words: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))
