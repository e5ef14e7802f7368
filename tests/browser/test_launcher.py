"""A real browser: how it is confined, and that nothing of it stays behind."""

import asyncio
import contextlib
import gc
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path

import anyio
import psutil
import pytest

from artifact_kit.browser import (
    Chromium,
    Confinement,
    Launcher,
    RunningBrowser,
    find,
    provide,
)
from artifact_kit.errors import Failure

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc"),
]

MEMORY_BYTES = 2 * 1024**3
GONE_S = 5.0


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module", autouse=True)
def temporary() -> Iterator[Path]:
    """A temporary folder for these tests alone, so that everything left in it was left by them."""
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o711)
        patch.setenv("TMPDIR", name)
        patch.setattr(tempfile, "tempdir", None)
        yield Path(name)


@pytest.fixture(scope="module")
async def chromium() -> Chromium:
    return await provide()


@pytest.fixture(scope="module")
async def launcher(temporary: Path, chromium: Chromium) -> AsyncIterator[Launcher]:
    async with Launcher(chromium, memory_bytes=MEMORY_BYTES) as launcher:
        yield launcher


@pytest.fixture(scope="module")
async def running(launcher: Launcher) -> RunningBrowser:
    """A browser for the tests that only look."""
    return await launcher.launch()


def tree(running: RunningBrowser) -> list[psutil.Process]:
    assert running.pid is not None
    main = psutil.Process(running.pid)
    return [main, *main.children(recursive=True)]


def status(pid: int) -> dict[str, str]:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}


def network(pid: int) -> tuple[list[str], list[str]]:
    """The interfaces and the routes that a process sees."""
    net = Path(f"/proc/{pid}/net")
    interfaces = [line.partition(":")[0].strip() for line in (net / "dev").read_text().splitlines()]
    return interfaces[2:], (net / "route").read_text().splitlines()[1:]


async def all_gone(processes: list[psutil.Process]) -> None:
    with anyio.fail_after(GONE_S):
        while any(map(alive, processes)):  # noqa: ASYNC110 -- the kernel has no event for us
            await anyio.sleep(0.02)


def alive(process: psutil.Process) -> bool:
    return process.is_running() and process.status() != psutil.STATUS_ZOMBIE


def on(launcher: Launcher) -> dict[str, bool]:
    return {layer.name: layer.on for layer in launcher.layers()}


async def test_every_layer_is_named_and_says_what_it_does(launcher: Launcher) -> None:
    layers = launcher.layers()
    assert [layer.name for layer in layers] == [
        "renderer sandbox",
        "unprivileged user",
        "network namespace",
        "file system",
        "launch switches",
        "tied to its parent",
        "memory cap",
    ]
    assert all(layer.detail for layer in layers)
    assert "2048.0 MiB" in layers[-1].detail


async def test_a_renderer_runs_under_seccomp_and_as_nobody(
    running: RunningBrowser, launcher: Launcher
) -> None:
    if not on(launcher)["renderer sandbox"]:
        pytest.skip("this system has no renderer sandbox")
    await running.browser.new_page()
    renderers = [one for one in tree(running) if "--type=renderer" in one.cmdline()]
    assert renderers
    for renderer in renderers:
        assert status(renderer.pid)["Seccomp"] == "2"
    for process in tree(running):
        assert 0 not in process.uids()
        assert status(process.pid)["NoNewPrivs"] == "1"
        assert "--no-sandbox" not in process.cmdline()


async def test_a_browser_has_no_network_interface_but_its_own_loopback(
    running: RunningBrowser, launcher: Launcher
) -> None:
    if not on(launcher)["network namespace"]:
        pytest.skip("this system allows no network namespace")
    assert running.pid is not None
    interfaces, routes = network(running.pid)
    assert interfaces == ["lo"]
    assert routes == []


async def test_a_page_cannot_open_a_file_of_the_host(
    running: RunningBrowser, launcher: Launcher, tmp_path: Path
) -> None:
    if not on(launcher)["file system"]:
        pytest.skip("this system allows no file system of its own")
    secret = tmp_path / "secret.html"
    secret.write_text("<title>secret</title>")
    for folder in (secret, tmp_path, tmp_path.parent, tmp_path.parent.parent):
        folder.chmod(0o755)  # that the browser's user may not read it proves nothing
    page = await running.browser.new_page()
    with pytest.raises(Exception, match="ERR_FILE_NOT_FOUND"):
        await page.goto(secret.as_uri())
    root = await (await running.browser.new_page()).goto("file:///")
    assert root is not None
    shown = {part.partition('"')[0] for part in (await root.text()).split('addRow("')[1:]}
    assert "usr" in shown
    assert not shown & {"root", "home", "srv", "run", "sys", "boot", "mnt", "old"}


