"""Starts confined browsers and lets none of them outlive its host."""

import asyncio
import contextlib
import itertools
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Coroutine, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

import anyio

from artifact_kit.browser import processes
from artifact_kit.browser.chromium import Chromium
from artifact_kit.browser.confinement import (
    NOT_FROM_PLAYWRIGHT,
    Confinement,
    environment,
    switches,
)
from artifact_kit.browser.layers import Allowed, Layer, describe, probe
from artifact_kit.browser.running import RunningBrowser
from artifact_kit.browser.watch import Watch, Why
from artifact_kit.errors import Failure

if TYPE_CHECKING:
    from playwright.async_api import Browser, Playwright

_T = TypeVar("_T")

_LAUNCH_S = 30.0
_STOP_S = 2.0
_CLOSE_S = 10.0
_SCRIPTS = Path(__file__).parent
_WINDOWS = sys.platform == "win32"
_NOT_STARTED = "The browser did not start."
_NO_SANDBOX = ("No usable sandbox", "Chromium sandboxing failed")


class Launcher:
    """Launches browsers of one Chromium, through one Playwright driver process.

    An async context manager, or `start` and `close`. When the host's process dies, however it
    dies, its browsers and their profiles go with it.
    """

    def __init__(
        self, chromium: Chromium, *, memory_bytes: int, confinement: Confinement | None = None
    ) -> None:
        self.chromium = chromium
        self._memory_bytes = memory_bytes
        self._wanted = confinement or Confinement()
        self._allowed = Allowed(self._wanted, chromium.executable or "", {})
        self._running: set[RunningBrowser] = set()
        self._launches: set[asyncio.Task[Any]] = set()
        self._closed = False
        self._numbers = itertools.count()
        self._watch = Watch(memory_bytes if self._wanted.memory else sys.maxsize)
        self._starting = asyncio.Lock()
        self._playwright: Playwright | None = None
        self._driver: int | None = None
        self._folder: Path | None = None
        self._guard: subprocess.Popen[bytes] | None = None

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def start(self) -> None:
        """Start the driver and find out which layers this system allows.

        Raises:
            Failure: `no_browser` when Playwright's driver does not start.
        """
        try:
            await asyncio.gather(anyio.to_thread.run_sync(self._prepare), self._living_driver())
        except Exception as error:
            await self.close()
            raise Failure(_NOT_STARTED, code="no_browser") from error

    async def _living_driver(self) -> "Playwright":
        async with self._starting:
            if self._closed:
                raise Failure(_NOT_STARTED, code="no_browser")
            if self._playwright is None or not self._driver_lives():
                from playwright.async_api import async_playwright

                self._playwright = await async_playwright().start()
                self._driver = None
            return self._playwright

    def _driver_lives(self) -> bool:
        return self._driver is None or processes.is_alive(self._driver)

    def _prepare(self) -> None:
        if self.chromium.executable is None:
            return
        self._folder = folder = Path(tempfile.mkdtemp(prefix="artifact-kit-"))
        # Others may pass through, as the unprivileged user must, and see nothing.
        folder.chmod(0o711)
        for name in ("launch.sh", "guard.sh"):
            Path(shutil.copyfile(_SCRIPTS / name, folder / name)).chmod(0o755)
        if not _WINDOWS:
            self._guard = subprocess.Popen(  # noqa: S603 -- our own script
                [folder / "guard.sh", folder],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                cwd="/",
            )
        self._allowed = probe(folder, self.chromium.executable, self._wanted, self._memory_bytes)

    async def close(self) -> None:
        """Close all browsers and the driver, and remove every file that was made."""
        self._closed = True
        try:
            with anyio.move_on_after(_CLOSE_S, shield=True):
                await asyncio.gather(*self._launches, return_exceptions=True)
                await asyncio.gather(*(running.close() for running in self._running))
                await self._stop_driver()
        finally:
            self._watch.stop()
            with anyio.CancelScope(shield=True):
                await anyio.to_thread.run_sync(self._clear)

    async def _stop_driver(self) -> None:
        playwright, self._playwright = self._playwright, None
        if playwright is None:
            return
        with anyio.move_on_after(_STOP_S) as late:
            await playwright.stop()
        if late.cancelled_caught and self._driver is not None:
            processes.kill(self._driver)

    def _clear(self) -> None:
        if self._guard is not None:
            self._guard.communicate(b"\n")  # a fork of the host may hold the pipe
        elif self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    async def launch(self, *, extra_args: Sequence[str] = ()) -> RunningBrowser:
        """A new browser, with `extra_args` beside the kit's own switches.

        Raises:
            Failure: `no_browser` when it does not start.
        """
        launch = self._track(self._launch(extra_args))
        try:
            return await asyncio.shield(launch)
        except asyncio.CancelledError:
            # Playwright goes on launching for a caller that has gone.
            self._track(_end(launch))
            raise

    def _track(self, work: Coroutine[Any, Any, _T]) -> asyncio.Task[_T]:
        task = asyncio.create_task(work)
        self._launches.add(task)
        task.add_done_callback(self._launches.discard)
        return task

    async def _launch(self, extra_args: Sequence[str]) -> RunningBrowser:
        try:
            return await self._attempt(extra_args)
        except Failure:
            raise
        except Exception as error:  # noqa: BLE001 -- what Playwright raises when its driver dies
            await self._mend(error)
        try:
            return await self._attempt(extra_args)
        except Exception as error:
            raise Failure(_NOT_STARTED, code="no_browser") from error

    async def _mend(self, error: Exception) -> None:
        """Remove what kept the browser from starting, or raise."""
        if any(words in str(error) for words in _NO_SANDBOX):
            why = "the system lets Chromium open no namespace"
            self._allowed = self._allowed.without("renderer_sandbox", why)
        elif self._driver is None:
            await self._stop_driver()
        elif self._driver_lives():
            raise Failure(_NOT_STARTED, code="no_browser") from error

    async def _attempt(self, extra_args: Sequence[str]) -> RunningBrowser:
        playwright = await self._living_driver()
        if self.chromium.endpoint is not None:
            remote = await playwright.chromium.connect_over_cdp(
                self.chromium.endpoint, timeout=_LAUNCH_S * 1000
            )
            running = RunningBrowser(remote, None, self._running.discard)
        else:
            running = await self._start_browser(playwright, extra_args)
        self._running.add(running)
        return running

    async def _start_browser(
        self, playwright: "Playwright", extra_args: Sequence[str]
    ) -> RunningBrowser:
        if self._folder is None:
            raise RuntimeError("the launcher has not been started")
        run = self._folder / str(next(self._numbers))
        run.mkdir(mode=0o711)
        allowed = self._allowed
        around = environment(allowed.executable, run, allowed.confinement, self._memory_bytes)
        try:
            browser = await playwright.chromium.launch(
                executable_path=allowed.executable if _WINDOWS else self._folder / "launch.sh",
                env=None if _WINDOWS else dict(around),
                args=[*switches(allowed.confinement), *extra_args],
                ignore_default_args=list(NOT_FROM_PLAYWRIGHT),
                chromium_sandbox=allowed.confinement.renderer_sandbox,
                artifacts_dir=run / "artifacts",
                timeout=_LAUNCH_S * 1000,
            )
            pid = await self._main_process(browser, run)
        except BaseException:
            shutil.rmtree(run, ignore_errors=True)
            raise
        return self._watched(browser, pid, run)

    async def _main_process(self, browser: "Browser", run: Path) -> int:
        if not _WINDOWS:
            written = await anyio.Path(run / "pid").read_text(encoding="ascii")
            pid, self._driver = map(int, written.split())
            return pid
        session = await browser.new_browser_cdp_session()
        info = await session.send("SystemInfo.getProcessInfo")
        return next(int(one["id"]) for one in info["processInfo"] if one["type"] == "browser")

    def _watched(self, browser: "Browser", pid: int, run: Path) -> RunningBrowser:
        loop = asyncio.get_running_loop()

        def dispose(running: RunningBrowser) -> None:
            self._watch.discard(pid)
            self._running.discard(running)
            shutil.rmtree(run, ignore_errors=True)

        def gone(why: Why) -> None:
            with contextlib.suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(running.end, why)

        running = RunningBrowser(browser, pid, dispose)
        if not _WINDOWS:
            self._watch.add(pid, gone)
        return running

    def layers(self) -> tuple[Layer, ...]:
        """What confines the browser here and what the system does not allow, by name; known
        after `start`. Only a launch shows whether Chromium can set up its own sandbox."""
        remote = self.chromium.endpoint is not None
        return describe(None if remote else self._allowed, self._memory_bytes)


async def _end(launching: asyncio.Task[RunningBrowser]) -> None:
    with contextlib.suppress(Failure):
        await (await launching).kill()
