"""The pytest plugin as somebody's tests use it."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

import psutil
import pytest

from artifact_kit import Limits
from artifact_kit.visual import Browsers, Wishes, platform_key, suite_of
from artifact_kit.visual.keys import baseline_key
from artifact_kit.visual.report import loads
from tests import readme
from tests.visual.runs import files

if TYPE_CHECKING:
    from pathlib import Path

    from artifact_kit.visual import Report

PAGE = """<!doctype html><meta charset=utf-8><title>Count</title>
<style>body { margin: 20px }</style>
<button id=go>Go</button><b id=count>0</b><script src="/shared/count.js"></script>"""
SCRIPT = """let count = 0;
document.querySelector("#go").onclick = () => {
  document.querySelector("#count").textContent = ++count;
  if (count > 2) stop.here();
};
"""
CONFTEST = """
import os, psutil, pytest

@pytest.fixture(autouse=True)
def one_browser_in_each_process(artifact):
    yield
    every = psutil.Process().children(recursive=True)
    mains = [each for each in every if "headless" in each.name()
             and not any(part.startswith("--type=") for part in each.cmdline())]
    assert len(mains) == 1, mains
    with open("processes.txt", "a") as file:
        file.writelines(f"{each.pid} {each.create_time()}\\n" for each in every)
        print("browser of", os.getpid(), "is", mains[0].pid, file=file)
"""
TESTS = """
import pytest

CLICK = {"type": "click", "css": "#go"}

@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_count(artifact, scheme):
    artifact.open("site/count.html", viewport="400x300", scheme=scheme)
    artifact.assert_matches_baseline("before")
    assert "clicked" in artifact.act(CLICK)[0]
    assert artifact.read("#count") == "1"
    assert artifact.read("#go", {"css": "b", "attr": "count"}) == ["Go", "1"]
    assert artifact.eval("return {count}") == {"count": 1}
    assert artifact.shot("#go").startswith(b"\\x89PNG")
    assert artifact.errors == []
    artifact.assert_matches_baseline("after", target="#count")

@pytest.mark.anyio
async def test_again(artifact):
    artifact.open("site/count.html").assert_matches_baseline()

@pytest.fixture
def anyio_backend():
    return "asyncio"
"""
BROKEN = """
CLICK = {"type": "click", "css": "#go"}

def test_new(artifact):
    artifact.open("site/count.html").assert_matches_baseline()

def test_none(artifact):
    artifact.open("site/nothing.html")

def test_act(artifact):
    artifact.open("site/count.html").act({"type": "click", "css": "#stop"})

def test_word(artifact):
    artifact.open("site/count.html").act({"type": "clik"})

def test_unseen(artifact):
    artifact.open("site/count.html").act([CLICK] * 3)

def test_left_behind(artifact):
    artifact.open("site/count.html").act([CLICK] * 3)
    artifact.open("site/count.html")

def test_seen_beside(artifact):
    artifact.open("site/count.html").act([CLICK] * 3)
    assert artifact.read("#count") == "2"

def test_compared(artifact):
    artifact.open("site/count.html").act([CLICK] * 3)
    artifact.assert_matches_baseline()

def test_twice(artifact):
    artifact.open("site/count.html")
    for _ in range(2):
        try:
            artifact.assert_matches_baseline("one")
        except AssertionError:
            pass

def test_good_because_it_looks(artifact):
    artifact.open("site/count.html").act([CLICK] * 3)
    (error,) = artifact.errors
    assert (error.place, error.kind, error.count) == ("shared/count.js:4:23", "uncaught", 1)
    assert "stop.here is not a function" in error.text

def test_good_because_it_says_so(artifact):
    artifact.open("site/count.html", fail_on="load").act([CLICK] * 3)
"""
WAITING = """
def test_done(artifact):
    try:
        artifact.open("site/count.html").assert_matches_baseline()
    except AssertionError:
        pass

