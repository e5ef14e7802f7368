"""Path patterns as .gitignore writes them, each match bounded in time (pure).

`pathspec` translates a pattern; `regex` runs it, because a pattern of many stars would take the
standard library's matcher longer than anybody waits.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass

import regex
from pathspec import GitIgnoreSpec

_MATCH_S = 0.2


@dataclass(frozen=True)
class Rules:
    """Patterns in order, each with whether it includes or, after a `!`, excludes."""

    patterns: list[tuple[regex.Pattern[str], bool]]

    def decide(self, name: str) -> bool | None:
        """What the last matching pattern says about a path; None when none matches."""
        for pattern, include in reversed(self.patterns):
            with suppress(TimeoutError):
                if pattern.match(name, timeout=_MATCH_S):
                    return include
        return None


def rules_of(lines: list[str]) -> Rules:
    """The patterns of some lines; comments and lines that are no pattern are left out."""
    found: list[tuple[regex.Pattern[str], bool]] = []
    for line in lines:
        with suppress(ValueError, re.error):
            found += [
                (regex.compile(each.regex.pattern), each.include)
                for each in GitIgnoreSpec.from_lines([line]).patterns
                if each.include is not None and each.regex is not None
            ]
    return Rules(found)


def globbed(pattern: str) -> Rules:
    """The paths that a glob means: `*.html` at any depth, `src/**/*.js`, `*.{html,css}`."""
    return rules_of(_braces(pattern.strip().removeprefix("./"))[:64])


def _braces(pattern: str) -> list[str]:
    start = pattern.find("{")
    end = pattern.find("}", start)
    if start < 0 or end < 0 or "," not in pattern[start:end]:
        return [pattern]
    choices = pattern[start + 1 : end].split(",")
    rest = _braces(pattern[end + 1 :])
    return [f"{pattern[:start]}{choice}{tail}" for choice in choices[:16] for tail in rest[:16]]
