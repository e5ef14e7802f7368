"""What happened in a page, as facts for a reply: errors, console lines, what was stopped."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from artifact_kit.preview.browserlog import UNCAUGHT
from artifact_kit.text import well_formed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from artifact_kit.preview.browserlog import Said
    from artifact_kit.preview.places import Place, Places
    from artifact_kit.preview.router import Event, Traffic
    from artifact_kit.preview.thrown import Relayed, Thrown

_FONT_HOSTS = tuple(
    f"https://{host}/"
    for host in ("fonts.googleapis.com", "fonts.bunny.net", "use.typekit.net", "rsms.me")
)
"""Style sheets of these hosts only bring fonts; a page is whole without them."""

_IN_ATTRIBUTE = re.compile(r"^.*\n    at (?:\w+\.)?on[a-z]+ \(")
_UNPARSED = "Uncaught SyntaxError"
_HARMLESS = "ResizeObserver loop"
"""An error event that only says that sizes were still changing."""
_UNUSABLE = {"worker": "it, or a module that it imports, does not parse or is not there"}
_NO_SERVICE_WORKERS = (
    "Service Worker registration blocked by Playwright",
    "the preview runs no service workers",
)
_TRACED = 4
"""Callers that `console.trace` shows."""
_NO_NETWORK = "the preview has no network; put the file in the workspace and use a relative path"


HINTS = frozenset({"preconnect", "dns-prefetch", "prefetch", "prerender"})
"""What is blocked without any loss: a page only hoped to be faster by it."""


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
    at: float = 0
    """When it happened first, in milliseconds of the clock."""


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
            entry.level in ("script", "stylesheet") and not entry.text.startswith(_FONT_HOSTS)
            for entry in (*self.blocked, *self.errors)
        )


def add_relayed(journal: dict[str, Any], relayed: list[Relayed]) -> None:
    """Put the notes of foreign frames among those of the page, in time order."""
    for each in relayed:
        ring = journal.setdefault("failures" if each.failed else "console", {})
        notes = ring.setdefault("notes", [])
        notes.append(json.loads(each.note))
        notes.sort(key=lambda note: note["at"])


def gather(
    journal: dict[str, Any],
    thrown: list[Thrown],
    stopped: dict[str, Any],
    traffic: Traffic,
    places: Places,
) -> News:
    """The page's own notes, what the driver stopped, and what the router saw, as one."""
    news = News()
    failures = journal.get("failures", {})
    for note in failures.get("notes", []):
        if note["kind"] == "rejection":
            news.errors.append(_rejection(note, thrown, places))
        else:
            _add_failure(news, note, places)
    news.errors_left_out = failures.get("left_out", 0)
    lines = journal.get("console", {})
    news.console += [_console(note, places) for note in lines.get("notes", [])]
    news.console_left_out = lines.get("left_out", 0)
    for item in stopped.get("items", []):
        if item["kind"] in ("navigation", "popup", "download"):
            _add_stopped(news, item["kind"], item["url"])
        else:
            _add_blocked(news, item["kind"], item["url"], places.mention(item["url"]), 1)
    for event in traffic.events:
        _add_event(news, event, places)
    if traffic.left_out:
        news.notes.append(Entry(f"{traffic.left_out} more requests failed or were stopped"))
    for note in failures.get("notes", []):
        if note["kind"] == "load":
            _add_failed_load(news, note, traffic, places)
    news.errors.sort(key=lambda entry: entry.at)
    return news


def add_heard(news: News, said: list[Said], places: Places) -> None:
    """What Chromium itself said or stopped, and what workers printed and threw."""
    for each in said:
        place = places.of(each.url, each.line, each.column)
        if each.level == UNCAUGHT:
            note = {**vars(each), "at": 0}
            news.errors.append(_fatal(each.text, place, note, places))
        elif each.level == "popup":
            _add_stopped(news, "popup", each.text, each.count)
        elif each.level in ("fetch", "file", "script"):
            _add_blocked(news, each.level, each.text, place, each.count)
        else:
            text = places.plain(each.text)
            news.console.append(Entry(text, place, count=each.count, level=each.level))


