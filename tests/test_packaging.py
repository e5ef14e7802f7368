"""What is installed is what was written: the wheel, and the README's first command."""

from __future__ import annotations

import os
import shutil
import site
import subprocess
import sys
import zipfile
from typing import TYPE_CHECKING

import pytest

from tests import readme

if TYPE_CHECKING:
    from pathlib import Path

# The dependencies are those that are here, so that nothing is fetched.
AROUND = {
    **os.environ,
    "PIP_NO_DEPS": "1",
    "PIP_NO_BUILD_ISOLATION": "0",  # pip takes it for the value of --build-isolation
    "PYTHONPATH": site.getsitepackages()[0],
}
SHIPPED = ("pyproject.toml", "README.md", "artifact_kit", "driver_js")


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that the project is built from, in a folder of their own."""
    folder = tmp_path_factory.mktemp("clone")
    for name in SHIPPED:
        source = readme.ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copyfile(source, folder / name)
    return folder


def test_the_wheel_has_everything_that_runs(clone: Path, tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=clone, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if not name.startswith("artifact_kit-")}
    written = {
        str(path.relative_to(clone)).removeprefix("artifact_kit/")
        for path in (*(clone / "artifact_kit").rglob("*"), *(clone / "driver_js").rglob("*"))
        if path.is_file()
    }
    assert names == {f"artifact_kit/{name}" for name in written}
    assert {
        "artifact_kit/browser/guard.sh",
        "artifact_kit/browser/launch.sh",
        "artifact_kit/driver_js/main/1_natives.js",
        "artifact_kit/hosts/demo/game.html",
        "artifact_kit/py.typed",
    } <= names


@pytest.mark.timeout(300)
def test_the_first_command_installs_the_kit_and_runs_the_demo(clone: Path) -> None:
    first = readme.commands(readme.README.read_text(encoding="utf-8"))[0]
    done = subprocess.run(
        ["/bin/sh", "-c", first], cwd=clone, env=AROUND, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Score 2, no errors" in done.stdout
    assert (clone / "demo-out" / "after.png").stat().st_size > 5000
    where = subprocess.run(
        [clone / ".venv/bin/python", "-c", "import artifact_kit; print(artifact_kit.__file__)"],
        cwd=clone / ".venv",
        env=AROUND,
        capture_output=True,
        text=True,
        check=True,
    )
    assert where.stdout.startswith(str(clone / ".venv"))
