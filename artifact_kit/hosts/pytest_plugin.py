"""The pytest plugin: a fixture that opens pages and compares pictures, one browser a process.

Tests compare and leave candidates; only the process that started the run makes baselines, once
all tests have ended and only when it was told to.
"""

from __future__ import annotations

import os
import time
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from artifact_kit.hosts.artifact import Artifact
    from artifact_kit.hosts.comparisons import Conclusion
    from artifact_kit.hosts.places import Places
    from artifact_kit.hosts.studio import Studio
    from artifact_kit.visual import Accept

_OPEN = pytest.StashKey["Artifact"]()
"""Of a test that uses the fixture."""
_CHECKS = "artifact_checks"
"""Of a test's last report: what it compared, as JSON, which also comes from another process."""
_ENDED = (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)

_SETTINGS = {
    "artifact_root": (".", "The folder or URL of the pages that tests open."),
    "artifact_baselines": ("baselines", "The folder or URL of the pictures to compare with."),
    "artifact_out": ("out/pytest", "The folder or URL for the report and the pictures of a run."),
}


def pytest_addoption(parser: pytest.Parser) -> None:
    """What the command line and the settings take."""
    group = parser.getgroup("artifact-kit", "pages and their baselines (artifact-kit)")
    for option, metavar, told in (
        ("out", "URL", "Where the report and the pictures go, in place of artifact_out."),
        ("browser", "PATH|URL", "A Chromium, or the CDP address of a remote one."),
    ):
        group.addoption(f"--artifact-{option}", metavar=metavar, help=told)
    for option, told in (
        ("update", "Make pictures the baselines where they differ or are new."),
        ("accept-new", "Make pictures baselines where there is none yet."),
        ("update-in-ci", "Allow that where CI is set."),
    ):
        group.addoption(f"--artifact-{option}", action="store_true", help=told)
    for name, (default, told) in _SETTINGS.items():
        parser.addini(name, f"{told} [default: {default}]", default=default)


def pytest_configure(config: pytest.Config) -> None:
    """Refuse a run that could not fail."""
    if hasattr(config, "workerinput"):  # of pytest-xdist
        return
    config.pluginmanager.register(_Collector(config), "artifact-kit-collector")
    accept = _accept(config)
    if accept is None:
        return
    from artifact_kit.errors import Refusal
    from artifact_kit.visual import check_allowed, in_ci

    option = "--artifact-update" if accept == "changed" else "--artifact-accept-new"
    allowed = config.getoption("--artifact-update-in-ci")
    try:
        check_allowed(option, sharded=False, ci=in_ci(os.environ), update_in_ci=allowed)
    except Refusal as refusal:
        told = refusal.message.replace("--update-in-ci", "--artifact-update-in-ci")
        raise pytest.UsageError(told) from None


def pytest_collection_finish(session: pytest.Session) -> None:
    """Load the kit where a test uses it, before the time of any test runs."""
    if any(_artifact_studio.__name__ in getattr(i, "fixturenames", ()) for i in session.items):
        import_module("artifact_kit.hosts.artifact")


@pytest.fixture(scope="session")
def _artifact_studio(request: pytest.FixtureRequest) -> Iterator[Studio]:
    """The browser of this process."""
    from artifact_kit.hosts.studio import Studio

    browser = request.config.getoption("--artifact-browser")
    with Studio(_places(request.config), browser=browser) as studio:
        yield studio


