"""Which Chromium there is: the setting, Playwright's own headless shell, then the system's."""

import os
import re
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from subprocess import STDOUT
from typing import Literal

import anyio

from artifact_kit.errors import Failure

VARIABLE = "ARTIFACT_KIT_BROWSER"

Kind = Literal["headless-shell", "chromium", "remote"]

_VERSION_S = 20.0
NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "microsoft-edge",
    "microsoft-edge-stable",
)
# Where the program itself is, which a name on the PATH may only wrap or not lead to at all.
PLACES = {
    "chromium-headless-shell": ("/usr/lib/chromium/chromium-headless-shell",),
    "chromium": (
        "/usr/lib/chromium/chromium",
        "/Applications/Chromium.app/Contents/MacOS/Chromium",
    ),
    "google-chrome": (
        "/opt/google/chrome/chrome",
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
        r"C:\Program Files\Google\Chrome\Application\chrome.exe",
        r"C:\Program Files (x86)\Google\Chrome\Application\chrome.exe",
    ),
    "microsoft-edge": (
        "/opt/microsoft/msedge/msedge",
        "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
        r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
    ),
}


@dataclass(frozen=True)
class Chromium:
    """A browser that can be driven: a program here, or the address of one elsewhere."""

    executable: str | None
    endpoint: str | None
    kind: Kind
    version: str
    """Empty when only a connection can tell."""
    source: str
    """Where it comes from, in words: `Debian package chromium-headless-shell`."""


async def find(setting: str | None = None) -> Chromium | None:
    """The first Chromium that starts: `setting` or else `ARTIFACT_KIT_BROWSER`, Playwright's
    headless shell, the system's headless shell, Chromium, Chrome, Edge. None when there is none.

    Raises:
        Failure: `no_browser` when the setting names something that is no browser.
    """
    name, value = (
        ("The browser setting", setting) if setting else (VARIABLE, os.environ.get(VARIABLE))
    )
    if value:
        return await _named(value, name)
    for executable, source in (*_of_playwright(), *_of_system()):
        if version := await _version(executable):
            return _local(executable, version, source)
    return None


async def _named(value: str, name: str) -> Chromium:
    if re.match(r"(https?|wss?)://", value):
        return Chromium(None, value, "remote", "", name)
    executable = _binary(Path(shutil.which(value) or value))
    if executable is None:
        raise Failure(f"{name} names no program that exists.", code="no_browser")
    version = await _version(executable)
    if version is None:
        raise Failure(f"{name} names a program that does not start.", code="no_browser")
    return _local(executable, version, name)


def _local(executable: Path, version: str, source: str) -> Chromium:
    kind: Kind = "headless-shell" if re.search("headless.shell", executable.name) else "chromium"
    return Chromium(str(executable), None, kind, version, source)


def _of_playwright() -> Iterator[tuple[Path, str]]:
    folders = list(_playwright_folder().glob("chromium_headless_shell-*"))
    folders.sort(key=lambda folder: int(re.sub(r"\D", "", folder.name) or 0), reverse=True)
    for folder in folders:
        if not (folder / "INSTALLATION_COMPLETE").exists():
            continue
        for executable in folder.glob("*/*headless?shell*"):
            if executable.suffix in ("", ".exe") and os.access(executable, os.X_OK):
                source = f"Playwright's headless shell, revision {folder.name.rpartition('-')[2]}"
                yield executable.resolve(), source


def _playwright_folder() -> Path:
    if (named := os.environ.get("PLAYWRIGHT_BROWSERS_PATH")) and named != "0":
        return Path(named)
    if named:
        import playwright

        return Path(playwright.__file__).parent / "driver" / "package" / ".local-browsers"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "ms-playwright"
    if sys.platform == "win32":
        return Path.home() / "AppData" / "Local" / "ms-playwright"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ms-playwright"


def _of_system() -> Iterator[tuple[Path, str]]:
    for name in NAMES:
        on_path = shutil.which(name)
        for place in (*PLACES.get(name, ()), *([on_path] if on_path else [])):
            executable = _binary(Path(place))
            if executable is not None:
                yield executable, _source(name)
                break


def _source(name: str) -> str:
    packaged = Path(f"/var/lib/dpkg/info/{name}.list").exists()
    return f"{'Debian package' if packaged else 'the system,'} {name}"


def _binary(path: Path) -> Path | None:
    """The program itself behind links and the distributions' wrapper scripts, which do not all
    `exec`; None for what cannot be run or runs in a confinement of its own (snap)."""
    if not path.is_file() or not os.access(path, os.X_OK):
        return None
    path = path.resolve()
    if path.name == "snap":
        return None
    if not _is_script(path):
        return path
    text = path.read_text(encoding="utf-8", errors="replace")
    if "/snap/" in text:
        return None
    named = [Path(found) for found in re.findall(r"/[\w./-]+", text)]
    beside = [path.with_name(name) for name in ("chrome", "msedge")]
    usual = [path.parent.parent / "lib" / "chromium" / path.name]
    for candidate in (*named, *beside, *usual):
        known = "chrom" in str(candidate) or "msedge" in str(candidate)
        if known and os.access(candidate, os.X_OK) and not _is_script(candidate):
            return candidate
    return path


def _is_script(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(2) == b"#!"
    except OSError:  # a folder, or not for us to read
        return True


async def _version(executable: Path) -> str | None:
    """What the program says its version is; None when it does not start."""
    if sys.platform == "win32":
        return "unknown"  # `--version` opens a window there
    try:
        with anyio.fail_after(_VERSION_S):
            run = await anyio.run_process([executable, "--version"], check=False, stderr=STDOUT)
    except (OSError, TimeoutError):
        return None
    number = re.search(rb"\d+(\.\d+){2,}", run.stdout)
    return number.group().decode() if run.returncode == 0 and number else None
