"""What happens in the demo: an agent's calls, and what must come back (no printing here)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from artifact_kit.contract import Image, Outcome

GAME = "game.html"
_WRONG, _RIGHT = "game.bucket.column", "game.basket.column"


class Unexpected(Exception):
    """Something of the demo did not happen; the message says what."""


class Ask(Protocol):
    """Tells what is done and why, calls the tool, and tells its answer."""

    async def __call__(self, why: str, tool: str, **args: Any) -> Outcome: ...


@dataclass(frozen=True)
class Ending:
    """What came of it."""

    score: int
    before: Image
    after: Image


async def play(ask: Ask) -> Ending:
    """Write the game, see it fail, fix it, and play it.

    Raises:
        Unexpected: An answer was not what it should be.
    """
    await _done(ask("An agent writes a game.", "write_file", path=GAME, content=_game()))
    before = await _see_it_fail(ask)
    await _fix(ask)
    score = await _catch_stars(ask)
    after = await _picture(ask("What a player sees now:", "preview", op="shot"))
    await _done(ask("It is done with the page.", "preview", op="close"))
    return Ending(score, before, after)


def _game() -> str:
    return files("artifact_kit.hosts.demo").joinpath(GAME).read_text(encoding="utf-8")


async def _see_it_fail(ask: Ask) -> Image:
    opened = await _done(ask("It looks at it.", "preview", op="open", path=GAME))
    _require(opened.data["verdict"] == "broken", "the broken game was not found to be broken")
    picture = await _picture(ask("What a player would see:", "preview", op="shot"))
    place = re.search(rf"{GAME}:(\d+):\d+ ", opened.text)
    line = int(place[1]) if place else 0
    read = await _done(
        ask(
            "It reads the lines around the error.",
            "read_file",
            path=GAME,
            startLine=max(line - 2, 1),
            endLine=line + 3,
        )
    )
    _require(_WRONG in read.text, f"the bug is not at the place that was named ({place})")
    return picture


async def _fix(ask: Ask) -> None:
    why = "There is no bucket: the game has a basket. It corrects that one word."
    await _done(ask(why, "edit_file", path=GAME, oldText=_WRONG, newText=_RIGHT))
    opened = await _done(ask("It looks again.", "preview", op="open", path=GAME))
    healthy = opened.data["verdict"] == "ok" and opened.data["errors"] == 0
    _require(healthy, "the game still has errors after it was fixed")


async def _catch_stars(ask: Ask) -> int:
    """Play until two stars are caught; gives the score that the page shows."""
    acted = await _done(
        ask(
            "No errors. It plays: two steps to the right for the first star, three to the left.",
            "preview",
            op="act",
            actions=[
                {"type": "key", "key": "Enter"},
                *[{"type": "key", "key": "ArrowRight"}] * 2,
                {"type": "wait", "code": "return game.score >= 1", "ms": 8000},
                *[{"type": "key", "key": "ArrowLeft"}] * 3,
                {"type": "wait", "code": "return game.score >= 2", "ms": 8000},
            ],
        )
    )
    _require(acted.data["errors"] == 0, "playing the game made an error")
    read = await _done(
        ask("It reads the score.", "preview", op="read", queries=[{"css": "#score"}])
    )
    shown = str(read.data["values"][0])
    _require(shown.isdigit() and int(shown) > 0, f"the score is {shown!r} after playing")
    code = "return {caught: game.score, missed: game.fallen - game.score}"
    state = await _done(ask("And it asks the game itself.", "preview", op="eval", code=code))
    agrees = state.data["result"] == f'{{"caught":{shown},"missed":0}}'
    _require(agrees, f"the page shows {shown} and the game says {state.data['result']}")
    return int(shown)


async def _done(answer: Any) -> Outcome:
    outcome: Outcome = await answer
    _require(not outcome.is_error, outcome.text.partition("\n")[0])
    return outcome


async def _picture(answer: Any) -> Image:
    outcome = await _done(answer)
    _require(len(outcome.images) == 1 and not outcome.data["blank"], "the picture is blank")
    return outcome.images[0]


def _require(holds: bool, otherwise: str) -> None:
    if not holds:
        raise Unexpected(otherwise)
