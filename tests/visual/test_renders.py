"""What is rendered from a report for other programs: JUnit XML, and GitHub's lines and summary."""

from __future__ import annotations

from xml.etree.ElementTree import fromstring

import pytest

from artifact_kit.visual import error_lines, summary
from artifact_kit.visual.junit import junit
from artifact_kit.visual.report import PageError, Pictures, Shard
from tests.visual.runs import check, report

HOSTILE = 'a<b>&"\x00\x1b[0m\n::error::x | [x](http://x) @me %0A \u202e'
THROWS = PageError(place="throws.html:12:4", text="Uncaught Error: no")


def test_junit_has_a_case_for_each_check_and_counts_that_add_up() -> None:
    run = report(
        check("same", seconds=1.5),
        check("moved", "different", pictures=Pictures(actual="actual/m.png", diff="diff/m.png")),
        check("gone", "missing-artifact"),
        check("taken", "new", promoted=True),
        seconds=3.25,
    )
    suites = fromstring(junit(run))  # noqa: S314  # our own XML
    suite = suites[0]
    facts = {"tests": "4", "failures": "1", "errors": "1", "skipped": "0", "time": "3.250"}
    assert suite.attrib.items() >= facts.items()
    ends = {case.get("name"): [end.tag for end in case] for case in suite}
    assert ends == {
        "same": [],
        "moved": ["failure", "system-out"],
        "gone": ["error"],
        "taken": [],
    }
    moved = suite[1]
    assert moved.get("classname") == "pages/moved.html"
    assert moved[0].get("type") == "different"
    assert "[[ATTACHMENT|diff/m.png]]" in str(moved[1].text)


def test_junit_of_a_run_with_a_hole_is_red() -> None:
    run = report(check("same"), missing_shards=(Shard(index=2, count=2),))
    suite = fromstring(junit(run))[0]  # noqa: S314  # our own XML
    assert (suite.get("tests"), suite.get("errors")) == ("2", "1")
    assert suite[1][0].get("message") == "1 shard missing: 2/2"


def test_junit_is_well_formed_whatever_names_and_errors_hold() -> None:
    run = report(check(HOSTILE, "errors", errors=(PageError(text=HOSTILE * 500),)))
    case = fromstring(junit(run))[0][0]  # noqa: S314  # our own XML
    assert str(case.get("name")).startswith('a<b>&"\\u0000\\u001b[0m')
    assert len(str(case[0].get("message"))) <= 4_000


def test_github_annotates_the_line_of_an_error_in_the_artifact() -> None:
    run = report(check("throws", "errors", errors=(THROWS,)), check("same"))
    assert error_lines(run) == [
        "::error file=pages/throws.html,line=12,col=4,title=with errors%3A throws::"
        "the page has 1 error, first: throws.html:12:4 Uncaught Error: no"
    ]


def test_github_is_told_of_the_first_ten_and_counts_the_rest() -> None:
    run = report(*(check(f"c{at}", "new") for at in range(500)))
    lines = error_lines(run)
    assert len(lines) == 10
    assert "491 further checks" in lines[-1]
    assert len(error_lines(report(*(check(f"c{at}", "new") for at in range(10))))) == 10


def test_no_name_starts_a_command_of_its_own() -> None:
    run = report(check(HOSTILE, "failed", message=HOSTILE))
    (line,) = error_lines(run)
    assert "\n" not in line
    assert line.startswith('::error file=pages/a<b>&"\\u0000\\u001b[0m%0A%3A%3Aerror%3A%3Ax | ')
    assert "\x1b" not in line


def test_the_summary_is_bounded_and_its_names_are_no_markup() -> None:
    run = report(*(check(f"{HOSTILE}{at}", "new") for at in range(3_000)))
    text = summary(run, "out/report.json")
    assert len(text.encode()) < 1024 * 1024
    assert "3000 of 3000 checks need a look" in text
    assert "2900 further checks" in text
    row = next(line for line in text.splitlines() if line.startswith("| new"))
    assert "a&lt;b&gt;&amp;" in row
    assert r"\| \[x\]\(http\:\/\/x\) \@me" in row


@pytest.mark.parametrize(
    ("run", "said"),
    [
        (report(check("same")), "### ✅ 1 check\\: it matches\n"),
        (report(check("same"), interrupted=True, planned=3), "**interrupted after 1 of 3 checks**"),
        (
            report(check("same"), obsolete=("old/x",)),
            "### ❌ 1 check\\: it matches, but 1 baseline without a page",
        ),
        (report(check("same"), obsolete=("old/x",)), "1 baseline whose page or shot is gone"),
    ],
)
def test_the_summary_of_a_quiet_run_says_what_there_is_to_say(run: object, said: str) -> None:
    assert said in summary(run)  # type: ignore[arg-type]


def test_the_summary_gives_the_command_that_accepts() -> None:
    shown = check("new one", "new", pictures=Pictures(actual="new/x.png"))
    assert "artifact-kit approve out/report.json\n" in summary(report(shown), "out/report.json")
