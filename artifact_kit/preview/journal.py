"""What happened in a page, as facts for a reply: errors, console lines, what was stopped."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from artifact_kit.text import well_formed

if TYPE_CHECKING:
    from artifact_kit.preview.bridge import Thrown
    from artifact_kit.preview.browserlog import Said
    from artifact_kit.preview.places import Place, Places
    from artifact_kit.preview.router import Event, Traffic

_FONT_HOSTS = tuple(
    f"https://{host}/"
    for host in ("fonts.googleapis.com", "fonts.bunny.net", "use.typekit.net", "rsms.me")
)
"""Style sheets of these hosts only bring fonts; a page is whole without them."""

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
            entry.level in ("script", "stylesheet") and not entry.text.startswith(_FONT_HOSTS)
            for entry in (*self.blocked, *self.errors)
        )


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
    news.console = [_console(note, places) for note in lines.get("notes", [])]
    news.console_left_out = lines.get("left_out", 0)
    for item in stopped.get("items", []):
        _add_stopped(news, item["kind"], item["url"])
    for event in traffic.events:
        _add_event(news, event, places)
    if traffic.left_out:
        news.notes.append(Entry(f"{traffic.left_out} more requests failed or were stopped"))
    for note in failures.get("notes", []):
        if note["kind"] == "load":
            _add_failed_load(news, note, traffic, places)
    return news


def heard(said: list[Said], places: Places) -> list[Entry]:
    """What Chromium itself said, as console lines."""
    return [
        Entry(
            each.text,
            places.of(each.url, each.line, each.column),
            count=each.count,
            level=each.level,
        )
        for each in said
    ]


def _add_failure(news: News, note: dict[str, Any], places: Places) -> None:
    kind = note["kind"]
    if kind in ("error", "webgl"):
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
    if "stack" in note:
        place = places.in_stack(note["stack"])
    else:
        place = _thrown_place(note, thrown, places)
    text = f"Uncaught (in promise) {note['text']}"
    return _entry(text, place, places, note["count"], fatal=True)


def _thrown_place(note: dict[str, Any], thrown: list[Thrown], places: Places) -> Place | None:
    """Where Chromium says that such a value was thrown; uses up what belongs to the note."""
    same = [each for each in thrown if _is_of(each, note)][: note["count"]]
    for each in same:
        thrown.remove(each)
    found = (places.of(*frame) for frame in same[0].frames) if same else ()
    return next((place for place in found if place), None)


def _is_of(thrown: Thrown, note: dict[str, Any]) -> bool:
    if note["name"] != "string" or thrown.text is None:
        return note["name"] != "string" and thrown.text is None
    return well_formed(thrown.text).startswith(note["text"].removesuffix("…"))


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
        reason = (
            f"its type {mime} is not JavaScript" if mime else "the browser cannot use its content"
        )
        place = places.mention(path) or places.mention(path.rpartition("/")[2])
        entry = _entry(f"{what} {path} failed to load: {reason}", place, places, note["count"])
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
        news.errors.append(_entry(text, place, places, note["count"]))
        return
    if directive == "form-action":
        _add_stopped(news, "form", places.path(uri) or uri, note["count"])
        return
    what = directive.removesuffix("-elem").removesuffix("-attr").removesuffix("-src")
    what = {"style": "stylesheet", "img": "image", "connect": "fetch"}.get(what, what)
    _add_blocked(news, what, uri, place or places.mention(uri), note["count"])


def _add_blocked(news: News, what: str, url: str, place: Place | None, count: int) -> None:
    if any(entry.text == url for entry in news.blocked):
        return
    news.blocked.append(Entry(url, place, count=count, level=what))


def _add_stopped(news: News, kind: str, url: str, count: int = 1) -> None:
    word = "of" if kind == "download" else "to"
    news.notes.append(Entry(f"{kind} {word} {url} was stopped", count=count))


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
    entry = _entry(text, place, places, event.count)
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
