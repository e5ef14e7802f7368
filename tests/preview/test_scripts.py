"""The scripts of `driver_js`: their types, and what they may lean on in a hostile page."""

from __future__ import annotations

import functools
import shutil
import subprocess
from pathlib import Path

import pytest

DRIVER = Path(__file__).parents[2] / "driver_js"
NPM = shutil.which("npm")

pytestmark = [
    pytest.mark.skipif(NPM is None, reason="needs Node's npm"),
    pytest.mark.timeout(180),
]


@functools.cache
def programs() -> str:
    """A search path with `tsc` and `eslint`; npm starts once for both."""
    packages = ("--package=typescript@5", "--package=eslint@9")
    command = [str(NPM), "exec", "--yes", *packages, "--", "node", "-p", "process.env.PATH"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def said_by(program: str, *options: str, folder: Path = DRIVER) -> str:
    """What a program has to say; empty when it is content."""
    found = shutil.which(program, path=programs())
    done = subprocess.run(
        [str(found), *options], cwd=folder, capture_output=True, text=True, check=False
    )
    return "" if done.returncode == 0 else done.stdout + done.stderr


def said_by_types(folder: Path) -> str:
    return said_by("tsc", "--skipDefaultLibCheck", "-p", str(folder))


@pytest.mark.parametrize("part", ["main", "clock", "driver", "worker"])
def test_the_types_hold(part: str) -> None:
    assert said_by_types(DRIVER / part) == ""


def test_a_type_that_does_not_hold_is_found(tmp_path: Path) -> None:
    shutil.copytree(DRIVER / "worker", tmp_path / "worker")
    script = tmp_path / "worker" / "9_wrong.js"
    script.write_text("/** @type {number} */\nconst wrong = self.name;\n")
    assert "9_wrong.js" in said_by_types(tmp_path / "worker")


def test_what_runs_in_the_pages_world_uses_only_what_it_took_in_time() -> None:
    assert said_by("eslint", ".") == ""


def test_a_builtin_that_was_not_taken_is_found(tmp_path: Path) -> None:
    shutil.copytree(DRIVER, tmp_path / "driver_js")
    wrong = "function late(list) { return JSON.stringify(list.map((each) => [...each])) }\n"
    (tmp_path / "driver_js" / "main" / "9_wrong.js").write_text(wrong)
    said = said_by("eslint", ".", folder=tmp_path / "driver_js")
    assert said.count("9_wrong.js") == 1
    assert "Unexpected use of 'JSON'" in said
    assert said.count("no-restricted-syntax") == 2
