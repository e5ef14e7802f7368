"""What went wrong in a page, as a report keeps it, and whether it fails a check (pure)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from artifact_kit.preview.journal import HINTS
from artifact_kit.text import clip
from artifact_kit.visual.report import PageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from artifact_kit.preview.journal import Entry, News
    from artifact_kit.visual.scenario import FailOn

Kind = Literal["uncaught", "rejection", "load", "blocked", "console"]

_MOST = 20
_CHARS = 400
_BY_DEFAULT = frozenset({"uncaught", "rejection", "load", "blocked"})


def errors_of(news: News) -> list[PageError]:
    """The errors among what a page had to tell, in its order."""
    found = [_error(_kind(entry), entry, entry.text) for entry in news.errors]
    blocked = [entry for entry in news.blocked if entry.level not in HINTS]
    found += [_error("blocked", e, f"{e.level} {e.text} was blocked") for e in blocked]
    printed = [entry for entry in news.console if entry.level.endswith("error")]
    found += [_error("console", entry, entry.text) for entry in printed]
    return found


def joined(errors: Iterable[PageError]) -> tuple[PageError, ...]:
    """Each once, with how often it came; at most twenty of them."""
    counts: dict[tuple[str, str, str], PageError] = {}
    for error in errors:
        key = (error.kind, error.place, error.text)
        count = error.count + (counts[key].count if key in counts else 0)
        counts[key] = error.model_copy(update={"count": count})
    return tuple(counts.values())[:_MOST]


def failing(errors: Iterable[PageError], fail_on: Iterable[FailOn]) -> tuple[PageError, ...]:
    """Those that fail the check."""
    wanted = set(fail_on)
    kinds = (wanted | _BY_DEFAULT) if "errors" in wanted else wanted
    return tuple(error for error in errors if error.kind in kinds)


def _kind(entry: Entry) -> Kind:
    if entry.text.startswith("Uncaught (in promise)"):
        return "rejection"
    if "failed to load" in entry.text:
        return "load"
    return "blocked" if "is forbidden by the page's own" in entry.text else "uncaught"


def _error(kind: Kind, entry: Entry, text: str) -> PageError:
    place = str(entry.place) if entry.place else ""
    return PageError(kind=kind, place=place, text=clip(text, _CHARS), count=entry.count)
