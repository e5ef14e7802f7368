"""What happened in a page, as facts for a reply: errors, console lines, what was stopped."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from artifact_kit.preview.places import Place, Places
    from artifact_kit.preview.router import Event, Traffic

Severity = Literal["error", "warning", "note"]

_NO_NETWORK = "the preview has no network; put the file in the workspace and use a relative path"


@dataclass(frozen=True)
class Entry:
    """One line of a reply's errors or console."""

    text: str
    place: Place | None = None
    source: str = ""
    count: int = 1
    level: str = ""
    fatal: bool = False
    """An uncaught error of the page's own code."""


@dataclass
class News:
    """Everything that is new since the last reply, in time order within each list."""

    errors: list[Entry] = field(default_factory=list)
    console: list[Entry] = field(default_factory=list)
    blocked: list[Entry] = field(default_factory=list)
    notes: list[Entry] = field(default_factory=list)
    errors_left_out: int = 0
    console_left_out: int = 0

    @property
    def broken_parts(self) -> bool:
        """Whether a script or a style is not there."""
        return any(
            entry.level in ("script", "stylesheet") for entry in (*self.blocked, *self.errors)
        )


def gather(
    journal: dict[str, Any], stopped: dict[str, Any], traffic: Traffic, places: Places
) -> News:
    """The page's own notes, what the driver stopped, and what the router saw, as one."""
    news = News()
    failures = journal.get("failures", {})
    for note in failures.get("notes", []):
        _add_failure(news, note, places)
    news.errors_left_out = failures.get("left_out", 0)
    lines = journal.get("console", {})
    news.console = [_console(note, places) for note in lines.get("notes", [])]
    news.console_left_out = lines.get("left_out", 0)
    for item in stopped.get("items", []):
        _add_stopped(news, item["kind"], item["url"])
    for event in traffic.events:
        _add_event(news, event, places)
    return news


def _add_failure(news: News, note: dict[str, Any], places: Places) -> None:
    kind = note["kind"]
    if kind in ("error", "webgl"):
        news.errors.append(_error(note, places))
    elif kind == "rejection":
        place = places.in_stack(note.get("stack", ""))
        text = f"Uncaught (in promise) {note['text']}"
        news.errors.append(_entry(text, place, places, note["count"], fatal=True))
    elif kind == "policy":
        _add_violation(news, note, places)
    elif kind == "dialog":
        news.notes.append(Entry(_dialog(note), count=note["count"]))
    elif kind == "popup":
        _add_stopped(news, "popup", note["text"], note["count"])
    elif kind == "close":
        news.notes.append(Entry("window.close() did nothing", count=note["count"]))


def _error(note: dict[str, Any], places: Places) -> Entry:
    place = places.of(note.get("url", ""), note.get("line", 0), note.get("column", 0))
    place = place or places.in_stack(note.get("stack", ""))
    text = note["text"]
    if note.get("name") == "worker" and not text.startswith("Uncaught"):
        text = f"Uncaught {text}"
    if "SyntaxError" in text:
        text = text.removeprefix("Uncaught ")
    return _entry(text, place, places, note["count"], fatal=True)


def _entry(
    text: str, place: Place | None, places: Places, count: int, *, fatal: bool = False
) -> Entry:
    source = places.line(place) if place else ""
    return Entry(text, place, source, count, fatal=fatal)


def _console(note: dict[str, Any], places: Places) -> Entry:
    place = places.in_stack(note.get("stack", ""))
    return Entry(note["text"], place, count=note["count"], level=note["kind"])


def _dialog(note: dict[str, Any]) -> str:
    name, answer = note["name"], note.get("url", "")
    told = {
        "confirm": f", answered {'OK' if answer == 'true' else 'Cancel'}",
        "prompt": ", cancelled",
    }
    return f'dialog: {name}("{note["text"]}"){told.get(name, "")}'


def _add_violation(news: News, note: dict[str, Any], places: Places) -> None:
    directive, uri = note["name"], note["text"]
    place = places.of(note.get("url", ""), note.get("line", 0), note.get("column", 0))
    if uri in ("inline", "eval", "wasm-eval", "trusted-types-policy", "trusted-types-sink"):
        text = f"{uri} code is forbidden by the page's own Content-Security-Policy ({directive})"
        news.errors.append(_entry(text, place, places, note["count"]))
        return
    what = directive.removesuffix("-elem").removesuffix("-attr").removesuffix("-src")
    what = {"style": "stylesheet", "img": "image", "connect": "fetch"}.get(what, what)
    _add_blocked(news, what, uri, place or places.mention(uri), note["count"])


def _add_blocked(news: News, what: str, url: str, place: Place | None, count: int) -> None:
    if any(entry.text == url for entry in news.blocked):
        return
    news.blocked.append(Entry(url, place, count=count, level=what))


def _add_stopped(news: News, kind: str, url: str, count: int = 1) -> None:
    news.notes.append(Entry(f"{kind} to {url} was stopped", count=count))


def _add_event(news: News, event: Event, places: Places) -> None:
    if event.kind == "blocked":
        if event.what == "document":
            _add_stopped(news, "navigation", event.url, event.count)
        else:
            _add_blocked(news, event.what, event.url, places.mention(event.url), event.count)
    elif event.kind == "missing":
        _add_missing(news, event, places)
    elif event.kind == "navigation":
        path = places.path(event.url) or "/"
        news.notes.append(
            Entry(f"navigation to {path} was stopped: {event.reason}", count=event.count)
        )
    else:
        news.notes.append(Entry(f"requests beyond {event.reason} were refused", count=event.count))


def _add_missing(news: News, event: Event, places: Places) -> None:
    path = places.path(event.url)
    if path == "favicon.ico":
        return
    hint = f"; nearest: {event.near}" if event.near else ""
    text = f"{event.what} {path} failed to load: {event.reason} (404){hint}"
    place = places.mention(path) or places.mention(path.rpartition("/")[2])
    entry = _entry(text, place, places, event.count)
    news.errors.append(replace(entry, level=event.what))


def no_network_hint() -> str:
    """What to do about a blocked request."""
    return _NO_NETWORK
