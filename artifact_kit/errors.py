"""Who must act on an error.

    ToolError
    ├── Refusal   the model must change its call; nothing was changed
    ├── Failure   the storage, the browser or the page failed; the text says in which state
    └── Aborted   the caller cancelled; the text says what may have happened

`contract.call` is the one place that turns any exception into an outcome.
"""

from typing import Literal

Verb = Literal["Save", "Read", "Edit", "Move", "Delete", "Find", "Preview"]
Facts = dict[str, object]


class ToolError(Exception):
    """An answer that is not a success. `code` is stable; `facts` become part of `outcome.data`."""

    def __init__(self, message: str, *, code: str, facts: Facts | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.facts = facts or {}


class Refusal(ToolError):
    """The call cannot be done as sent: an argument or a precondition is wrong; nothing changed."""


class Failure(ToolError):
    """The call was right and what it stands on failed.

    `verb` is the word before `failed:`; without one it is the verb of the tool that was called.
    """

    def __init__(
        self, message: str, *, code: str, verb: Verb | None = None, facts: Facts | None = None
    ) -> None:
        super().__init__(message, code=code, facts=facts)
        self.verb = verb


class Aborted(ToolError):
    """Raised by a handler in place of a cancellation, when it knows what may have happened."""
