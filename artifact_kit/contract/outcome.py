"""What a tool call gives back."""

from dataclasses import dataclass, field
from typing import Any, Literal

Status = Literal["ok", "refused", "failed", "aborted"]


@dataclass(frozen=True)
class Image:
    """A picture for the model."""

    data: bytes = field(repr=False)
    mime_type: str
    width: int
    height: int


@dataclass(frozen=True)
class Outcome:
    """The answer to one call: complete text, pictures, and small typed facts."""

    status: Status
    text: str
    images: tuple[Image, ...] = ()
    data: dict[str, Any] = field(default_factory=dict)

    @property
    def is_error(self) -> bool:
        """True unless the call did what it was asked."""
        return self.status != "ok"
