"""The pytest plugin: a fixture that opens pages and compares pictures, one browser a worker.

Tests compare and leave candidates; only the process that started the run makes baselines, once
all tests have ended and only when it was told to.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

from artifact_kit.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from artifact_kit.hosts.artifact import Artifact, Studio
    from artifact_kit.visual import Accept

_CHECKS = pytest.StashKey[list[str]]()
"""Of a test: its checks as JSON."""
_ATTRIBUTE = "artifact_checks"


def pytest_addoption(parser: pytest.Parser) -> None:
    """What the command line and the settings take."""
    group = parser.getgroup("artifact-kit", "artifacts and their baselines")
    group.addoption(
        "--artifact-baselines",
        metavar="URL",
        help="Where baselines are: a folder or an fsspec URL. [default: baselines]",
    )
    group.addoption(
        "--artifact-out",
        metavar="URL",
        help="Where pictures and the report go. [default: out]",
    )
    group.addoption(
        "--artifact-update",
        action="store_true",
        help="Make the pictures baselines where they differ or are new.",
    )
    group.addoption(
        "--artifact-accept-new",
        action="store_true",
        help="Make pictures without a baseline one.",
    )
    group.addoption(
        "--artifact-update-in-ci",
        action="store_true",
        help="Allow that where CI is set.",
    )
    group.addoption(
        "--artifact-browser",
        metavar="PATH|URL",
        help="A Chromium, or the CDP address of a remote one.",
    )
    parser.addini("artifact_baselines", "Where baselines are.", default="baselines")
    parser.addini("artifact_out", "Where pictures and the report go.", default="out")  # fmt: skip


def pytest_configure(config: pytest.Config) -> None:
    """Refuse a run that could not fail."""
    if _is_worker(config):
        return
    config.pluginmanager.register(_Collector(config), "artifact-kit-collector")
    accept = _accept(config)
    if accept is None:
        return
    from artifact_kit.visual import check_allowed, in_ci

    option = "--artifact-update" if accept == "changed" else "--artifact-accept-new"
    allowed = config.getoption("--artifact-update-in-ci")
    try:
        check_allowed(option, sharded=False, ci=in_ci(os.environ), update_in_ci=allowed)
    except Refusal as refusal:
        told = refusal.message.replace("--update-in-ci", "--artifact-update-in-ci")
        raise pytest.UsageError(told) from None


@pytest.fixture(scope="session")
def _artifact_studio(request: pytest.FixtureRequest) -> Iterator[Studio]:
    """The browser of this process, and where its pictures go."""
    from artifact_kit.hosts.artifact import Studio

    config = request.config
    with Studio(
        config.rootpath,
        out=_place(config, "out"),
        baselines=_place(config, "baselines"),
        accept=_accept(config),
        browser=config.getoption("--artifact-browser"),
    ) as studio:
        yield studio


@pytest.fixture
def artifact(request: pytest.FixtureRequest, _artifact_studio: Studio) -> Iterator[Artifact]:
    """A page to open, drive, and compare with its baseline:

    def test_start(artifact):
        artifact.open("games/snake.html", viewport="phone")
        artifact.act({"type": "click", "css": "#start"})
        assert artifact.read("#score") == "0"
        assert artifact.eval("return game.state") == "running"
        artifact.assert_matches_baseline("started", masks=["#clock"])
    """
    path, _, name = request.node.nodeid.partition("::")
    named = f"{path.removesuffix('.py')}/{name.replace('::', '/')}"
    with _artifact_studio.artifact(named) as page:
        yield page
        request.node.stash[_CHECKS] = [check.model_dump_json() for check in page.checks]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Any:
    """Give a test's checks to its report, which also comes from another process."""
    report: pytest.TestReport = yield
    if report.when == "teardown" and _CHECKS in item.stash:
        setattr(report, _ATTRIBUTE, item.stash[_CHECKS])
    return report


class _Collector:
    """The checks of all tests, in the process that started the run."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._found: list[str] = []
        self._said: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take in what a test compared, wherever it ran."""
        self._found += getattr(report, _ATTRIBUTE, ())

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the report, and make baselines when that was wished for."""
        if not self._found:
            return
        from artifact_kit.hosts.artifact import concluded

        self._said, refused = concluded(
            self._found,
            out=_place(self._config, "out"),
            baselines=_place(self._config, "baselines"),
            accept=_accept(self._config),
        )
        if refused and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say what was written, and where to look."""
        if self._said:
            terminalreporter.section("artifacts")
        for line in self._said:
            terminalreporter.write_line(line)


def _is_worker(config: pytest.Config) -> bool:
    return hasattr(config, "workerinput")  # of pytest-xdist


def _place(config: pytest.Config, name: str) -> str:
    place = str(config.getoption(f"--artifact-{name}") or config.getini(f"artifact_{name}"))
    return place if "://" in place else str(config.rootpath / place)


def _accept(config: pytest.Config) -> Accept | None:
    if config.getoption("--artifact-update"):
        return "changed"
    return "new" if config.getoption("--artifact-accept-new") else None
