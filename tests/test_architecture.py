"""The house rules, as a machine can check them."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from playwright._impl._driver import compute_driver_executable

from artifact_kit.preview import scripts

ROOT = Path(__file__).parents[1]
SOURCES = sorted((ROOT / "artifact_kit").rglob("*.py"))
LONGEST = 400
ONLY_POSIX = ("fcntl", "grp", "pwd", "resource", "termios")


def said_by(*command: str | Path) -> str:
    """What a check has to say; nothing when it is content."""
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else done.stdout + done.stderr


@pytest.mark.timeout(300)
@pytest.mark.parametrize("check", ["ruff check", "ruff format --check", "mypy", "lint-imports"])
def test_a_check_is_content(check: str) -> None:
    program, *options = check.split()
    assert said_by(Path(sys.executable).parent / program, *options) == ""


@pytest.mark.parametrize("part", ["prelude", "driver"])
def test_the_scripts_of_the_driver_parse_as_they_are_sent(part: str, tmp_path: Path) -> None:
    node, _ = compute_driver_executable()
    script = tmp_path / f"{part}.js"
    script.write_text(getattr(scripts, part)("token"), encoding="utf-8")
    assert said_by(node, "--check", script) == ""
    script.write_text(script.read_text(encoding="utf-8") + "}", encoding="utf-8")
    assert "SyntaxError" in said_by(node, "--check", script)


def test_no_file_is_too_long_to_be_read() -> None:
    driver = sorted((ROOT / "driver_js").rglob("*.js"))
    assert SOURCES
    assert driver
    for path in (*SOURCES, *driver):
        assert path.read_text(encoding="utf-8").count("\n") <= LONGEST, path


def test_every_module_says_what_it_is() -> None:
    for path in SOURCES:
        assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))), path


def test_the_kit_imports_where_posix_modules_are_missing() -> None:
    code = (
        f"import sys; sys.modules.update(dict.fromkeys({ONLY_POSIX!r}))\n"
        "import artifact_kit.hosts.cli, artifact_kit.testing, artifact_kit.preview.pages"
    )
    assert said_by(sys.executable, "-c", code) == ""


def test_the_top_level_stays_small() -> None:
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        pytest.skip("not a clone")
    listed = subprocess.run(
        [git, "-c", "safe.directory=*", "ls-files"], cwd=ROOT, capture_output=True, check=True
    )
    top = {name.partition("/")[0] for name in listed.stdout.decode().splitlines()}
    shown = {name for name in top if not name.startswith(".")}
    assert shown == {
        "README.md",
        "artifact_kit",
        "driver_js",
        "fixtures",
        "pyproject.toml",
        "tests",
    }
