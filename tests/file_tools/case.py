"""One call, the files before it, and what must come of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

File = str | bytes | None


@dataclass(frozen=True)
class Case:
    """`after` names the files that change (None: gone); all others must stay as they were.

    `says` and `never` are parts of the answer, compared without case. A step is a tool call
    before the call, or files that somebody else writes.
    """

    name: str
    tool: str
    args: object
    status: str = "ok"
    before: dict[str, File] = field(default_factory=dict)
    after: dict[str, File] = field(default_factory=dict)
    says: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    code: str = ""
    steps: tuple[tuple[str, Any] | dict[str, File], ...] = ()
    limits: dict[str, Any] = field(default_factory=dict)
    failing: dict[str, str] = field(default_factory=dict)
    host_root: str | None = None
    strict: bool = False
