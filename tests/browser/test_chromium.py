"""Which browser is found, on a machine of fake programs."""

import os
import shutil
import sys
from pathlib import Path

import anyio
import pytest

from artifact_kit.browser import find, provide
from artifact_kit.browser.chromium import VARIABLE
from artifact_kit.errors import Failure

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(os.name != "posix", reason="the fake programs are shell scripts"),
]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with an empty PATH, an empty cache and no setting."""
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "browsers"))
    monkeypatch.setattr("artifact_kit.browser.chromium.PLACES", {})
    return tmp_path


def program(path: Path, version: str = "150.0.1.2", code: int = 0) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\necho Chromium {version}\nexit {code}\n")
    path.chmod(0o755)
    return path


def playwrights(machine: Path, revision: int, *, complete: bool = True, code: int = 0) -> Path:
    folder = machine / "browsers" / f"chromium_headless_shell-{revision}"
    made = program(folder / "chrome-linux" / "headless_shell", code=code)
    if complete:
        (folder / "INSTALLATION_COMPLETE").touch()
    return made


@pytest.mark.usefixtures("machine")
async def test_on_an_empty_machine_nothing_is_found() -> None:
    assert await find() is None


async def test_the_newest_complete_headless_shell_of_playwright_comes_first(machine: Path) -> None:
    program(machine / "bin" / "chromium-headless-shell")
    playwrights(machine, 999)
    newest = playwrights(machine, 1187)
    playwrights(machine, 1200, complete=False)
    found = await find()
    assert found is not None
    assert found.executable == str(newest)
    assert found.kind == "headless-shell"
    assert found.version == "150.0.1.2"
    assert found.source == "Playwright's headless shell, revision 1187"


async def test_a_browser_that_does_not_start_is_passed_over(machine: Path) -> None:
    playwrights(machine, 1187, code=127)
    chrome = program(machine / "bin" / "google-chrome", "151.0.0.0")
    found = await find()
    assert found is not None
    assert (found.executable, found.kind) == (str(chrome), "chromium")


async def test_the_systems_browsers_come_in_a_fixed_order(machine: Path) -> None:
    names = ["microsoft-edge", "google-chrome", "chromium", "chromium-headless-shell"]
    for name in names:
        made = program(machine / "bin" / name)
        found = await find()
        assert found is not None
        assert found.executable == str(made)
        assert found.source.endswith(name)


@pytest.mark.parametrize("says", ['exec "$LIBRARY/chromium" "$@"', '{real} "$@"'])
async def test_behind_a_wrapper_script_the_program_itself_is_found(
    machine: Path, says: str
) -> None:
    real = machine / "lib" / "chromium" / "chromium"
    real.parent.mkdir(parents=True)
    shutil.copy("/bin/bash", real)  # a program, no script, that tells a version
    wrapper = program(machine / "bin" / "chromium")
    wrapper.write_text(f"#!/bin/sh\n{says.format(real=real)}\n")
    found = await find(str(wrapper))
    assert found is not None
    assert found.executable == str(real)


async def test_a_script_of_ones_own_is_taken_as_it_is(machine: Path) -> None:
    script = program(machine / "mine" / "browser")
    found = await find(str(script))
    assert found is not None
    assert found.executable == str(script)


async def test_snaps_are_passed_over(machine: Path) -> None:
    snap = program(machine / "bin" / "chromium-browser")
    snap.write_text('#!/bin/sh\nexec /snap/bin/chromium "$@"\n')
    assert await find() is None


async def test_a_setting_wins_and_the_environment_is_one(
    machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    playwrights(machine, 1187)
    mine = program(machine / "mine" / "chrome", "149.0.0.0")
    monkeypatch.setenv(VARIABLE, str(mine))
    found = await find()
    assert found is not None
    assert (found.executable, found.source) == (str(mine), VARIABLE)
    other = program(machine / "other" / "chrome", "148.0.0.0")
    found = await find(str(other))
    assert found is not None
    assert (found.executable, found.version) == (str(other), "148.0.0.0")


@pytest.mark.usefixtures("machine")
@pytest.mark.parametrize("address", ["http://127.0.0.1:9222", "wss://browsers.example/one"])
async def test_an_address_is_a_remote_browser(address: str) -> None:
    found = await find(address)
    assert found is not None
    assert (found.kind, found.endpoint, found.executable) == ("remote", address, None)


async def test_a_setting_that_names_nothing_fails_without_its_path(machine: Path) -> None:
    playwrights(machine, 1187)
    with pytest.raises(Failure, match="names no program that exists") as failure:
        await provide(str(machine / "nothing"))
    assert failure.value.code == "no_browser"
    assert str(machine) not in failure.value.message


@pytest.mark.usefixtures("machine")
async def test_without_a_browser_and_without_installing_one_message_says_what_to_type() -> None:
    with pytest.raises(Failure, match="No browser was found") as failure:
        await provide(install=False)
    assert failure.value.code == "no_browser"
    assert "python -m playwright install --with-deps chromium-headless-shell" in str(failure.value)
    assert VARIABLE in str(failure.value)


async def test_importing_it_loads_no_playwright() -> None:
    code = "import sys, artifact_kit.browser; sys.exit('playwright' in sys.modules)"
    done = await anyio.run_process([sys.executable, "-c", code], check=False)
    assert done.returncode == 0