@pytest.fixture
def artifact(request: pytest.FixtureRequest, _artifact_studio: Studio) -> Iterator[Artifact]:
    """Opens a page of the project in a sandboxed browser, drives it, and compares it with its
    baseline:

        def test_start(artifact):
            artifact.open("games/snake.html", viewport="phone")
            artifact.act({"type": "click", "css": "#start"})
            assert artifact.read("#score") == "0"
            assert artifact.eval("return game.state") == "running"
            artifact.assert_matches_baseline("started", masks=["#clock"])

    The page's time stands still but for `wait` and `step` actions and a frame for each other one,
    so that a picture is the same every time; `open(…, clock="real")` lets it pass.

    A test fails at its end when its page had errors (uncaught ones, unhandled rejections, failed
    loads, blocked requests) that it did not look at: `artifact.errors` gives them, typed, and the
    test answers for them from then on. `open(…, fail_on="none")`, or other words of `fail_on`,
    changes what counts, also as `fail_on` in the table `[tool.artifact-kit]` of pyproject.toml.

    Baselines are written only by --artifact-accept-new and --artifact-update, or afterwards by
    `artifact-kit approve`; the message of a failed comparison says how.
    """
    from artifact_kit.hosts.artifact import Artifact

    page = Artifact(_artifact_studio, _name(request.node), _accept(request.config))
    request.node.stash[_OPEN] = page
    yield page
    page.leave()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    """Fail a test that let an error of its page go by; tell of it where the test fails anyway."""
    try:
        result = yield
    except (Exception, pytest.fail.Exception):
        if told := _errors(item):
            item.add_report_section("call", "page errors", told)
        raise
    if told := _errors(item):
        hint = "look at artifact.errors where they are meant, or open it with fail_on='none'"
        pytest.fail(f"the page had errors:\n{told}\n{hint}", pytrace=False)
    return result


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, Any]:
    """Give what a test compared to its report."""
    report = yield
    if report.when == "teardown" and _OPEN in item.stash:
        page = item.stash[_OPEN]
        setattr(report, _CHECKS, [check.model_dump_json() for check in page.checks])
        del item.stash[_OPEN]
    return report


class _Collector:
    """What all tests compared, in the process that started the run."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._found: list[str] = []
        self._end: Conclusion | None = None
        self._began = time.monotonic()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take in what a test compared, wherever it ran."""
        self._found += getattr(report, _CHECKS, ())

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the report, and make baselines when that was wished for."""
        if not self._found:
            return
        import anyio

        from artifact_kit.hosts.comparisons import conclude
        from artifact_kit.visual import Check

        checks = [Check.model_validate_json(each) for each in self._found]
        latest = {check.name: check for check in checks}  # a test may have run again

        async def work() -> Conclusion:
            return await conclude(
                latest.values(),
                _places(self._config),
                _accept(self._config),
                seconds=time.monotonic() - self._began,
                stopped=session.exitstatus not in _ENDED,
            )

        self._end = anyio.run(work)
        if self._end.failed and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say what was written, and where to look."""
        if self._end is None:
            return
        from artifact_kit.hosts.reports import tell
        from artifact_kit.visual import REPORT

        terminalreporter.section("artifacts")
        for line in self._end.said:
            terminalreporter.write_line(line)
        if self._end.report is not None:
            places = _places(self._config)
            tell(self._end.report, places.shown(places.out, REPORT), terminalreporter.write_line)


def _errors(item: pytest.Item) -> str:
    """A line for each error of the test's pages that it has not looked at."""
    if _OPEN not in item.stash:
        return ""
    try:
        found = item.stash[_OPEN].unseen()
    except AssertionError as ended:
        return f"  {ended}"
    times = [f" ×{each.count}" if each.count > 1 else "" for each in found]
    return "\n".join(
        f"  {f'{each.place}  {each.text}'.strip()}{many}"
        for each, many in zip(found, times, strict=True)
    )


def _name(item: pytest.Item) -> str:
    """What a test's comparisons are named after: `tests/test_game.py/test_start[dark]`.

    Not its id, to which pytest-xdist adds a group.
    """
    file = item.nodeid.partition("::")[0]
    inner = [each.name for each in item.listchain() if isinstance(each, pytest.Class | pytest.Item)]
    return "/".join((file, *inner))


def _places(config: pytest.Config) -> Places:
    from artifact_kit.hosts.places import Places, whole

    root, here = config.rootpath, config.invocation_params.dir
    typed = config.getoption("--artifact-out")
    return Places(
        root,
        here,
        artifacts=whole(root, config.getini("artifact_root")),
        baselines=whole(root, config.getini("artifact_baselines")),
        out=whole(here, typed) if typed else whole(root, config.getini("artifact_out")),
    )


def _accept(config: pytest.Config) -> Accept | None:
    if config.getoption("--artifact-update"):
        return "changed"
    return "new" if config.getoption("--artifact-accept-new") else None
