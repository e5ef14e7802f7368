"""The README says what is so: its blocks run, and put out what it shows."""

from __future__ import annotations

import itertools
import re
import subprocess

import pytest
from PIL import Image

from tests import readme

TEXT = readme.README.read_text(encoding="utf-8")

# What differs from machine to machine and from run to run.
VOLATILE = (
    (r"\b\d+ ms\b", "N ms"),
    (r"\b\d+\.\d+ s$", "N s"),
    (r"\w+-\w+-chromium\.png", "PLATFORM.png"),
    (r"×\d+", "×N"),
    (r"\b\d+,\d+( \d+×\d+)?\b", "PLACE"),
    (r"(shot of .*?): \d+×\d+", r"\1: SIZE"),
    (r"(headless-shell|chromium) \d+(\.\d+)+ \(.*\)\n/.*", "BROWSER"),
    (r"^  (on |off)  (.{18})  .*$", r"  LAYER  \2"),
)


def steady(text: str) -> str:
    """The text without what is volatile; the limits table and code stay as they are."""
    for pattern, instead in VOLATILE:
        text = re.sub(pattern, instead, text, flags=re.MULTILINE)
    return text


@pytest.mark.timeout(300)
def test_every_output_is_what_comes_out_now() -> None:
    assert steady(TEXT) == steady(readme.real(TEXT)), "python -m tests.readme writes it anew"


def test_every_block_is_of_a_kind_that_is_run() -> None:
    found = readme.blocks(TEXT)
    assert len(found) == TEXT.count("\n```") / 2
    assert {block.language for block in found} == {"sh", "console", "python", "text"}
    shown = [block for block in found if block.language == "text" and not block.asks]
    after_python = [
        following
        for block, following in itertools.pairwise(found)
        if block.language == "python" and following.language == "text"
    ]
    assert [block for block in shown if block not in after_python] == [
        block for block in shown if "file_tools | preview" in block.body
    ]
    assert len(readme.commands(TEXT)) == 2


def test_the_limits_table_has_every_limit() -> None:
    assert readme.limits_table() in TEXT
    assert readme.limits_table().count("\n") > 20


def test_the_pictures_are_there() -> None:
    for path in re.findall(r"!\[.+?\]\((.+?)\)", TEXT):
        with Image.open(readme.ROOT / path) as picture:
            assert picture.width > 1000


def test_the_continuous_run_is_the_second_command() -> None:
    script = (readme.ROOT / ".ci" / "run").read_text(encoding="utf-8")
    (found,) = re.findall(r"awk '.*'", script)
    taken = subprocess.run(
        ["/bin/sh", "-c", f"{found} README.md"], cwd=readme.ROOT, capture_output=True, check=True
    )
    assert taken.stdout.decode().strip() == readme.commands(TEXT)[1]
    assert "pytest" in readme.commands(TEXT)[1]
