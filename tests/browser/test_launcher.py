"""A real browser, launched and confined."""

from pathlib import Path

import pytest

from artifact_kit.browser import Launcher, provide

MEMORY_BYTES = 2 * 1024**3


@pytest.mark.anyio
async def test_a_browser_answers_and_leaves_neither_process_nor_folder() -> None:
    async with Launcher(await provide(), memory_bytes=MEMORY_BYTES) as launcher:
        running = await launcher.launch()
        page = await running.browser.new_page()
        assert await page.evaluate("6 * 7") == 42
        await running.close()
        assert running.gone.why == "closed"
        assert not Path(f"/proc/{running.pid}").exists()
