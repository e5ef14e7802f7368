"""Where a check's baseline lies: a rule over names alone, the same on every platform."""

from __future__ import annotations

import hashlib
import platform
import re
import sys
import unicodedata
from typing import TYPE_CHECKING, Literal

from artifact_kit.errors import Refusal
from artifact_kit.text import clip, well_formed

if TYPE_CHECKING:
    from collections.abc import Iterable

PictureKind = Literal["new", "actual", "baseline", "diff", "earlier"]

_READABLE_BYTES = 100
_UNSAFE = re.compile(r"[^\w.\-]+")
_EDGES = " .-"
_DEVICE = re.compile(r"(?:con|prn|aux|nul|conin\$|conout\$|clock\$|(?:com|lpt)[0-9¹²³])(?=\.|$)")
_TAKEN = re.compile(r"\.(png|json)$")
"""Endings of the store's own files, which no folder may have."""
_SYSTEMS = {"darwin": "macos", "win32": "windows", "cygwin": "windows"}
_MACHINES = {"amd64": "x86_64", "x64": "x86_64", "aarch64": "arm64", "arm64e": "arm64"}


def platform_key(
    engine: str = "chromium", *, system: str | None = None, machine: str | None = None
) -> str:
    """What pictures depend on beyond the page: `linux-x86_64-chromium`; by default this machine."""
    system = _SYSTEMS.get(system or sys.platform, system or sys.platform)
    machine = (machine or platform.machine()).lower()
    parts = (system, _MACHINES.get(machine, machine), engine.lower())
    return "-".join(_UNSAFE.sub("_", part).replace("-", "_") for part in parts)


def baseline_key(name: str, platform: str) -> str:
    """The baseline's path below the store's root, without its suffix.

    `Home.html/dark` gives `home.html/dark/linux-x86_64-chromium`. A name with other characters
    than letters, digits, `.`, `_` and `-`, or longer than 100 bytes, is cut and gets a digest.
    """
    return f"{folder_of(name)}/{platform}"


def folder_of(name: str) -> str:
    """The folder of a check's baselines, one for each platform."""
    folded = fold(name)
    readable = "/".join(filter(None, map(_safe, folded.split("/"))))
    if readable == folded and len(readable.encode()) <= _READABLE_BYTES:
        return readable
    digest = hashlib.sha256(folded.encode()).hexdigest()[:8]
    start = readable.encode()[:_READABLE_BYTES].decode(errors="ignore").rstrip(f"{_EDGES}/")
    return f"{start}-{digest}" if start else digest


def fold(name: str) -> str:
    """The same for names that a file system may take for one."""
    composed = unicodedata.normalize("NFC", well_formed(name))
    return unicodedata.normalize("NFC", composed.casefold())


def check_names(names: Iterable[str]) -> None:
    """Find two checks that would write one file, or one without a name.

    Raises:
        Refusal: `same_name`, in one sentence.
    """
    seen: dict[str, str] = {}
    for name in names:
        if not fold(name).strip():
            raise Refusal("a check has no name", code="same_name")
        folder = folder_of(name)
        if folder in seen:
            raise Refusal(_clash(seen[folder], name), code="same_name")
        seen[folder] = name


def picture_path(kind: PictureKind, key: str) -> str:
    """Where a run puts a picture in its output folder."""
    return f"{kind}/{key}.png"


def _clash(first: str, second: str) -> str:
    quoted = f"'{clip(first, 120)}'"
    if first == second:
        return f"two checks are named {quoted}; give each a name of its own"
    return (
        f"{quoted} and '{clip(second, 120)}' are one name on file systems that ignore case;"
        " give each check a name of its own"
    )


def _safe(segment: str) -> str:
    plain = _UNSAFE.sub("-", segment).strip(_EDGES)
    plain = _TAKEN.sub(r"-\1", plain)
    return f"_{plain}" if _DEVICE.match(plain) else plain
