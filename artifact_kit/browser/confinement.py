"""What confines a local browser: the switches, and the command lines around its program."""

import os
import sys
from dataclasses import dataclass
from pathlib import Path

# Both names: headless shell reads the first, full Chromium the second.
_SWITCHES = (
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-server=http://127.0.0.1:9",
    "--proxy-bypass-list=<-loopback>",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--block-new-web-contents",
    # A browser holds one page alone; a frame in a process of its own would escape its scripts.
    "--disable-site-isolation-trials",
)
_RENDERING = (
    "--font-render-hinting=none",
    "--disable-lcd-text",
    "--force-color-profile=srgb",
)
# Playwright would switch Chromium's protection against floods of navigations off.
NOT_FROM_PLAYWRIGHT = ("--disable-ipc-flooding-protection",)

_NOBODY = 65534


@dataclass(frozen=True, kw_only=True)
class Confinement:
    """Which layers are wanted; all of them, except where a test looks at one alone."""

    switches: bool = True
    renderer_sandbox: bool = True
    user: bool = True
    """An unprivileged user, when the host is root."""
    network: bool = True
    """A network namespace without a route."""
    files: bool = True
    """A file system of its own, without the host's files."""
    tied: bool = True
    """The kernel ends the browser when the process that started it dies."""
    memory: bool = True
    """A browser that uses too much memory is killed."""


def switches(wanted: Confinement) -> tuple[str, ...]:
    """What Chromium is told beside Playwright's own arguments."""
    return (*_SWITCHES, *_RENDERING) if wanted.switches else _RENDERING


def is_root() -> bool:
    """Whether this process has root's rights."""
    return sys.platform != "win32" and os.geteuid() == 0


def environment(
    executable: str, run: Path, wanted: Confinement, memory_bytes: int
) -> dict[str, str]:
    """The browser's whole environment, of which the launcher script takes the `KIT_` part away."""
    drops = wanted.user and is_root()
    return {
        "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin",
        "LANG": "C.UTF-8",
        "KIT_RUN": str(run),
        "KIT_ENTER": " ".join(_enter(wanted)),
        "KIT_FILES": str(memory_bytes) if wanted.files else "",
        "KIT_FOLDER": "" if executable.startswith("/usr/") else str(Path(executable).parent),
        "KIT_OWNER": f"{_NOBODY}:{_NOBODY}" if drops else "",
        "KIT_DROP": " ".join(_drop(wanted)),
        "KIT_BROWSER": executable,
    }


def _enter(wanted: Confinement) -> list[str]:
    spaces = ["--net"] * wanted.network + ["--mount"] * wanted.files
    if not spaces:
        return []
    # Not mapped to root: Chromium would take itself for root and refuse its sandbox.
    own = [] if is_root() else ["--map-current-user", "--keep-caps"]
    return ["unshare", *own, *spaces]


def _drop(wanted: Confinement) -> list[str]:
    words: list[str] = []
    if wanted.user and is_root():
        words += [f"--reuid={_NOBODY}", f"--regid={_NOBODY}", "--clear-groups", "--no-new-privs"]
    elif _enter(wanted) and not is_root():
        words += ["--inh-caps=-all", "--ambient-caps=-all", "--bounding-set=-all", "--no-new-privs"]
    if wanted.tied:
        words += ["--pdeathsig=KILL"]
    return ["setpriv", *words, "--"] if words else []
