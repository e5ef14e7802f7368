"""The report: what it says to a program, and how a broken one is refused."""

from __future__ import annotations

import json

import pytest

from artifact_kit.errors import Refusal
from artifact_kit.visual.report import Report, Shard, dumps, exit_code, loads
from artifact_kit.visual.wording import headline, sentence, terminal_lines, unseen
from tests.visual.runs import check, report


def test_a_report_survives_being_written_and_read() -> None:
    odd = check("あ/b", "new", message="half \ud800")
    run = report(check("a"), odd, shard=Shard(index=1, count=2))
    assert loads(dumps(run), "it") == run
    assert dumps(loads(dumps(run), "it")) == dumps(run)


def test_a_password_does_not_get_into_a_report() -> None:
    assert report(baselines="sftp://me:secret@host/b").baselines == "sftp://host/b"
    for place in ("s3://bucket/a:b@c", "abfs://box@account.dfs.core.windows.net/b", "C:\\b"):
        assert report(baselines=place).baselines == place


def test_fields_of_a_later_kit_are_left_out() -> None:
    known = json.loads(dumps(report(check("a"))))
    known["colour"] = known["checks"][0]["mood"] = "blue"
    assert loads(json.dumps(known).encode(), "it") == report(check("a"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"version": 1, "to', "r.json is not a report: it is not JSON, or was cut off"),
        ("{}", "r.json is not a report of artifact-kit: it has no tool"),
        ("[1, 2]", "r.json is not a report of artifact-kit: it has no fields"),
        (
            '{"version": 2, "tool": "artifact-kit 9"}',
            "r.json is a report of version 2; this kit reads version 1",
        ),
        (
            '{"tool": "x", "checks": [{"name": "a", "outcome": "meh"}]}',
            "r.json is a broken report: checks.0.outcome: input should be 'match', 'different',",
        ),
        (
            '{"tool": "x", "checks": [{"name": "a", "outcome": "new", "seconds": -1}]}',
            "r.json is a broken report: checks.0.seconds: input should be greater than or equal",
        ),
    ],
)
def test_a_broken_or_foreign_report_is_refused_in_one_sentence(text: str, said: str) -> None:
    with pytest.raises(Refusal) as caught:
        loads(text.encode(), "r.json")
    assert caught.value.message.startswith(said)
    assert "\n" not in caught.value.message


@pytest.mark.parametrize(
    ("run", "code"),
    [
        (report(check("a"), check("b")), 0),
        (report(check("a", "new", promoted=True)), 0),
        (report(), 2),
        (report(check("a"), interrupted=True, planned=2), 1),
        (report(check("a"), planned=2), 1),
        (report(check("a"), obsolete=("old/x",)), 1),
        (report(check("a"), obsolete=("old/x",), filtered=True), 0),
        (report(check("a"), missing_shards=(Shard(index=2, count=2),)), 1),
        *(
            (report(check("a"), check("b", outcome)), 1)
            for outcome in (
                "different",
                "resized",
                "new",
                "missing-artifact",
                "bad-baseline",
                "unstable",
                "errors",
                "failed",
                "crashed",
            )
        ),
    ],
)
def test_the_exit_code_is_0_only_when_all_was_done_and_matches(run: Report, code: int) -> None:
    assert exit_code(run) == code


def test_each_outcome_has_words_of_its_own() -> None:
    elsewhere = check("e", "new", others=("macos-arm64-chromium",))
    assert sentence(check("a", "new")) == "there is no baseline yet"
    assert sentence(elsewhere) == (
        "no baseline for linux-x86_64-chromium; there is one for macos-arm64-chromium"
    )
    assert sentence(check("a", "unstable")).startswith("differs between two shots")
    assert sentence(check("a", "different")).startswith("stable but different")
    assert headline(report(check("a"), check("b", "new"), elsewhere)) == (
        "2 of 3 checks need a look: 1 new, 1 no baseline here"
    )
    assert headline(report(check("a"))) == "1 check: it matches"
    assert headline(report(check("a"), check("b", "new", promoted=True))) == (
        "2 checks: 1 match, 1 accepted"
    )


def test_what_a_report_does_not_speak_for_is_told() -> None:
    assert unseen(report(check("a"))) == ""
    assert unseen(report(check("a"), planned=3)) == "only 1 of 3 checks were done"
    missing = (Shard(index=2, count=4), Shard(index=4, count=4))
    assert unseen(report(check("a"), missing_shards=missing)) == "2 shards missing: 2/4 and 4/4"


def test_names_cannot_steer_the_terminal() -> None:
    lines = terminal_lines(report(check("a\x1b[2J\n::error::x\u202e", "failed")), "out/report.json")
    assert lines[0].startswith("      failed  a\\u001b[2J ::error::x\\u202e: a step ")


def test_a_report_from_elsewhere_is_bounded_and_steers_no_terminal() -> None:
    told = dumps(report(check("a"), baselines="s3://b/\x1b[31mred\n::error::x"))
    assert loads(told, "r").baselines == "s3://b/[31mred::error::x"
    for much in ({"shard": {"index": 1, "count": 2_000_000_000}}, {"platform": "x" * 200_000}):
        with pytest.raises(Refusal, match="is a broken report"):
            loads(json.dumps({**json.loads(told), **much}).encode(), "r")
    many = terminal_lines(report(*(check(str(n), "new") for n in range(3000))), "out/report.json")
    assert len(many) < 300
    assert any("… and 2800 more" in line for line in many)
