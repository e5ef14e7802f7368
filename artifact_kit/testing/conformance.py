"""The conformance suite: every promise about a storage, tried on the real thing."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import anyio

from artifact_kit.errors import ToolError
from artifact_kit.testing.checks import PROMISES
from artifact_kit.workspace import Workspace

Open = Callable[[], Workspace]
"""Makes a workspace over the storage; two calls must see the same files."""


@dataclass(frozen=True)
class Check:
    """One promise: `writer` and `reader` are two workspaces over the same, empty folder."""

    name: str
    promise: str
    run: Callable[[Workspace, Workspace], Awaitable[None]] = field(repr=False)

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Finding:
    """A promise that does not hold, and what was seen instead."""

    check: str
    promise: str
    seen: str

    def __str__(self) -> str:
        return f"{self.check}: {self.promise} Seen: {self.seen}"


@dataclass(frozen=True)
class Report:
    """What the suite found; `str(report)` is for people."""

    passed: tuple[str, ...]
    findings: tuple[Finding, ...]

    @property
    def ok(self) -> bool:
        """Every promise holds."""
        return not self.findings

    def __str__(self) -> str:
        said = f"{len(self.passed)} of {len(self.passed) + len(self.findings)} promises hold"
        return "\n".join([said, *(f"- {finding}" for finding in self.findings)])


def _check(run: Callable[[Workspace, Workspace], Awaitable[None]]) -> Check:
    name = getattr(run, "__name__", "check")
    return Check(name.replace("_", " "), (run.__doc__ or "").strip(), run)


CHECKS: tuple[Check, ...] = tuple(_check(run) for run in PROMISES)


async def conformance(
    open_workspace: Open, *, checks: tuple[Check, ...] = CHECKS, deadline_s: float = 30.0
) -> Report:
    """Run the checks on a storage, each in a scratch folder that is removed afterwards.

    `open_workspace` is called twice for each check, so that what one instance only remembers
    does not count as stored; make a new filesystem instance in it. Never raises for what the
    storage does.
    """
    passed: list[str] = []
    findings: list[Finding] = []
    for check in checks:
        seen = await _seen(check, open_workspace, deadline_s)
        if seen:
            findings.append(Finding(check.name, check.promise, seen))
        else:
            passed.append(check.name)
    return Report(tuple(passed), tuple(findings))


async def _seen(check: Check, open_workspace: Open, deadline_s: float) -> str:
    """What went wrong; nothing when the promise holds."""
    scratch = f"conformance-{os.urandom(4).hex()}"
    try:
        whole = open_workspace()
        with anyio.fail_after(deadline_s):
            await check.run(whole.scope(scratch), open_workspace().scope(scratch))
            await _clear(whole, scratch)
    except TimeoutError:
        return f"no end within {deadline_s:g} s"
    except Exception as error:  # noqa: BLE001  # whatever a host's storage raises is the finding
        return _told(error)
    return ""


def _told(error: Exception) -> str:
    match error:
        case ExceptionGroup():
            return _told(error.exceptions[0])
        case AssertionError():
            return str(error)
        case ToolError():
            return f"{type(error).__name__.lower()} ({error.code}): {error.message}"
    return f"{type(error).__name__}: {error}"


async def _clear(workspace: Workspace, scratch: str) -> None:
    path = workspace.path(scratch)
    if await workspace.info(path) is not None:
        await workspace.delete(path, recursive=True)