async def test_the_hosts_environment_does_not_reach_the_browser(
    launcher: Launcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("A_SECRET_KEY", "sesame")
    running = await launcher.launch()
    for process in tree(running):
        names = set(process.environ())
        assert not {name for name in names if name.startswith(("KIT_", "A_SECRET"))}
    await running.close()


async def test_webgl_draws_in_software(running: RunningBrowser) -> None:
    page = await running.browser.new_page()
    red = await page.evaluate(
        """() => { const gl = document.createElement('canvas').getContext('webgl');
        gl.clearColor(1, 0, 0, 1); gl.clear(gl.COLOR_BUFFER_BIT);
        const dot = new Uint8Array(4);
        gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, dot);
        return [...dot]; }"""
    )
    assert red == [255, 0, 0, 255]


async def test_closing_leaves_neither_process_nor_profile(launcher: Launcher) -> None:
    before = leftovers()
    running = await launcher.launch()
    processes = tree(running)
    assert leftovers() != before
    await running.close()
    await running.close()
    assert running.gone.why == "closed"
    assert not any(map(alive, processes))
    assert leftovers() == before


def leftovers() -> set[Path]:
    """What launchers and Playwright keep in the temporary folder now."""
    temporary = Path(tempfile.gettempdir())
    return {*temporary.glob("*"), *temporary.glob("artifact-kit-*/*")}


async def test_a_browser_that_does_not_answer_is_killed_with_all_its_processes(
    launcher: Launcher,
) -> None:
    running = await launcher.launch()
    page = await running.browser.new_page()
    stuck = asyncio.ensure_future(page.evaluate("() => { for (;;); }"))
    processes = tree(running)
    for process in processes:
        process.suspend()
    await running.close()
    assert running.gone.why == "closed"
    assert not any(map(alive, processes))
    with pytest.raises(Exception, match="closed"):
        await stuck


async def test_kill_says_killed(launcher: Launcher) -> None:
    running = await launcher.launch()
    processes = tree(running)
    await running.kill()
    assert running.gone.why == "killed"
    assert not any(map(alive, processes))


async def test_a_browser_killed_from_outside_is_told_as_crashed(launcher: Launcher) -> None:
    running = await launcher.launch()
    processes = tree(running)
    processes[0].kill()
    with anyio.fail_after(GONE_S):
        await running.gone.wait()
    assert running.gone.why == "crashed"
    await running.close()
    assert not any(map(alive, processes))


async def test_a_page_that_takes_too_much_memory_ends_its_browser_alone(
    chromium: Chromium,
) -> None:
    async with Launcher(chromium, memory_bytes=400 * 1024**2) as launcher:
        bomb, quiet = await launcher.launch(), await launcher.launch()
        page = await bomb.browser.new_page()
        taking = asyncio.ensure_future(
            page.evaluate(
                "() => { const all = []; for (;;) all.push(new Uint8Array(2**24).fill(1)) }"
            )
        )
        with anyio.fail_after(20):
            await bomb.gone.wait()
        assert bomb.gone.why == "memory"
        with pytest.raises(Exception, match="closed"):
            await taking
        assert not quiet.gone.is_set()
        assert quiet.browser.is_connected()


async def test_a_cancelled_launch_leaves_nothing(chromium: Chromium) -> None:
    before = leftovers()
    async with Launcher(chromium, memory_bytes=MEMORY_BYTES) as launcher:
        launching = asyncio.ensure_future(launcher.launch())
        with anyio.fail_after(GONE_S):
            while not (found := pids(leftovers() - before)):  # noqa: ASYNC110 -- no event
                await anyio.sleep(0.005)
        launching.cancel()
        with pytest.raises(asyncio.CancelledError):
            await launching
    (main,) = found
    assert members(main) == []
    assert leftovers() == before


def members(leader: int) -> list[int]:
    """The living processes of the browser whose main process this was."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, ProcessLookupError):
            if alive(process) and os.getsid(process.pid) == leader:
                found.append(process.pid)
    return found


def pids(folders: set[Path]) -> list[int]:
    written = [(folder / "pid").read_text() for folder in folders if (folder / "pid").exists()]
    return [int(text.split()[0]) for text in written if text]


async def test_a_launcher_goes_on_after_its_driver_was_killed(chromium: Chromium) -> None:
    # asyncio tells of the dead driver once more, when Playwright's last future is collected.
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: None)
    async with Launcher(chromium, memory_bytes=MEMORY_BYTES) as launcher:
        lost = await launcher.launch()
        processes = tree(lost)
        driver = processes[0].parent()
        assert driver is not None
        driver.kill()
        await all_gone(processes)
        with anyio.fail_after(GONE_S):
            await lost.gone.wait()
        assert lost.gone.why == "crashed"
        await lost.close()
        again = await launcher.launch()
        assert await (await again.browser.new_page()).evaluate("6 * 7") == 42
    gc.collect()


HOST = """
import asyncio, sys
from artifact_kit.browser import Launcher, find

async def main():
    launcher = Launcher(await find(), memory_bytes=2**31)
    await launcher.start()
    running = await launcher.launch()
    page = await running.browser.new_page()
    stuck = asyncio.ensure_future(page.evaluate("() => { for (;;); }"))
    print(running.pid, flush=True)
    if sys.argv[1] == "raise":
        raise RuntimeError("the host's own mistake")
    await stuck

asyncio.run(main())
"""


@pytest.mark.parametrize("how", ["kill -9", "raise"])
async def test_a_host_that_dies_takes_its_browser_and_its_files_along(how: str) -> None:
    before = leftovers()
    host = subprocess.Popen(  # noqa: ASYNC220 -- it is killed, not awaited
        [sys.executable, "-c", HOST, how], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    with host:
        assert host.stdout is not None
        main = psutil.Process(int(await anyio.to_thread.run_sync(host.stdout.readline)))
        processes = [main, *main.children(recursive=True)]
        if how == "kill -9":
            assert len(processes) > 3
            host.send_signal(signal.SIGKILL)
        await all_gone(processes)
    with anyio.fail_after(GONE_S):
        while leftovers() - before:  # noqa: ASYNC110 -- a folder is no event
            await anyio.sleep(0.02)


@pytest.mark.parametrize(
    "alone",
    [
        Confinement(files=False),
        Confinement(files=False, network=False),
        Confinement(user=False),
        Confinement(tied=False, switches=False),
    ],
    ids=["no-files", "no-spaces", "no-drop", "not-tied"],
)
async def test_a_browser_runs_with_single_layers_switched_off(
    chromium: Chromium, alone: Confinement
) -> None:
    async with Launcher(chromium, memory_bytes=MEMORY_BYTES, confinement=alone) as launcher:
        running = await launcher.launch()
        assert await (await running.browser.new_page()).evaluate("6 * 7") == 42
        off = {layer.name for layer in launcher.layers() if not layer.on}
        assert {layer.name for layer in launcher.layers() if layer.detail == "switched off"} <= off
        assert ("file system" in off) is not alone.files


@pytest.fixture
async def remote(chromium: Chromium, temporary: Path) -> AsyncIterator[tuple[psutil.Process, str]]:
    """A browser that somebody else started, and its address."""
    assert chromium.executable is not None
    arguments = ["--headless", "--no-sandbox", "--remote-debugging-port=0"]
    process = subprocess.Popen(  # noqa: ASYNC220 -- it is killed, not awaited
        [chromium.executable, *arguments, f"--user-data-dir={temporary}/remote"],
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        assert process.stderr is not None
        while "DevTools listening on" not in (line := process.stderr.readline()):
            assert line, "the browser ended"
        yield psutil.Process(process.pid), line.split()[-1]
        process.kill()


async def test_a_remote_browser_is_used_and_left_running(
    remote: tuple[psutil.Process, str],
) -> None:
    process, address = remote
    found = await find(address)
    assert found is not None
    async with Launcher(found, memory_bytes=MEMORY_BYTES) as launcher:
        assert not any(layer.on for layer in launcher.layers())
        assert all("remote" in layer.detail for layer in launcher.layers())
        running = await launcher.launch()
        assert running.pid is None
        assert await (await running.browser.new_page()).evaluate("6 * 7") == 42
        await running.close()
        assert running.gone.why == "closed"
        assert alive(process)
        lost = await launcher.launch()
        process.kill()
        with anyio.fail_after(GONE_S):
            await lost.gone.wait()
        assert lost.gone.why == "crashed"


async def test_a_remote_browser_that_is_not_there_fails_in_words(temporary: Path) -> None:
    found = await find("http://127.0.0.1:9")
    assert found is not None
    async with Launcher(found, memory_bytes=MEMORY_BYTES) as launcher:
        with pytest.raises(Failure, match="did not start") as failure:
            await launcher.launch()
        assert failure.value.code == "no_browser"


async def test_a_browser_in_a_folder_of_roots_own_still_runs_unprivileged(
    chromium: Chromium, temporary: Path
) -> None:
    assert chromium.executable is not None
    private = temporary / "private"
    private.mkdir(mode=0o700)
    program = Path(chromium.executable)
    copied = shutil.copytree(program.parent, private / "chromium", copy_function=link)
    hidden = replace(chromium, executable=str(copied / program.name))
    for wanted in (Confinement(), Confinement(files=False)):
        async with Launcher(hidden, memory_bytes=MEMORY_BYTES, confinement=wanted) as launcher:
            running = await launcher.launch()
            assert all(0 not in process.uids() for process in tree(running))
            assert await (await running.browser.new_page()).evaluate("6 * 7") == 42


def link(source: str, target: str) -> None:
    """A link where a copy of a hundred megabytes would do no more."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)
