"""The pytest plugin as somebody's tests use it."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

import pytest

from artifact_kit.visual.report import loads

if TYPE_CHECKING:
    from pathlib import Path

    from artifact_kit.visual import Report

PAGE = """<!doctype html><meta charset=utf-8><title>Count</title>
<style>body { margin: 20px }</style>
<button id=go>Go</button><b id=count>0</b><script>
let count = 0;
document.querySelector("#go").onclick = () => {
  document.querySelector("#count").textContent = ++count;
};
</script>"""
TESTS = """
import psutil, pytest

@pytest.mark.parametrize("scheme", ["dark"])
def test_count(artifact, scheme):
    artifact.open("site/count.html", viewport="400x300", scheme=scheme)
    artifact.assert_matches_baseline("before")
    assert "clicked" in artifact.act({"type": "click", "css": "#go"})[0]
    assert artifact.read("#count") == "1"
    assert artifact.eval("return {count}") == {"count": 1}
    assert artifact.shot("#go").startswith(b"\\x89PNG")
    assert artifact.errors == []
    artifact.assert_matches_baseline("after", target="#count")

def test_again(artifact):
    artifact.open("site/again.html")
    artifact.assert_matches_baseline()

@pytest.fixture(scope="session", autouse=True)
def one_browser():
    yield
    mains = [each for each in psutil.Process().children(recursive=True)
             if "--type=" not in " ".join(each.cmdline()) and "headless" in each.name()]
    assert len(mains) <= 1, mains
"""
BROKEN = """
def test_none(artifact):
    artifact.open("site/nothing.html")

def test_act(artifact):
    artifact.open("site/count.html").act({"type": "click", "css": "#stop"})

def test_error(artifact):
    artifact.open("site/count.html")
    artifact.eval("setTimeout(() => missing())")
    artifact.act({"type": "step", "ms": 20})
    assert len(artifact.errors) == 1
    artifact.assert_matches_baseline()

def test_word(artifact):
    artifact.open("site/count.html").act({"type": "clik"})
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "site").mkdir()
    for name in ("count", "again"):
        (tmp_path / "site" / f"{name}.html").write_text(PAGE)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "test_it.py").write_text(TESTS)
    return tmp_path


def run(project: Path, *arguments: str, ci: str = "") -> subprocess.CompletedProcess[str]:
    installed = any(each.name == "artifact_kit" for each in entry_points(group="pytest11"))
    plugin = () if installed else ("-p", "artifact_kit.hosts.pytest_plugin")
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *plugin, *arguments],
        cwd=project,
        env={**os.environ, "CI": ci},
        capture_output=True,
        text=True,
        timeout=80,
        check=False,
    )


def report(project: Path) -> Report:
    return loads((project / "out" / "report.json").read_bytes(), "report.json")


def test_pictures_are_compared_by_two_workers_and_kept_by_one(project: Path) -> None:
    """Rows 43 and 44 of the field reports."""
    first = run(project)
    assert first.returncode == 1, first.stdout
    assert "2 failed" in first.stdout
    assert not (project / "baselines").exists()
    for told in (
        "test_it/test_count[dark]/before: new: there is no baseline yet",
        "  actual:   out/new/test_it/test_count-dark/before-",
        "  accept:   artifact-kit approve out/report.json 'test_it/test_count[dark]/before'",
    ):
        assert told in first.stdout

    told_to = run(project, "-n", "2", "--artifact-accept-new")
    assert told_to.returncode == 0, told_to.stdout
    assert len(list((project / "baselines").rglob("*.png"))) == 3
    assert "saved test_it/test_again/" in told_to.stdout
    assert [check.outcome for check in report(project).checks] == ["new"] * 3

    (project / "site" / "again.html").write_text(PAGE.replace("20px", "24px"))
    moved = run(project)
    assert moved.returncode == 1
    assert [c.outcome for c in report(project).checks] == ["different", "match", "match"]
    assert "test_it/test_again: stable but different:" in moved.stdout
    for kind in ("baseline", "actual", "diff"):
        assert f"  {kind + ':':<10}out/{kind}/test_it/test_again/" in moved.stdout
    assert not (project / "out" / "new").exists()


def test_what_goes_wrong_is_a_failure_of_its_test(project: Path) -> None:
    (project / "test_it.py").write_text(BROKEN)
    done = run(project)
    assert "4 failed" in done.stdout
    for told in (
        "there is no site/nothing.html",
        "actions[0] click: nothing matches #stop",
        "test_it/test_error: the page has 1 error, first: Uncaught ReferenceError",
        "actions[0].type 'clik' is not one of click,",
    ):
        assert told in done.stdout


def test_a_run_that_could_not_fail_is_refused_in_ci(project: Path) -> None:
    done = run(project, "--artifact-update", ci="true")
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "--artifact-update is refused in CI" in done.stderr
    assert "add --artifact-update-in-ci" in done.stderr


def test_a_run_without_artifacts_leaves_no_trace(project: Path) -> None:
    (project / "test_it.py").write_text("def test_one():\n    import sys\n"
        "    assert 'playwright' not in sys.modules\n")  # fmt: skip
    assert run(project).returncode == 0
    assert not (project / "out").exists()
