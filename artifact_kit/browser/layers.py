"""Which layers hold on this system: each is tried, and what is missing is named."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from artifact_kit.browser.confinement import Confinement, environment, is_root
from artifact_kit.text import size

_PROBE_S = 20.0
# The file system first: in one of its own the browser's folder can be read by anybody.
_PROBED = ("files", "network", "tied", "user")
_WORDS = {
    "renderer_sandbox": ("renderer sandbox", "Chromium's own, around every page"),
    "user": ("unprivileged user", "the browser never runs as root"),
    "network": ("network namespace", "no interface and no route to anywhere"),
    "files": ("file system", "system programs, fonts and the browser; no other file of the host"),
    "switches": ("launch switches", "no name resolves, the proxy is dead, WebRTC has no UDP"),
    "tied": ("tied to its parent", "the kernel kills the browser when the driver dies"),
    "memory": ("memory cap", "a browser is killed beyond {memory} of resident memory"),
}


@dataclass(frozen=True)
class Layer:
    """One layer: whether it is on here, and what it does or why it is missing."""

    name: str
    on: bool
    detail: str


@dataclass(frozen=True)
class Allowed:
    """What a browser is started with here."""

    confinement: Confinement
    executable: str
    missing: Mapping[str, str]
    """Why a wanted layer is off, by its name in `Confinement`."""

    def without(self, layer: str, why: str) -> "Allowed":
        """The same with one layer less."""
        fewer = replace(self.confinement, **{layer: False})
        return replace(self, confinement=fewer, missing={**self.missing, layer: why})


def probe(folder: Path, executable: str, wanted: Confinement, memory_bytes: int) -> Allowed:
    """Try the launcher script in `folder` on `chromium --version`: with all layers and, where
    that fails, adding one after the other. Blocks for a tenth of a second, longer on failure."""
    run = folder / "probe"
    run.mkdir(mode=0o711)

    def trouble(confinement: Confinement, program: str) -> str:
        around = environment(program, run, confinement, memory_bytes)
        return _run([str(folder / "launch.sh"), "--version"], around)

    if wanted.user and not wanted.files:
        executable = _within_reach(executable, folder)
    allowed = Allowed(wanted, executable, {})
    if sys.platform != "linux":
        for layer in ("files", "network", "tied", "memory", *["user"] * is_root()):
            allowed = allowed.without(layer, "only on Linux")
    elif trouble(wanted, executable):
        allowed = _add_one_by_one(allowed, folder, trouble)
    shutil.rmtree(run, ignore_errors=True)
    if is_root() and not allowed.confinement.user and wanted.renderer_sandbox:
        allowed = allowed.without("renderer_sandbox", "Chromium refuses it to root")
    return allowed


def _add_one_by_one(
    wanted: Allowed, folder: Path, trouble: Callable[[Confinement, str], str]
) -> Allowed:
    layers = [layer for layer in _PROBED if getattr(wanted.confinement, layer)]
    none = replace(wanted.confinement, **dict.fromkeys(layers, False))
    allowed = replace(wanted, confinement=none)
    for layer in layers:
        more = replace(allowed, confinement=replace(allowed.confinement, **{layer: True}))
        if layer == "user" and not more.confinement.files:
            more = replace(more, executable=_within_reach(more.executable, folder))
        why = trouble(more.confinement, more.executable)
        allowed = allowed.without(layer, why) if why else more
    return allowed


def _within_reach(executable: str, folder: Path) -> str:
    """A path by which any user can run the program, which may lie in root's own home."""
    program, copy = Path(executable), folder / "browser"
    if not is_root() or all(parent.stat().st_mode & 0o001 for parent in program.parents):
        return executable
    shutil.copytree(program.parent, copy, copy_function=_link)
    return str(copy / program.name)


def _link(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:  # another file system
        shutil.copy2(source, target)


def _run(command: Sequence[str], around: Mapping[str, str]) -> str:
    """Nothing when it ends well, else why not, in a line."""
    try:
        done = subprocess.run(  # noqa: S603 -- our own script
            command,
            env=dict(around),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_PROBE_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return type(error).__name__
    words = done.stderr.decode("utf-8", "replace").strip().splitlines()
    return "" if done.returncode == 0 else (words or ["it ended without a word"])[-1]


def describe(allowed: Allowed | None, memory_bytes: int) -> tuple[Layer, ...]:
    """Each layer by name, in the order of how near to the page it is; None is a remote browser."""
    if allowed is None:
        remote = "rests on the remote browser, which was not started from here"
        return tuple(Layer(name, False, remote) for name, _ in _WORDS.values())
    layers = []
    for layer, (name, does) in _WORDS.items():
        on = getattr(allowed.confinement, layer)
        off = allowed.missing.get(layer, "switched off")
        layers.append(Layer(name, on, does.format(memory=size(memory_bytes)) if on else off))
    return tuple(layers)