def test_wait(artifact):
    artifact.open("site/count.html", clock="real")
    open("waiting", "w").close()
    artifact.act({"type": "wait", "ms": 25_000})
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name, text in {
        "public/site/count.html": PAGE,
        "public/shared/count.js": SCRIPT,
        "pytest.ini": "[pytest]\nartifact_root = public\n",
        "tests/test_it.py": TESTS,
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def command(*arguments: str) -> list[str]:
    module = "artifact_kit.hosts.pytest_plugin"
    installed = any(each.value == module for each in entry_points(group="pytest11"))
    plugin = () if installed else ("-p", module)
    plain = ("-q", "-p", "no:cacheprovider", "-W", "error", "-p", "no:randomly")
    return [sys.executable, "-m", "pytest", *plain, *plugin, *arguments]


def run(folder: Path, *arguments: str, ci: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(*arguments),
        cwd=folder,
        env={**os.environ, "CI": ci},
        capture_output=True,
        text=True,
        timeout=80,
        check=False,
    )


def report(project: Path) -> Report:
    return loads((project / "out/pytest/report.json").read_bytes(), "report.json")


def outcomes(project: Path) -> list[str]:
    return [check.outcome for check in report(project).checks]


def left(file: Path) -> list[int]:
    """Which of the processes that a run noted still run."""
    noted = [line.split() for line in file.read_text().splitlines() if line[0].isdigit()]
    assert noted
    alive = [(pid, born) for pid, born in noted if psutil.pid_exists(int(pid))]
    return [
        int(p) for p, born in alive if abs(psutil.Process(int(p)).create_time() - float(born)) < 1
    ]


@pytest.mark.timeout(200)
def test_two_workers_compare_and_only_what_is_approved_becomes_a_baseline(project: Path) -> None:
    """Row 44 of the field reports."""
    (shown,) = [
        block.body
        for block in readme.blocks(readme.README.read_text(encoding="utf-8"))
        if block.language == "python" and "(artifact)" in block.body
    ]
    (project / "tests/test_readme.py").write_text(shown)
    shutil.copytree(readme.ROOT / "fixtures/todo", project / "public/fixtures/todo")
    told_to = run(project, "-n", "2", "--artifact-accept-new")
    assert told_to.returncode == 0, told_to.stdout
    there = files(project / "baselines")
    assert sum(name.endswith(".png") for name in there) == 6
    assert "saved baselines/tests/test_it.py/test_again/" in told_to.stdout
    assert outcomes(project) == ["new"] * 6

    (project / "public/site/count.html").write_text(PAGE.replace("20px", "24px"))
    (project / "tests/conftest.py").write_text(CONFTEST)
    moved = run(project / "tests", "-n", "2", "--dist", "load")
    assert moved.returncode == 1
    assert "3 failed, 1 passed" in moved.stdout
    assert files(project / "baselines") == there
    processes = project / "tests/processes.txt"
    browsers = re.findall("browser of .*", processes.read_text())
    assert (len(browsers), len(set(browsers))) == (4, 2)
    assert left(processes) == []

    assert "tests/test_it.py/test_again: stable but different:" in moved.stdout
    told = moved.stdout.partition("test_again: stable")[2].partition("test_it.py:")[0]
    named = dict(re.findall(r"^E +(\w+): +(\S.*)$", told, re.MULTILINE))
    for kind in ("baseline", "actual", "diff", "report"):
        assert (project / "tests" / named[kind]).is_file()
    approve = ["/bin/sh", "-c", named["accept"]]
    accepted = subprocess.run(approve, cwd=project / "tests", env=readme.environment(), check=False)
    assert accepted.returncode == 0
    same = run(project, "-k", "again")
    assert same.returncode == 0, same.stdout
    assert outcomes(project) == ["match"]
    assert not (project / "out/pytest/diff").exists()


def test_what_goes_wrong_in_a_page_fails_its_test(project: Path) -> None:
    (project / "tests/test_it.py").write_text(BROKEN)
    done = run(project)
    assert "9 failed, 2 passed" in done.stdout
    error = "  shared/count.js:4:23  Uncaught TypeError: stop.here is not a function"
    assert done.stdout.count(f"the page had errors:\n{error}") == 2
    assert re.search(f"Captured page errors call -+\n{re.escape(error)}", done.stdout)
    assert not (project / "baselines").exists()
    for told in (
        "AssertionError: tests/test_it.py/test_new: there is no baseline yet",
        "  actual:   out/pytest/new/tests/test_it.py/test_new/",
        "  report:   out/pytest/report.html",
        "  accept:   artifact-kit approve out/pytest/report.json tests/test_it.py/test_new",
        "AssertionError: there is no site/nothing.html in ",
        "AssertionError: actions[0] click: nothing matches #stop",
        "ValueError: actions[0].type 'clik' is not one of click,",
        "test_compared: the page has 1 error, first: shared/count.js:4:23",
        "two comparisons are named 'tests/test_it.py/test_twice/one'",
    ):
        assert told in done.stdout


def test_an_interrupted_run_leaves_a_report_and_no_browser(project: Path) -> None:
    (project / "tests/test_it.py").write_text(WAITING)
    options = {} if os.name == "nt" else {"start_new_session": True}
    with subprocess.Popen(
        command("--artifact-accept-new"),
        cwd=project,
        env={**os.environ, "CI": ""},
        stdout=subprocess.PIPE,
        text=True,
        **options,  # type: ignore[call-overload]
    ) as started:
        while not (project / "waiting").exists():
            assert started.poll() is None
            time.sleep(0.05)
        began = psutil.Process(started.pid).children(recursive=True)
        os.killpg(started.pid, signal.SIGINT)
        out, _ = started.communicate(timeout=20)
    assert started.returncode == pytest.ExitCode.INTERRUPTED, out
    assert report(project).interrupted
    assert outcomes(project) == ["new"]
    assert not (project / "baselines").exists()
    assert psutil.wait_procs(began, timeout=10)[1] == []


@pytest.mark.anyio
async def test_the_check_command_never_takes_baselines_of_tests_for_left_over(
    project: Path,
) -> None:
    out, baselines = str(project / "out"), str(project / "baselines")
    suite = await suite_of([str(project)], out=out, baselines=baselines, wishes=Wishes())
    platform = platform_key()
    for name in ("gone", "tests/test_it.py/test_again"):
        await suite.store.put(baseline_key(name, platform), name, b"", None)
    report = await suite.report(suite.judge(Browsers(Limits())), [], 0, stopped=False)
    assert report.obsolete == (f"gone/{platform}",)


def test_a_run_that_could_not_fail_is_refused_in_ci(project: Path) -> None:
    done = run(project, "--artifact-update", ci="true")
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "--artifact-update is refused in CI" in done.stderr
    assert "add --artifact-update-in-ci" in done.stderr


def test_tests_that_open_no_page_pay_nothing_and_leave_no_trace(project: Path) -> None:
    (project / "tests/test_it.py").write_text(
        "import sys\ndef test_one():\n    for name in ('playwright', 'PIL', 'jinja2', 'click'):\n"
        "        assert name not in sys.modules\n"
    )
    assert run(project).returncode == 0
    assert not (project / "out").exists()
