"""Which functions ran of late, by the samples that Chromium took (pure)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

_RECENT = 25
"""Samples that show what was running of late: half a second of them."""
_HELPERS = ("(program)", "(garbage collector)")
"""What a sample names when a script waits for the engine itself."""
_MOSTLY = 0.5
_FRAMES = 3


@dataclass(frozen=True)
class Running:
    """A function that was running when a page was interrupted."""

    url: str
    line: int
    function: str


def last_running(profile: dict[str, Any]) -> tuple[Running, ...]:
    """The functions that ran most of the time of late, innermost first, each at its busiest line.

    A loop and what it calls are both told, since either may be the one that never ends.
    """
    nodes = {node["id"]: node for node in profile["nodes"]}
    parents = {child: node["id"] for node in profile["nodes"] for child in node.get("children", [])}
    taken = profile.get("samples", [])[-_RECENT:]
    recent = [each for each in taken if nodes[each]["callFrame"]["functionName"] not in _HELPERS]
    seen = Counter(each for sample in recent for each in _chain(sample, parents))
    mostly = [each for each, times in seen.items() if times >= _MOSTLY * len(recent)]
    innermost = max(mostly, key=lambda each: len(_chain(each, parents)), default=None)
    chain = [nodes[each] for each in _chain(innermost, parents)] if innermost else []
    ours = [node for node in chain if node["callFrame"]["url"].startswith("https:")]
    return tuple(_busiest(node) for node in ours[:_FRAMES])


def _busiest(node: dict[str, Any]) -> Running:
    frame, ticks = node["callFrame"], node.get("positionTicks")
    line = frame["lineNumber"] + 1
    if ticks:
        line = max(ticks, key=lambda tick: int(tick["ticks"]))["line"]
    return Running(frame["url"], line, frame["functionName"])


def _chain(node: int, parents: dict[int, int]) -> list[int]:
    """The node and its callers, innermost first."""
    chain = [node]
    while chain[-1] in parents:
        chain.append(parents[chain[-1]])
    return chain
