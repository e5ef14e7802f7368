"""A browser on a fresh machine: the one that is there, else one that is installed now."""

import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import anyio

from artifact_kit.browser.chromium import VARIABLE, Chromium, find
from artifact_kit.browser.confinement import is_root
from artifact_kit.errors import Failure

_PLAYWRIGHT_S = 600.0
_APT_UPDATE_S = 180.0
_APT_INSTALL_S = 900.0
# Another apt may be at work, as on a machine that has just been started: wait for it.
_APT = (
    "apt-get",
    "-q",
    "-y",
    "-o",
    "DPkg::Lock::Timeout=120",
    "-o",
    "Acquire::Retries=2",
    "-o",
    "Dpkg::Use-Pty=0",
)
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
# Without it every emoji of a page is an empty box in its picture.
_EMOJI = "fonts-noto-color-emoji"

Progress = Callable[[str], None]


def _to_stderr(line: str) -> None:
    sys.stderr.write(f"artifact-kit: {line}\n")
    sys.stderr.flush()


async def provide(
    setting: str | None = None, *, install: bool = True, progress: Progress = _to_stderr
) -> Chromium:
    """The Chromium that `find` finds, or one that is installed now, which takes minutes.

    An installation goes on to its end when the caller is cancelled: a package manager that is
    stopped half-way leaves a system to repair. `progress` gets lines, from another thread.

    Raises:
        Failure: `no_browser`; the message says what failed and what to type.
    """
    if found := await find(setting):
        return found
    failed: list[str] = []
    if install:
        for name, run in _ways():
            progress(f"no Chromium here; installing one with {name}")
            trouble = await anyio.to_thread.run_sync(run, progress, abandon_on_cancel=True)
            if found := await find(setting):
                progress(f"using {found.source}, {found.version}")
                return found
            failed.append(f"{name} failed: {trouble or 'what it installed does not start'}")
    raise Failure(_message(failed), code="no_browser")


def _message(failed: Sequence[str]) -> str:
    tried = f" and none could be installed ({'; '.join(failed)})" if failed else ""
    apt = "`apt-get install chromium-headless-shell` or " if _is_debian() else ""
    return (
        f"No browser was found{tried}. Install one with {apt}`python -m playwright install "
        f"--with-deps chromium-headless-shell`, or set {VARIABLE} to the path of a Chromium or "
        "to the CDP address of a remote one."
    )


def _ways() -> list[tuple[str, Callable[[Progress], str]]]:
    ways: list[tuple[str, Callable[[Progress], str]]] = [
        ("Playwright's download", _from_playwright)
    ]
    if is_root() and _is_debian():
        ways.append(("apt-get", _from_debian))
    return ways


def _is_debian() -> bool:
    try:
        text = Path("/etc/os-release").read_text(encoding="utf-8")
    except OSError:
        return False
    return re.search(r"^ID(_LIKE)?=.*\b(debian|ubuntu)\b", text, re.MULTILINE) is not None


def _from_playwright(progress: Progress) -> str:
    command = [sys.executable, "-m", "playwright", "install", "chromium-headless-shell"]
    return _run(command, _PLAYWRIGHT_S, progress)


def _from_debian(progress: Progress) -> str:
    quiet = {"DEBIAN_FRONTEND": "noninteractive"}
    # Not decisive: the lists may be good enough, or another apt may be fetching them.
    _run([*_APT, "update"], _APT_UPDATE_S, progress, quiet)
    trouble = ""
    for package in ("chromium-headless-shell", "chromium"):
        command = [*_APT, "install", "--no-install-recommends", package, _EMOJI]
        trouble = _run(command, _APT_INSTALL_S, progress, quiet)
        if not trouble:
            break
    return trouble


def _run(
    command: Sequence[str],
    seconds: float,
    progress: Progress,
    more: Mapping[str, str] | None = None,
) -> str:
    """Run to the end with its lines as progress; what went wrong in a line, or nothing."""
    try:
        process = subprocess.Popen(  # noqa: S603 -- our own words
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
            env={**os.environ, **(more or {})},
            start_new_session=True,
        )
    except OSError as error:
        return f"{command[0]}: {error.strerror}"
    overdue = threading.Timer(seconds, process.terminate)
    overdue.start()
    lines = []
    with process:
        for raw in process.stdout or ():
            line = _COLOUR.sub("", raw).strip()
            if not line:
                continue
            lines.append(line)
            progress(line)
    if not overdue.is_alive():
        return f"it took longer than {seconds:.0f} seconds"
    overdue.cancel()
    return "" if process.returncode == 0 else _cause(lines)


def _cause(lines: Sequence[str]) -> str:
    """The line of an installer's output that names the cause."""
    marked = [line for line in lines if re.match(r"E: |Error: ", line)]
    line = (marked or [*lines, "it ended without a word"])[0 if marked else -1]
    return re.sub(r"^(E|Error): ", "", line)
