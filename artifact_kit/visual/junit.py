"""A report as JUnit XML, which every CI system reads."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from artifact_kit.text import clip
from artifact_kit.visual.report import deleted, passes
from artifact_kit.visual.wording import (
    DELETED,
    details,
    headline,
    label,
    sentence,
    unseen,
    visible,
)

if TYPE_CHECKING:
    from artifact_kit.visual.report import Check, Report

_ERRORS = ("missing-artifact", "crashed")
"""Outcomes of which JUnit says error in place of failure: nothing was compared."""
_TEXT_CHARS = 4_000


def junit(report: Report) -> bytes:
    """One suite: a case for each check, each deleted baseline, and what was not done."""
    gone = deleted(report)
    gap = unseen(report) if report.missing_shards or report.interrupted else ""
    failed = [check for check in report.checks if not passes(check)]
    errors = sum(check.outcome in _ERRORS for check in failed)
    counts = {
        "tests": len(report.checks) + len(gone) + bool(gap),
        "failures": len(failed) - errors + len(gone),
        "errors": errors + bool(gap),
        "skipped": 0,
    }
    shared = {name: str(count) for name, count in counts.items()}
    shared["time"] = f"{report.seconds:.3f}"
    suites = Element("testsuites", shared | {"name": "artifact-kit check"})
    suite = SubElement(suites, "testsuite", shared | {"name": _xml(headline(report))})
    for check in report.checks:
        _case(suite, check)
    for key in gone:
        case = SubElement(suite, "testcase", name=_xml(key), classname="artifact-kit check")
        SubElement(case, "failure", type="deleted", message=DELETED)
    if gap:
        case = SubElement(suite, "testcase", name="the whole run", classname="artifact-kit check")
        SubElement(case, "error", type="incomplete", message=_xml(gap))
    indent(suites, " ")
    return bytes(tostring(suites, "utf-8", xml_declaration=True)) + b"\n"


def _case(suite: Element, check: Check) -> None:
    case = SubElement(
        suite,
        "testcase",
        name=_xml(check.name),
        classname=_xml(check.artifact or "artifact-kit check"),
        time=f"{check.seconds:.3f}",
    )
    if not passes(check):
        tag = "error" if check.outcome in _ERRORS else "failure"
        end = SubElement(case, tag, type=check.outcome, message=_xml(sentence(check)))
        end.text = _xml("\n".join(_lines(check)))
    if attached := check.pictures.model_dump(exclude_none=True):
        out = SubElement(case, "system-out")
        out.text = _xml("\n".join(f"[[ATTACHMENT|{path}]]" for path in attached.values()))


def _lines(check: Check) -> list[str]:
    facts = details(check.difference) if check.difference else []
    errors = [
        f"{e.place}  {e.text}" + (f" (×{e.count})" if e.count > 1 else "") for e in check.errors
    ]
    return [f"{label(check)}: {sentence(check)}", *(f"{n}: {v}" for n, v in facts), *errors]


def _xml(text: str) -> str:
    """What is visible is what XML can hold."""
    return clip(visible(text), _TEXT_CHARS)
