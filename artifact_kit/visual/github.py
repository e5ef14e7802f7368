"""A report for GitHub: lines that annotate a change, and a summary of the job in Markdown."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from artifact_kit.text import clip, plural
from artifact_kit.visual import wording
from artifact_kit.visual.report import deleted, passes
from artifact_kit.visual.wording import (
    approve_command,
    headline,
    label,
    prune_command,
    sentence,
    unseen,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from artifact_kit.visual.report import Check, Report

_ANNOTATIONS = 10
"""GitHub shows so many of one step."""
_ROWS = 100
_CELL_CHARS = 300
_PLACE = re.compile(r":(\d+)(?::(\d+))?$")
_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+\-.!|~@:/])")
_HTML = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}


def error_lines(report: Report) -> list[str]:
    """`::error file=…::…` for the first checks to look at, and one that counts the others."""
    failed = [check for check in report.checks if not passes(check)]
    most = _ANNOTATIONS if len(failed) <= _ANNOTATIONS else _ANNOTATIONS - 1
    lines = [_annotation(check) for check in failed[:most]]
    if len(failed) > most:
        more = plural(len(failed) - most, "further check")
        lines.append(f"::error title=artifact-kit check::{_data(f'{more}; {headline(report)}')}")
    if gone := deleted(report):
        lines.append(f"::error title=artifact-kit check::{_data(clip(_gone(gone), 1_000))}")
    if report.missing_shards or report.interrupted:
        lines.append(f"::error title=artifact-kit check::{_data(unseen(report))}")
    return lines


def summary(report: Report, place: str = "") -> str:
    """Markdown for `$GITHUB_STEP_SUMMARY`; `place` is the report's, for the command to approve."""
    failed = [check for check in report.checks if not passes(check)]
    gone = deleted(report)
    bad = failed or gone or unseen(report)
    parts = [f"### {'❌' if bad else '✅'} {_cell(headline(report))}"]
    if why := unseen(report):
        parts.append(f"**{_cell(why)}**")
    if failed:
        parts.append(_table(failed[:_ROWS]))
    if len(failed) > _ROWS:
        parts.append(f"… and {plural(len(failed) - _ROWS, 'further check')} in the report.")
    if place and any(check.pictures.actual for check in failed):
        parts.append(f"To accept:\n\n```sh\n{approve_command(place)}\n```")
    if gone:
        parts.append(_cell(_gone(gone)))
    if gone and place:
        parts.append(f"To delete:\n\n```sh\n{prune_command(place, report)}\n```")
    return "\n\n".join(parts) + "\n"


def _gone(keys: Sequence[str]) -> str:
    return f"{plural(len(keys), 'baseline')} whose page or shot is gone: {', '.join(keys)}"


def _table(checks: Sequence[Check]) -> str:
    rows = [
        f"| {_cell(label(check))} | {_cell(check.name)} | {_cell(sentence(check))} |"
        for check in checks
    ]
    return "\n".join(["| | check | |", "|---|---|---|", *rows])


def _annotation(check: Check) -> str:
    facts = {"file": check.artifact, **_line(check), "title": f"{label(check)}: {check.name}"}
    told = ",".join(f"{name}={_property(clip(v, 300))}" for name, v in facts.items() if v)
    return f"::error {told}::{_data(clip(sentence(check), 1_000))}"


def _line(check: Check) -> dict[str, str]:
    """Where the first error is, when it is in the artifact itself."""
    for error in check.errors[:1]:
        match = _PLACE.search(error.place)
        if match and check.artifact.endswith(error.place[: match.start()]):
            return {"line": match[1], "col": match[2] or ""}
    return {}


def _data(text: str) -> str:
    return wording.visible(text).replace("%", "%25").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _cell(text: str) -> str:
    """One line that shows as it is: no markup, no link, no mention."""
    flat = clip(wording.flat(text), _CELL_CHARS)
    return "".join(_HTML.get(char, char) for char in _MARKDOWN.sub(r"\\\1", flat))
