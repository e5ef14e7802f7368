"""`artifact-kit check`: pages opened, driven, and compared with their baselines."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import anyio
import click

from artifact_kit.errors import Failure
from artifact_kit.hosts.options import needs_browser, provided
from artifact_kit.hosts.progress import Progress
from artifact_kit.hosts.reports import tell, told
from artifact_kit.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from artifact_kit.visual import Accept, Report, Run, Suite

    Command = TypeVar("Command", bound=Callable[..., Any])

_FAIL_ON = ("errors", "uncaught", "rejection", "load", "blocked", "console", "blank", "none")
_UPDATE = "--update"


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What the command was asked for."""

    paths: tuple[str, ...]
    root: str
    out: str
    baselines: str
    jobs: int
    shard: str | None
    update: Accept | None
    accept_new: bool
    allow_deleted: bool
    update_in_ci: bool
    fail_on: tuple[Any, ...]
    clock: Any
    budget: float | None
    setting: str | None
    install: bool

    @property
    def accept(self) -> Accept | None:
        """Which pictures become baselines."""
        return self.update or ("new" if self.accept_new else None)


class _Check(click.Command):
    """`--update` alone means `--update=changed`, and takes no path that follows it."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        alone = {_UPDATE: f"{_UPDATE}=changed"}
        return super().parse_args(ctx, [alone.get(each, each) for each in args])


def _takes_settings(command: Command) -> Command:
    for option in reversed((
        click.argument("paths", nargs=-1, required=True, metavar="PATH..."),
        click.option(
            "--baselines", default="baselines", show_default=True, metavar="URL",
            help="The folder with the pictures to compare with.",
        ),
        click.option(
            "-o", "--out", default="out", show_default=True, metavar="URL",
            help="The folder for the report and the pictures.",
        ),
        click.option(
            "--root", default="", metavar="URL",
            help="A folder of all pages: they may load its files, and checks are named from there."
            " [default: each PATH's own folder; checks are named from the current one]",
        ),
        click.option(
            _UPDATE, type=click.Choice(["changed", "all"]), metavar="[=all]",
            help="Make pictures the baselines where they differ or are new; with =all also where"
            " they differ within the tolerance.",
        ),
        click.option("--accept-new", is_flag=True, help="Only where there is no baseline yet."),
        click.option(
            "--allow-deleted", is_flag=True,
            help="Pass although there are baselines whose page or shot is gone.",
        ),
        click.option("--update-in-ci", is_flag=True, help="Allow that where CI is set."),
        click.option("--shard", metavar="I/N", help="Only this part of the checks, such as 2/3."),
        click.option(
            "-j", "--jobs", type=click.IntRange(1, 64), default=_jobs, metavar="N",
            help="How many browsers work side by side. [default: two more than processors]",
        ),
        click.option(
            "--budget", type=click.FloatRange(1, 600), metavar="SECONDS",
            help="How long one page may take with all its steps. [default: 30]",
        ),
        click.option(
            "--clock", type=click.Choice(["real", "virtual"]),
            help="Whether a page's time passes by itself, or with its steps alone. [default:"
            " virtual]",
        ),
        click.option(
            "--fail-on", multiple=True, type=click.Choice(_FAIL_ON), metavar="WHAT",
            help=f"What in a page fails its check, of {', '.join(_FAIL_ON)}; errors are the four"
            " that follow it. [default: errors]",
        ),
    )):  # fmt: skip
        command = option(command)
    return needs_browser(command)


def _jobs() -> int:
    """While some browsers wait for the host, others work."""
    count = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    return count + 2


@click.command(cls=_Check, short_help="Compare pages with their baselines.")
@_takes_settings
def check(**given: Any) -> None:
    """Open each page in PATH, do the steps of its scenario, and compare its pictures.

    PATH is a page, a scenario, a folder, a glob or an fsspec URL. A scenario is a file
    name.check.yaml beside name.html; the table [tool.artifact-kit] of pyproject.toml fills what it
    leaves out.

    Ends 0 when all match; 1 when something differs, is new, missing, broken or not stable, or when
    a baseline's page is gone; 2 when there is nothing to check or it can't be done as asked; 3 when
    there is no browser or a storage can't be reached; 130 after Ctrl-C, with a report of what was
    done.
    """
    with told():
        raise SystemExit(anyio.run(_check, Settings(**given)))


async def _check(settings: Settings) -> int:
    from artifact_kit import visual

    began = time.monotonic()
    shard = visual.shard_of(settings.shard) if settings.shard else None
    _check_writes(settings)
    wishes = visual.Wishes(
        shared=visual.project_table(Path.cwd()),
        clock=settings.clock,
        fail_on=settings.fail_on,
        budget_seconds=settings.budget,
    )
    suite = await visual.suite_of(
        settings.paths,
        out=settings.out,
        baselines=settings.baselines,
        wishes=wishes,
        root=settings.root,
        shard=shard,
    )
    browser = await _browser(suite, settings)
    with _stopping() as stop:
        async with visual.Browsers(Limits(), browser=browser) as browsers:
            run = visual.Run(suite.judge(browsers), Limits())
            broke = await _run(run, suite, settings.jobs, stop.scope)
        halted = bool(stop.signal or broke)
        seconds = time.monotonic() - began
        report = await suite.report(
            run.judge,
            run.checks,
            seconds,
            stopped=halted,
            allow_deleted=settings.allow_deleted,
        )
        try:
            await visual.publish(suite.output, report)
            if settings.accept and not halted:
                report = await _promoted(report, suite, settings.accept)
                await visual.publish(suite.output, report)
        finally:  # also when a storage gives up: the pages were looked at
            if broke is None:
                tell(report, f"{settings.out.rstrip('/')}/{visual.REPORT}")
    if broke is not None:
        raise broke
    return 128 + stop.signal if stop.signal else visual.exit_code(report)


def _check_writes(settings: Settings) -> None:
    from artifact_kit import visual

    for option, wished in (("--update", settings.update), ("--accept-new", settings.accept_new)):
        if wished:
            visual.check_allowed(
                option,
                sharded=bool(settings.shard),
                ci=visual.in_ci(os.environ),
                update_in_ci=settings.update_in_ci,
            )


async def _browser(suite: Suite, settings: Settings) -> str | None:
    """The browser to use; none where every page is missing."""
    if all(view.artifact.problem for view in suite.views):
        return None
    return await provided(settings.setting, install=settings.install)


async def _run(run: Run, suite: Suite, jobs: int, scope: anyio.CancelScope) -> Failure | None:
    """Check all pages, or as many as can be; gives what kept the rest from being checked."""
    from artifact_kit import visual

    views = suite.views
    await visual.clear(suite.output)
    with Progress(views, jobs) as progress, scope:
        run.tell = progress.tell
        try:
            await run.check(views, jobs=jobs)
        except Failure as failure:
            if not run.checks:
                raise
            return failure
    return None


@dataclass
class _Stop:
    """What ends the checks early, and the signal that did."""

    scope: anyio.CancelScope
    signal: int = 0


@contextmanager
def _stopping() -> Iterator[_Stop]:
    """Ctrl-C and a friendly kill end the checks and not the program; a second one does."""
    loop, stop = asyncio.get_running_loop(), _Stop(anyio.CancelScope())

    def end(number: int, _: object) -> None:
        stop.signal = number
        restore()
        # A terminal sends Ctrl-C to Playwright's driver too: what it leaves open is no news.
        loop.set_exception_handler(lambda _loop, _context: None)
        loop.call_soon_threadsafe(stop.scope.cancel)

    def restore() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    before = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        restore()


async def _promoted(report: Report, suite: Suite, accept: Accept) -> Report:
    from artifact_kit import visual

    def says(path: str) -> None:
        click.echo(f"saved {suite.store.shown.rstrip('/')}/{path}")

    done = await visual.promote(report, suite.output, suite.store, accept, tell=says)
    for name, why in done.refused:
        click.echo(visual.flat(f"refused {name}: {why}"), err=True)
    return done.report
