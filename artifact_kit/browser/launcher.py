"""Starts confined browsers and lets none of them outlive its host."""

import asyncio
import contextlib
import itertools
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import anyio
from playwright.async_api import Browser, Error, Playwright, async_playwright

from artifact_kit.browser import confinement, processes
from artifact_kit.browser.chromium import Chromium
from artifact_kit.browser.confinement import Confinement, Layer
from artifact_kit.browser.watch import Watch, Why
from artifact_kit.errors import Failure

_LAUNCH_S = 30.0
_GRACE_S = 0.5
_END_S = 3.0
_POLL_S = 0.01
_SCRIPTS = Path(__file__).parent


class Gone(asyncio.Event):
    """Set once the browser is gone; then `why` says how: it `crashed` (or was killed from
    outside), went beyond its `memory`, was `killed` on request, or was `closed`."""

    why: Why | None = None

    def tell(self, why: Why) -> None:
        """The first reason told stands."""
        if not self.is_set():
            self.why = why
            self.set()


class RunningBrowser:
    """One browser: local and confined, or a connection to a remote one (`pid` is None then)."""

    def __init__(
        self, browser: Browser, pid: int | None, dispose: Callable[["RunningBrowser"], None]
    ) -> None:
        self.browser = browser
        self.pid = pid
        self.gone = Gone()
        self._dispose = dispose
        self._ending: asyncio.Task[None] | None = None
        browser.on("disconnected", lambda _: self.gone.tell("crashed"))

    async def close(self) -> None:
        """End it: asked for half a second, then killed. Never raises; a second call waits for
        the first. Afterwards no process and no profile folder is left."""
        await self._end("closed", _GRACE_S)

    async def kill(self) -> None:
        """End it at once, for a browser that no longer answers."""
        await self._end("killed", 0)

    async def _end(self, why: Why, grace_s: float) -> None:
        if self._ending is None:
            self.gone.tell(why)
            self._ending = asyncio.create_task(self._finish(grace_s))
        elif not grace_s:
            self._kill()
        await asyncio.shield(self._ending)

    async def _finish(self, grace_s: float) -> None:
        if grace_s:
            with contextlib.suppress(Error, TimeoutError):
                await asyncio.wait_for(self.browser.close(), grace_s)
        self._kill()
        with anyio.move_on_after(_END_S):
            while self.pid is not None and _is_left(self.pid):  # noqa: ASYNC110 -- no event for it
                await anyio.sleep(_POLL_S)
        self._dispose(self)

    def _kill(self) -> None:
        if self.pid is not None:
            processes.kill_tree(self.pid)


def _is_left(pid: int) -> bool:
    return processes.is_alive(pid) or bool(processes.members(pid))


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
        self._missing: dict[str, str] = {}
        self._running: set[RunningBrowser] = set()
        self._numbers = itertools.count()
        self._watch = Watch(memory_bytes)
        self._playwright: Playwright | None = None
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
        """Start the driver and find out which layers this system allows."""
        self._playwright = await async_playwright().start()
        if self.chromium.executable is not None:
            await anyio.to_thread.run_sync(self._prepare)

    def _prepare(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="artifact-kit-"))
        # Others may pass through, as the unprivileged user must, and see nothing.
        self._folder.chmod(0o711)
        for name in ("launch.sh", "guard.sh"):
            script = Path(shutil.copyfile(_SCRIPTS / name, self._folder / name))
            script.chmod(0o755)
        if sys.platform != "win32":
            self._guard = subprocess.Popen(  # noqa: S603 -- our own script
                [self._folder / "guard.sh", self._folder],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                cwd="/",
            )

    async def close(self) -> None:
        """Close all browsers, the driver, and remove every file that was made."""
        await asyncio.gather(*(browser.close() for browser in list(self._running)))
        self._watch.stop()
        if self._playwright is not None:
            await self._playwright.stop()
        if self._guard is not None:
            await anyio.to_thread.run_sync(self._guard.communicate)
        elif self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    async def launch(self, *, extra_args: Sequence[str] = ()) -> RunningBrowser:
        """A new browser, with `extra_args` beside the kit's own switches.

        Raises:
            Failure: `no_browser` when it does not start.
        """
        try:
            running = await self._launch(extra_args)
        except Error as error:
            raise Failure("The browser did not start.", code="no_browser") from error
        self._running.add(running)
        if running.pid is not None:
            loop = asyncio.get_running_loop()
            self._watch.add(
                running.pid, lambda why: loop.call_soon_threadsafe(running.gone.tell, why)
            )
        return running

    async def _launch(self, extra_args: Sequence[str]) -> RunningBrowser:
        if self._playwright is None or self._folder is None or self.chromium.executable is None:
            raise RuntimeError("the launcher has not been started")
        run = self._folder / str(next(self._numbers))
        run.mkdir(mode=0o711)
        browser = await self._playwright.chromium.launch(
            executable_path=self._folder / "launch.sh",
            env=dict(
                confinement.environment(
                    self.chromium.executable, run, self._wanted, self._memory_bytes
                )
            ),
            args=[*confinement.SWITCHES, *confinement.RENDERING, *extra_args],
            ignore_default_args=list(confinement.NOT_FROM_PLAYWRIGHT),
            chromium_sandbox=self._wanted.renderer_sandbox,
            artifacts_dir=run / "artifacts",
            timeout=_LAUNCH_S * 1000,
        )
        pid = int((run / "pid").read_text().split()[0])

        def dispose(running: RunningBrowser) -> None:
            self._watch.discard(pid)
            self._running.discard(running)
            shutil.rmtree(run, ignore_errors=True)

        return RunningBrowser(browser, pid, dispose)

    def layers(self) -> tuple[Layer, ...]:
        """What confines the browser here, and what the system does not allow."""
        return ()
