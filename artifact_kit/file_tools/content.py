"""What is wrong with a text that a model wants to store, and the three repairs there are (pure)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from artifact_kit.errors import Refusal
from artifact_kit.text import clip

PAGES = frozenset({".html", ".htm", ".xhtml", ".svg", ".xml"})
MARKDOWN = frozenset({".md", ".markdown", ".mdx", ".mkd", ".qmd", ".rmd"})
PROSE = MARKDOWN | {".txt", ".rst", ".adoc", ".org", ".tex", ".csv", ".tsv", ".log"}
JSON_LIKE = frozenset(
    {".json", ".geojson", ".topojson", ".webmanifest", ".ipynb", ".map", ".jsonc", ".json5", ".har"}
)
MARKER = "…[truncated"
"""How a cut answer of our own begins its notice."""
_FENCE = re.compile(r"`{3,}|~{3,}")
_INNER_FENCE = re.compile(r"^[ \t]*(```|~~~)", re.M)
_CLOSERS = 10
_CLOSER = re.compile(
    r"</(?:antml:)?(content|parameter|invoke|function_calls|tool_call|tool_use)>\s*\Z"
)
_CONTROL = re.compile(r"[\x01-\x08\x0b\x0e-\x1f\x7f]")
_EDGE = " \t./*#<!->{}();%\"'[]…"
_WORDS = re.compile(r"[A-Za-z][A-Za-z ,'’/-]*")
_LEFT_OUT = re.compile(
    r"\b(rest|remainder|remaining|existing|previous|unchanged|omitted|other|same|original)\b", re.I
)
_OF_WHAT = re.compile(
    r"\b(code|functions?|methods?|file|contents?|implementation|logic|html|css|styles?|scripts?"
    r"|markup|sections?|class(es)?|components?|lines?|imports?|tests?|rules?|handlers?|body"
    r"|unchanged|before|above|here|remains?|stays?|omitted)\b",
    re.I,
)
_SIGNS = ("...", "…", "unchanged", "the same", "as before", "omitted", "as is")
_SURE = re.compile(
    r"((the )?(rest|remainder) of (the |your |this )?\w+|(the )?(remaining|existing|previous) \w+"
    r"|everything else) ((is|are|goes|remains?|stays?|left) ?)*(unchanged|the same|as before"
    r"|omitted|as is)",
    re.I,
)


@dataclass(frozen=True)
class Repaired:
    """A text as it will be stored, and the words about each repair."""

    text: str
    notes: tuple[str, ...] = ()


def repaired(text: str, *, suffix: str, strict: bool) -> Repaired:
    """The text without a fence around it and without stray tool-call tags at its end.

    Raises:
        Refusal: when a repair is needed and `strict` forbids it.
    """
    text, tags = _without_closers(text)
    notes = []
    if tags:
        noun = "tag" if len(tags) == 1 else "tags"
        notes.append(f"removed stray tool-call {noun} at the end ({', '.join(tags)})")
    fence, inner = ("", text) if suffix in MARKDOWN else _unfenced(text)
    if fence:
        text = inner
        notes.append(f"removed the code fence ({fence}) around content")
    if notes and strict:
        needed = "; ".join(note.replace("removed", "needs removing:", 1) for note in notes)
        raise Refusal(
            f"content {needed}. Nothing was written. Send only the text of the file.",
            code="needs_repair",
        )
    return Repaired(text, tuple(notes))


def _unfenced(text: str) -> tuple[str, str]:
    """The fence that stands around the whole text, empty when none does, and what is inside."""
    bare = text.strip()
    fence = _FENCE.match(bare)
    if fence is None:
        return "", text
    head, _, rest = bare.partition("\n")
    inner, _, foot = ("\n" + rest).rpartition("\n")
    inner = inner[1:] + "\n" if inner else ""
    if "`" in head[fence.end() :] or foot.strip() != fence[0] or _INNER_FENCE.search(inner):
        return "", text
    return fence[0], inner


def _without_closers(text: str) -> tuple[str, list[str]]:
    tags: list[str] = []
    while found := _CLOSER.search(text, max(0, len(text) - 200)):
        if len(tags) == _CLOSERS or re.search(rf"<(antml:)?{found[1]}[\s>]", text):
            break
        tags.insert(0, found[0].strip())
        text = text[: found.start()]
    return text, tags


def as_json(value: Mapping[str, Any] | list[Any] | tuple[Any, ...], suffix: str) -> str:
    """An object or array as the text of a .json file.

    Raises:
        Refusal: for a file of another type, or a value that JSON cannot hold.
    """
    kind = "object" if isinstance(value, Mapping) else "array"
    if suffix in JSON_LIKE:
        try:
            return json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
        except (ValueError, TypeError, RecursionError):
            kind = f"{kind} that JSON cannot hold"
    raise Refusal(
        f"content must be one string (got {kind}). Nothing was written. Send the complete text of "
        "the file as one string.",
        code="bad_argument",
    )


def check(text: str, *, name: str, suffix: str, known: str, remedy: str) -> None:
    """Refuse a text that would store something else than was meant.

    `known` is text that may hold a placeholder line already: the file, or oldText.

    Raises:
        Refusal: for NUL, a page sent escaped, placeholders, our own truncation notice.
    """
    state = "Nothing was written." if name == "content" else "Nothing was changed."
    if (nul := text.find("\x00")) >= 0:
        raise Refusal(
            f"{name} has a NUL character (U+0000) at line {_line(text, nul)}. {state} A text file "
            "cannot hold it; leave it out, or write it as an escape of the language.",
            code="nul",
        )
    if name == "content" and suffix in PAGES and _is_escaped(text):
        raise Refusal(
            f"content is HTML-escaped (it begins with {clip(text.lstrip(), 24)!r} and has no < at "
            f"all). {state} Send the page with real < and > characters.",
            code="escaped",
        )
    cut = text.find(MARKER)
    if cut >= 0 and MARKER not in known:
        raise Refusal(
            f"{name} has the truncation notice of a read at line {_line(text, cut)} "
            f"('{MARKER}…') instead of the real text. {state} {remedy}",
            code="truncation_notice",
        )
    if suffix not in PROSE and (found := placeholder(text, known)):
        line, shown = found
        raise Refusal(
            f"{name} has a placeholder at line {line} ('{clip(shown, 60)}') instead of the real "
            f"text. {state} {remedy}",
            code="placeholder",
            facts={"lines": [line]},
        )


def _is_escaped(text: str) -> bool:
    return "<" not in text and text.lstrip()[:4].lower() == "&lt;"


def placeholder(text: str, known: str) -> tuple[int, str] | None:
    """The first line that stands for text left out, unless `known` has the same line."""
    for start in sorted(_telling_lines(text)):
        end = text.find("\n", start)
        line = text[start : end if end >= 0 else len(text)]
        if len(line) < 200 and _stands_for_more(line) and line.strip() not in known:
            return _line(text, start), line.strip()
    return None


def _telling_lines(text: str) -> set[int]:
    """Where the lines begin that hold one of the signs without which no line is a placeholder."""
    low = text.lower()
    # Lower case of a few letters is longer; then places in one text are none in the other.
    low = low if len(low) == len(text) else text
    starts: set[int] = set()
    for sign in _SIGNS:
        place = low.find(sign)
        while place >= 0:
            starts.add(text.rfind("\n", 0, place) + 1)
            end = text.find("\n", place)
            place = low.find(sign, end) if end >= 0 else -1
    return starts


def _stands_for_more(line: str) -> bool:
    bare = line.strip()
    core = bare.strip(_EDGE)
    at = bare.find(core)
    lead, rest = bare[:at], bare[at + len(core) :]
    if not lead or "'" in lead or '"' in lead or not _WORDS.fullmatch(core):
        return False
    if _SURE.fullmatch(core):
        return True
    has_dots = any(dots in edge for dots in ("...", "…") for edge in (lead, rest))
    few = 2 <= len(core.split()) <= 10
    return has_dots and few and bool(_LEFT_OUT.search(core) and _OF_WHAT.search(core))


def notes(text: str, *, suffix: str) -> list[str]:
    """Remarks on a text that is stored as it was sent."""
    found = []
    literal = text.count("\\n")
    if literal >= 2 and "\n" not in text.strip() and suffix not in JSON_LIKE:
        found.append(
            f"content is a single line with {literal} literal \\n sequences; if line breaks were "
            "meant, send real ones"
        )
    if control := _CONTROL.search(text):
        found.append(
            f"content has control characters (U+{ord(control[0]):04X}, first at line "
            f"{_line(text, control.start())}); if an escape such as \\b was meant, double its "
            "backslash"
        )
    if inside := _cut_off_inside(text, suffix):
        found.append(
            f"the document looks cut off: it ends inside {inside}. If your reply hit its output "
            "limit, add the rest with edit_file"
        )
    return found


def _cut_off_inside(text: str, suffix: str) -> str:
    if suffix not in PAGES or suffix == ".xml":
        return ""
    low = text.lower()
    for tag in ("script", "style"):
        opened = low.rfind(f"<{tag}")
        if opened >= 0 and low.find(f"</{tag}", opened) < 0 and "/>" not in low[opened:]:
            return f"<{tag}>"
    if low.rfind("<!--") > low.rfind("-->"):
        return "a comment (<!--)"
    for tag in ("html", "svg"):
        if re.search(rf"<{tag}[\s>]", low) and f"</{tag}" not in low:
            return f"<{tag}>"
    return ""


def _line(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1
