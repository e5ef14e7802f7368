"""A reply's text: facts in, the whole of what a model reads out (pure)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from artifact_kit.preview.journal import Entry, News, no_network_hint
from artifact_kit.preview.libraries import package
from artifact_kit.text import clip, plural

if TYPE_CHECKING:
    from artifact_kit.contract import Image

_MOST_ERRORS = 12
_MOST_CONSOLE = 12
_MOST_BLOCKED = 8
_MOST_NOTES = 8
_LINE = 400
_CUT_NOTE = 40


@dataclass
class Reply:
    """What one preview call found out; handlers add, `text` renders."""

    result: list[str] = field(default_factory=list)
    page: str = ""
    """Which page it is; empty where that was told before."""
    verdict: str = ""
    errors_in_all: int = 0
    news: News = field(default_factory=News)
    looks: list[str] = field(default_factory=list)
    images: list[Image] = field(default_factory=list)
    data: dict[str, Any] = field(default_factory=dict)

    def text(self, most: int) -> str:
        """The complete text, at most `most` characters; a long result is cut, not what broke."""
        parts = [
            self._page_line(),
            *_section("errors", self.news.errors, self.news.errors_left_out, _MOST_ERRORS, _error),
            *_section(
                "console", self.news.console, self.news.console_left_out, _MOST_CONSOLE, _console
            ),
            *_blocked(self.news.blocked),
            *_section("also", self.news.notes, 0, _MOST_NOTES, _note),
            *[f"looks: {look}" for look in self.looks],
        ]
        news = "\n".join(part for part in parts if part)
        room = max(most - len(news) - 1, most // 4)
        result = _cut("\n".join(self.result), room)
        return clip("\n".join(part for part in (result, news) if part), most)

    def _page_line(self) -> str:
        """The verdict, after what page it is where that is new."""
        if not self.verdict:
            return ""
        errors = f" ({plural(self.errors_in_all, 'error')})" if self.errors_in_all else ""
        page = f"{self.page} · " if self.page else ""
        return f"page: {page}{self.verdict}{errors}"


def _cut(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    return f"{text[: most - _CUT_NOTE]}\n…[{len(text) - most + _CUT_NOTE} characters left out]"


def _section(name: str, entries: list[Entry], left_out: int, most: int, render: Any) -> list[str]:
    if not entries and not left_out:
        return []
    shown = entries if len(entries) <= most + 1 else [*entries[: most // 2], *entries[-most // 2 :]]
    hidden = left_out + len(entries) - len(shown)
    lines = [line for entry in shown for line in render(entry)]
    if hidden:
        lines.insert(len(lines) // 2, f"  … {hidden} more left out")
    new = f" ({len(entries) + left_out} new)" if name != "also" else ""
    return [f"{name}{new}:", *lines]


def _at(entry: Entry) -> str:
    return f" ({entry.place})" if entry.place else ""


def _times(entry: Entry) -> str:
    return f" ×{entry.count}" if entry.count > 1 else ""


def _error(entry: Entry) -> list[str]:
    where = f"{entry.place}  " if entry.place else ""
    lines = [f"  {where}{clip(_one_line(entry.text), _LINE)}{_times(entry)}"]
    if entry.source and entry.place:
        lines.append(f"    {entry.place.line:>4} | {entry.source}")
    return lines


def _console(entry: Entry) -> list[str]:
    level = "" if entry.level == "log" else f"{entry.level}: "
    return [f"  {level}{clip(_one_line(entry.text), _LINE)}{_times(entry)} {_at(entry)}".rstrip()]


def _note(entry: Entry) -> list[str]:
    return [f"  {clip(_one_line(entry.text), _LINE)}{_times(entry)}"]


def _one_line(text: str) -> str:
    return text.rstrip().replace("\r\n", "\n").replace("\n", "⏎ ").replace("\r", "⏎ ")


def _blocked_group(name: str, entries: list[Entry]) -> str:
    """One package, or one address that belongs to none."""
    first, times = entries[0], sum(entry.count for entry in entries)
    npm = "" if name == first.text else f" of npm package {name}"
    more = f" (+{len(entries) - 1} more of it)" if len(entries) > 1 else ""
    many = f" ×{times}" if times > len(entries) else ""
    return f"  {first.level} {clip(first.text, 200)}{npm}{_at(first)} blocked{many}{more}"


def _blocked(entries: list[Entry]) -> list[str]:
    if not entries:
        return []
    groups: dict[str, list[Entry]] = {}
    for entry in entries:
        groups.setdefault(package(entry.text) or entry.text, []).append(entry)
    lines = [_blocked_group(*group) for group in list(groups.items())[:_MOST_BLOCKED]]
    if len(groups) > _MOST_BLOCKED:
        lines.append(f"  … {len(groups) - _MOST_BLOCKED} more")
    return [f"blocked ({len(entries)}): {no_network_hint()}", *lines]
