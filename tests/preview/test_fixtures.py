"""Every artifact of `fixtures/` is opened, used, read, run and pictured as its table says."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.preview.conftest import FIXTURES
from tests.preview.desk import picture

if TYPE_CHECKING:
    from tests.preview.desk import Desk

pytestmark = pytest.mark.anyio

INDEX: list[dict[str, Any]] = json.loads((FIXTURES / "index.json").read_text(encoding="utf-8"))
OPEN_CHARS = 600
ACT_CHARS = 400
"""What a reply about a healthy page may cost; a token of a model is some four characters."""
LEVELS = {"warning": "warn: ", "error": "error: ", "info": "info: ", "log": ""}


@pytest.mark.parametrize("fixture", INDEX, ids=[each["name"] for each in INDEX])
async def test_an_artifact_shows_what_its_table_says(desk: Desk, fixture: dict[str, Any]) -> None:
    opened = await desk.call("open", path=fixture["entry"])
    assert opened.status == "ok", opened.text
    assert f'"{fixture["title"]}"' in opened.text
    told = {"open": opened.text, "steps": ""}
    last = opened
    for step in fixture["steps"]:
        last = await desk.act(step)
        assert last.status == "ok", last.text
        assert fixture["broken"] or len(last.text) <= ACT_CHARS, last.text
        told["steps"] += last.text
    await check_answers(desk, fixture)
    check_told(fixture["expect"], told)
    for when, outcome in (("open", opened), ("end", last)):
        if fixture["verdict"][when]:
            assert outcome.data["verdict"] == fixture["verdict"][when], outcome.text
    if not fixture["broken"]:
        assert "errors" not in opened.text + told["steps"]
        assert len(opened.text) <= OPEN_CHARS, opened.text
    await check_pixels(desk, fixture["expect"]["pixels"])


async def check_answers(desk: Desk, fixture: dict[str, Any]) -> None:
    if fixture["reads"]:
        queries = [{"css": read["css"], "attr": read["attr"]} for read in fixture["reads"]]
        answers = await desk.call("read", queries=queries)
        assert answers.data["values"] == [read["expect"] for read in fixture["reads"]]
    for each in fixture["evals"]:
        outcome = await desk.call("eval", code=each["code"])
        assert outcome.status == "ok", outcome.text
        result = outcome.data["result"]
        value = result if isinstance(each["expect"], str) else json.loads(result)
        assert value == each["expect"], each["code"]


def check_told(expect: dict[str, Any], told: dict[str, str]) -> None:
    both = told["open"] + told["steps"]
    for error in expect["errors"]:
        text = told[error["when"]]
        line = next((line for line in text.splitlines() if place_of(error) in line), "")
        assert error["message"].removeprefix("Uncaught ") in line, text
        assert not error.get("repeats") or "×" in both
    for request in expect["blocked"]:
        assert f"{request['type']} {request['url']}" in both
    for path in expect["missing"]:
        assert f"{path} failed to load: not in the workspace" in both
    for line in expect["console"]:
        if line["path"]:
            text = f"{LEVELS[line['level']]}{line['text']}"
            assert f"{text}  ({place_of(line)})" in told[line["when"]]


def place_of(entry: dict[str, Any]) -> str:
    return f"{entry['path']}:{entry['line']}:{entry['column']}"


async def check_pixels(desk: Desk, pixels: list[dict[str, Any]]) -> None:
    if not pixels:
        return
    shot = picture(await desk.call("shot"))
    for pixel in pixels:
        found = shot.getpixel((pixel["x"], pixel["y"]))
        assert isinstance(found, tuple)
        assert all(abs(a - b) <= 2 for a, b in zip(found, pixel["rgb"], strict=True)), found
