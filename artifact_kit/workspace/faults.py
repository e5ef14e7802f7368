"""Whatever a storage raises, in plain words about a workspace path."""

from __future__ import annotations

import errno
import logging
import re
from typing import TYPE_CHECKING

from artifact_kit.errors import Failure, Refusal, ToolError
from artifact_kit.text import clip
from artifact_kit.workspace.storage import Problem

if TYPE_CHECKING:
    from artifact_kit.workspace.storage import Code, Gate

log = logging.getLogger("artifact_kit")

_WORDS: dict[str, str] = {
    "not_found": "{path} not found",
    "is_folder": "{path} is a folder",
    "not_folder": "{path} is a file, not a folder",
    "not_file": "{path} is not a regular file",
    "not_empty": "{path} is not empty",
    "outside": "{path} leads out of the workspace through a link; use a file inside it",
    "changed": "{path} changed meanwhile; read it again and retry",
    "read_only": "{path} is in a read-only part of the workspace",
    "denied": "the storage denied access to {path} (permission)",
    "full": "no space left on the storage",
    "loop": "{path} leads through too many links",
    "too_long": "{path} is too long for the storage",
    "gone": "the workspace's own folder is gone",
    "busy": "{path} is in use by another process; try again",
    "unavailable": "the storage didn't answer",
    "kept": "the storage did not remove {path}",
    "same_path": "{path} is already there; nothing was moved",
    "into_itself": "{path} can't be moved into itself",
    "mismatch": "the storage did not keep what was written to {path}",
}
_PLAIN = ("not_found", "is_folder", "not_folder", "not_file", "not_empty", "changed")
"""Preconditions: nobody thinks that anything was changed."""
_REFUSED = ("outside", "read_only", "same_path", "into_itself")

_BY_ERRNO: dict[Code, str] = {
    "not_found": "ENOENT",
    "is_folder": "EISDIR",
    "not_folder": "ENOTDIR",
    "not_empty": "ENOTEMPTY",
    "denied": "EACCES EPERM",
    "read_only": "EROFS",
    "full": "ENOSPC EDQUOT EFBIG",
    "loop": "ELOOP",
    "too_long": "ENAMETOOLONG",
    "busy": "ETXTBSY EBUSY",
    "unavailable": "ETIMEDOUT ECONNREFUSED ECONNRESET EHOSTUNREACH ENETUNREACH EPIPE",
}
_ERRNOS: dict[int, Code] = {
    getattr(errno, name): code
    for code, names in _BY_ERRNO.items()
    for name in names.split()
    if hasattr(errno, name)
}
_TYPES: tuple[tuple[type[Exception], Code], ...] = (
    (FileNotFoundError, "not_found"),
    (IsADirectoryError, "is_folder"),
    (NotADirectoryError, "not_folder"),
    (PermissionError, "denied"),
    (TimeoutError, "unavailable"),
    (ConnectionError, "unavailable"),
    (EOFError, "unavailable"),
)
_BUGS = (LookupError, AttributeError, TypeError, NameError, NotImplementedError, AssertionError)
"""Their words are about a program, not about a file."""
_CONNECTION = re.compile(r"timeout|timedout|connect|endpoint|unreachable|disconnect", re.IGNORECASE)
_TELLING = re.compile(r"[/\\]|0x[0-9a-f]{4}|<|Traceback|\b\w+(?:Error|Exception)\b")


def answer(error: Exception, path: str, *, state: str = "", in_the_way: str = "") -> ToolError:
    """The refusal or failure that tells a model what happened.

    `state` says what became of the file; `in_the_way` is the workspace path of the problem's own
    parts. Neither host paths nor class names get into the words.
    """
    if isinstance(error, ToolError):
        return error
    code = code_of(error)
    detail = error.detail if isinstance(error, Problem) else ""
    if code == "storage":
        log.error("unexpected storage error", exc_info=error)
        words = _own_words(error)
    else:
        words = _WORDS[code].format(path=in_the_way or path) + detail
    facts: dict[str, object] = {"path": path}
    if code in _REFUSED:
        return Refusal(words, code=code, facts=facts)
    return Failure(f"{words}; {state}" if state else words, code=code, facts=facts)


def state_of(error: Exception, gate: Gate, path: str) -> str:
    """What became of the file that was to be changed."""
    code = code_of(error)
    if gate.unchanged:
        return f"{path} is unchanged" if code not in _PLAIN else ""
    if code in ("unavailable", "storage", "not_empty", "kept"):
        return f"look at {path} before you retry: part of it may be done"
    return ""


def code_of(error: Exception) -> Code:
    """What kind of trouble an exception stands for; `storage` when nobody can tell."""
    if isinstance(error, Problem):
        return error.code
    if isinstance(error, OSError) and error.errno in _ERRNOS:
        return _ERRNOS[error.errno]
    for kind, code in _TYPES:
        if isinstance(error, kind):
            return code
    if _CONNECTION.search(type(error).__name__):
        return "unavailable"
    return "storage"


def _own_words(error: Exception) -> str:
    """What the host's storage said, when it is safe to pass on: `quota exceeded`."""
    text = str(error.args[-1]) if error.args and not isinstance(error, _BUGS) else ""
    if not text.strip() or len(text) > 200 or _TELLING.search(text) or not text.isprintable():
        return "unexpected storage error"
    return clip(text.strip().rstrip("."), 200)
