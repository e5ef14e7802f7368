"""`artifact-kit demo`: it ends 0 only when everything really happened."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from PIL import ImageChops

from artifact_kit import Outcome, Toolkit
from artifact_kit.hosts.demo.story import GAME, Unexpected, play
from tests.hosts.command import kit, picture

if TYPE_CHECKING:
    from pathlib import Path


def test_the_demo_finds_the_error_fixes_it_and_plays(tmp_path: Path) -> None:
    (tmp_path / "out" / "workspace").mkdir(parents=True)
    for left in ("after.png", f"workspace/{GAME}"):
        (tmp_path / "out" / left).write_text("an earlier demo's")
    done = kit("demo", "--out", "out", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "game.html:72:25  Uncaught TypeError" in done.stdout
    assert 'changed: <b id="score">' in done.stdout or "1280×720 · ok" in done.stdout
    assert "Score 2, no errors" in done.stdout
    assert "\x1b[" not in done.stdout
    assert "basket.column * CELL" in (tmp_path / "out" / "workspace" / GAME).read_text()
    before = picture(tmp_path / "out" / "before.png")
    after = picture(tmp_path / "out" / "after.png")
    assert before.size == after.size == (1280, 720)
    basket = (524, 530, 596, 590)
    assert ImageChops.difference(before.crop(basket), after.crop(basket)).getbbox()


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("dropped", "missing"),
    [
        ("edit_file", "the game still has errors after it was fixed"),
        ("act", "the score is '0' after playing"),
        ("write_file", "game.html not found"),
    ],
)
async def test_a_demo_in_which_a_step_did_not_happen_says_so(dropped: str, missing: str) -> None:
    async with Toolkit("memory://") as toolkit:

        async def ask(why: str, tool: str, **args: Any) -> Outcome:
            if dropped in (tool, args.get("op")):
                return Outcome("ok", why, data={"errors": 0})
            return await toolkit.call(tool, args)

        with pytest.raises(Unexpected, match=missing):
            await play(ask)