def _add_failure(news: News, note: dict[str, Any], places: Places) -> None:
    kind = note["kind"]
    if kind == "error" and note["text"].startswith(_HARMLESS):
        news.console.append(Entry(note["text"], count=note["count"], level="warn"))
    elif kind in ("error", "webgl"):
        news.errors.append(_error(note, places))
    elif kind == "policy":
        _add_violation(news, note, places)
    elif kind == "dialog":
        news.notes.append(Entry(_dialog(note), count=note["count"]))
    elif kind in ("popup", "download"):
        _add_stopped(news, kind, note["text"], note["count"])
    elif kind == "interval":
        news.notes.append(_interval(note, places))
    elif kind == "close":
        news.notes.append(Entry("window.close() did nothing", count=note["count"]))


def _interval(note: dict[str, Any], places: Places) -> Entry:
    place = places.in_stack(note.get("stack", ""))
    text = f"{note['text']} intervals run at once: it was started again without clearInterval"
    return Entry(f"{place or 'the page'} {text}")


def _rejection(note: dict[str, Any], thrown: list[Thrown], places: Places) -> Entry:
    text = f"Uncaught (in promise) {note['text']}"
    stack = note.get("stack", "")
    place = places.in_stack(stack)
    if "\n    at " not in stack:
        place = _thrown_place(note, thrown, places)
    return _fatal(text, place, note, places)


def _thrown_place(note: dict[str, Any], thrown: list[Thrown], places: Places) -> Place | None:
    """Where Chromium says that such a value was thrown; uses up what belongs to the note."""
    same = [each for each in thrown if _is_of(each, note)][: note["count"]]
    for each in same:
        thrown.remove(each)
    found = (places.of(*frame) for frame in same[0].frames) if same else ()
    return next((place for place in found if place and not _is_top(place)), None)


def _is_top(place: Place) -> bool:
    """The top of a document is what Chromium names when it knows none."""
    return (place.line, place.column) == (1, 1) and not place.path.endswith("js")


def _is_of(thrown: Thrown, note: dict[str, Any]) -> bool:
    if note["name"] != "string" or thrown.text is None:
        return note["name"] != "string" and thrown.text is None
    return well_formed(thrown.text).startswith(note["text"].removesuffix("…"))


def _error(note: dict[str, Any], places: Places) -> Entry:
    text = note["text"]
    if note.get("name") == "worker" and not text.startswith("Uncaught"):
        text = f"Uncaught {text}"
    if text.startswith(_UNPARSED):
        text = text.removeprefix("Uncaught ")
    return _fatal(text, _error_place(note, places), note, places)


def _error_place(note: dict[str, Any], places: Places) -> Place | None:
    """Where it was thrown; the stack knows better of event attributes and of code that was
    evaluated, whose lines Chromium counts in its own text."""
    stack = note.get("stack", "")
    thrown = places.of(note.get("url", ""), note.get("line", 0), note.get("column", 0))
    if thrown is None or note["text"].startswith(_UNPARSED) or _IN_ATTRIBUTE.search(stack):
        return places.in_stack(stack) or (None if _IN_ATTRIBUTE.search(stack) else thrown)
    return thrown


def _fatal(text: str, place: Place | None, note: dict[str, Any], places: Places) -> Entry:
    """An uncaught error; code without a file is looked for, a library's caller is named."""
    if place is None:
        place = places.spelled(note["text"], note.get("column", 0))
        place = place or places.evaluated(note.get("stack", ""))
        made = note.get("line", 0) if not note.get("url", "").startswith("http") else 0
        if place is None and made:
            text += f" (line {made}:{note['column']} of {_made(note['url'])})"
    caller = places.caller(note.get("stack", ""))
    if caller is not None:
        text += f" ← {caller} {places.line(caller)}"
    entry = _entry(places.plain(text), place, places, note)
    return replace(entry, fatal=True)


def _made(url: str) -> str:
    kind = url.partition(":")[0]
    return {"blob": "a blob's code", "about": "a srcdoc frame"}.get(kind, "code made at run time")


