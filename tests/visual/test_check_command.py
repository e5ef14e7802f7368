"""`artifact-kit check` as a user starts it: what it prints, leaves behind, and how it ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from artifact_kit.hosts.cli import commands
from artifact_kit.visual.report import loads
from tests.hosts.command import KIT, kit

if TYPE_CHECKING:
    from pathlib import Path

    from artifact_kit.visual import Report

PAGE = "<!doctype html><meta charset=utf-8><title>Page</title><h1>%s</h1>"


def pages(folder: Path, *names: str) -> None:
    for name in names:
        (folder / f"{name}.html").write_text(PAGE % name)


def report(folder: Path) -> Report:
    return loads((folder / "out" / "report.json").read_bytes(), "report.json")


def test_new_pages_fail_until_they_are_approved_or_the_run_is_told_to_take_them(
    tmp_path: Path,
) -> None:
    """Rows 14, 16, 47 and 50 of the field reports."""
    pages(tmp_path, "one", "two")
    first = kit("check", ".", cwd=tmp_path, env={"CI": "true"})
    assert first.returncode == 1
    assert "2 checks in 2 browsers, each page at most 30 s" in first.stderr
    assert sorted(line.split()[:2] for line in first.stdout.splitlines()[:2]) == [
        ["new", "one"],
        ["new", "two"],
    ]
    assert "artifact-kit approve out/report.json" in first.stdout
    assert not (tmp_path / "baselines").exists()
    found = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert found == ["junit.xml", "new", "report.html", "report.json"]

    assert kit("approve", "out/report.json", cwd=tmp_path).returncode == 0
    (tmp_path / "two.html").unlink()
    pages(tmp_path, "three")
    (tmp_path / "one.html").write_text(PAGE % "changed")
    second = kit("check", ".", "--update", "-j", "4", cwd=tmp_path)
    assert second.returncode == 1
    assert "saved baselines/one/" in second.stdout
    assert "     deleted  two/" in second.stdout
    assert "2 checks: 0 match, 2 accepted, but 1 baseline without a page" in second.stdout
    assert "artifact-kit approve out/report.json --prune" in second.stdout
    assert [check.outcome for check in report(tmp_path).checks] == ["different", "new"]
    assert all(check.promoted for check in report(tmp_path).checks)
    assert [key.partition("/")[0] for key in report(tmp_path).obsolete] == ["two"]
    assert len(list((tmp_path / "baselines").rglob("*.png"))) == 3
    assert kit("check", ".", "--allow-deleted", cwd=tmp_path).returncode == 0
    assert kit("check", ".", cwd=tmp_path).returncode == 1
    pruned = kit("approve", "out/report.json", "--prune", cwd=tmp_path)
    assert pruned.stdout.endswith("1 baseline deleted\n")
    assert kit("check", ".", cwd=tmp_path).returncode == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nowhere",), "nothing to check: there is no nowhere"),
        (("*.htm",), "nothing to check: no page matches *.htm"),
        ((".", "--update"), "--update is refused in CI"),
        ((".", "--accept-new"), "--accept-new is refused in CI"),
        ((".", "--update", "--shard", "1/2"), "--update is not for a shard"),
        ((".", "--shard", "3/2"), "a shard is written 1/3, 2/3 or 3/3"),
        ((".", "--fail-on", "all"), "'all' is not one of"),
        ((), "Missing argument 'PATH...'"),
    ],
)
def test_what_cannot_be_done_as_asked_ends_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], said: str
) -> None:
    pages(tmp_path, "one")
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(commands, ["check", *arguments], env={"CI": "true"})
    assert done.exit_code == 2
    assert said in done.stderr
    assert not (tmp_path / "out").exists()


def test_a_wrong_table_of_the_project_is_told_before_anything_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "deep").mkdir()
    pages(tmp_path / "deep", "one")
    (tmp_path / "pyproject.toml").write_text("[tool.artifact-kit]\nviewport = ['phone']\n")
    monkeypatch.chdir(tmp_path / "deep")
    done = CliRunner().invoke(commands, ["check", "."])
    assert done.exit_code == 2
    assert "pyproject.toml [tool.artifact-kit]: viewport: 'viewport' is no key here" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((".", "--browser", "/bin/false"), "does not start"),
        ((".", "--baselines", "nosuch://bucket"), "nosuch://bucket can't be opened"),
        (("nosuch://bucket/pages/",), "can't be opened"),
    ],
)
def test_without_a_browser_or_a_storage_it_ends_3(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], said: str
) -> None:
    pages(tmp_path, "one")
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(commands, ["check", *arguments])
    assert done.exit_code == 3, done.output
    assert said in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stopped_run_leaves_the_report_of_what_was_done(
    tmp_path: Path, number: signal.Signals
) -> None:
    pages(tmp_path, *"abcdefgh")
    for name in "cdefgh":
        (tmp_path / f"{name}.check.yaml").write_text(
            "clock: real\nsteps: [{op: act, actions: [{type: wait, ms: 20000}]}]"
        )
    with subprocess.Popen(
        [*KIT, "check", "."], cwd=tmp_path, stdout=subprocess.PIPE, text=True, env=os.environ
    ) as running:
        assert running.stdout is not None
        seen = [running.stdout.readline() for _ in range(2)]
        running.send_signal(number)
        rest, _ = running.communicate(timeout=30)
    assert running.returncode == 128 + number
    assert "interrupted after 2 of 8 checks" in rest, (seen, rest)
    left = report(tmp_path)
    assert left.interrupted
    assert [check.name for check in left.checks] == ["a", "b"]
    assert (tmp_path / "out" / "report.html").exists()