def _entry(text: str, place: Place | None, places: Places, note: Mapping[str, Any]) -> Entry:
    source = places.line(place) if place else ""
    return Entry(text, place, source, note["count"], at=note["at"])


def _console(note: dict[str, Any], places: Places) -> Entry:
    stack, text = note.get("stack", ""), places.plain(note["text"])
    text = text.replace(*_NO_SERVICE_WORKERS)
    place = places.in_stack(stack)
    if note["kind"] == "trace":
        callers = list(places.frames(stack))[1 : _TRACED + 1]
        text += "".join(f" ← {each}" for each in callers)
    thrown = places.in_stack(note.get("thrown", ""))
    if thrown is not None and place is None:
        place = thrown
    elif thrown is not None and place and (thrown.path, thrown.line) != (place.path, place.line):
        text += f" thrown at {thrown}"
    return Entry(text, place, count=note["count"], level=note["kind"])


def _add_failed_load(news: News, note: dict[str, Any], traffic: Traffic, places: Places) -> None:
    """What an element could not use although it was there; the router told of all the rest."""
    url, tag = note["text"], note["name"]
    what = {"link": "stylesheet", "img": "image"}.get(tag, tag)
    if url.startswith("file:"):
        _add_blocked(news, what, url, places.mention(url), note["count"])
        return
    unusable = traffic.not_scripts if tag == "script" else {places.path(url): ""}
    for path, mime in unusable.items():
        if not path or any(f" {path} failed to load" in entry.text for entry in news.errors):
            continue
        reason = _UNUSABLE.get(tag, "the browser cannot use its content")
        reason = f"its type {mime} is not JavaScript" if mime else reason
        place = places.mention(path) or places.mention(path.rpartition("/")[2])
        entry = _entry(f"{what} {path} failed to load: {reason}", place, places, note)
        news.errors.append(replace(entry, level=what))


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
        news.errors.append(_entry(text, place, places, note))
        return
    if directive == "form-action":
        _add_stopped(news, "form", places.path(uri) or uri, note["count"])
        return
    what = directive.removesuffix("-elem").removesuffix("-attr").removesuffix("-src")
    what = {"style": "stylesheet", "img": "image", "connect": "fetch"}.get(what, what)
    spelled = places.mention(uri)
    if place is None or (spelled and (spelled.path, spelled.line) == (place.path, place.line)):
        place = spelled  # of an element Chromium knows only where its tag ends
    _add_blocked(news, what, uri, place, note["count"])


def _add_blocked(news: News, what: str, url: str, place: Place | None, count: int) -> None:
    if any(entry.text == url for entry in news.blocked):
        return
    news.blocked.append(Entry(url, place, count=count, level=what))


def _add_stopped(news: News, kind: str, url: str, count: int = 1) -> None:
    text = f"{kind} {'of' if kind == 'download' else 'to'} {url} was stopped"
    if kind != "popup" or all(note.text != text for note in news.notes):
        news.notes.append(Entry(text, count=count))


def _add_event(news: News, event: Event, places: Places) -> None:
    if event.kind == "blocked":
        if event.what == "document":
            _add_stopped(news, "navigation", event.url, event.count)
        else:
            _add_blocked(news, event.what, event.url, places.mention(event.url), event.count)
    elif event.kind == "missing":
        _add_missing(news, event, places)
    elif event.kind == "moved":
        news.notes.append(Entry(_moved(event, places), count=event.count))
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
    entry = _entry(text, place, places, {"count": event.count, "at": event.at})
    news.errors.append(replace(entry, level=event.what))


def _moved(event: Event, places: Places) -> str:
    path = places.path(event.url)
    if event.asked_by != path:
        return f"the page went to {path}"
    line = places.refresh_line(path)
    cause = f" (<meta http-equiv=refresh> at {path}:{line})" if line else ""
    return f"the page reloaded itself{cause}"


def no_network_hint() -> str:
    """What to do about a blocked request."""
    return _NO_NETWORK
