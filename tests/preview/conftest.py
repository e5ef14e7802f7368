"""One toolkit, and so one warm spare browser, for all tests of the preview that can share it."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from artifact_kit import Limits
from tests.preview.desk import Desk, desk_at

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

FIXTURES = Path(__file__).parents[2] / "fixtures"
QUICK = Limits(busy_s=0.8, load_s=2.0, call_s=6.0, sessions=3, shot_s=2.0)


@pytest.fixture(scope="package")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="package")
async def desk(
    anyio_backend: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncIterator[Desk]:
    """The shared desk; the fixtures lie in its folder."""
    folder = tmp_path_factory.mktemp("workspace")
    shutil.copytree(FIXTURES, folder, dirs_exist_ok=True)
    async with desk_at(folder) as desk:
        yield desk


@pytest.fixture(scope="package")
async def quick(
    anyio_backend: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncIterator[Desk]:
    """A desk with small limits, for pages that do not stop."""
    async with desk_at(tmp_path_factory.mktemp("quick"), QUICK) as desk:
        yield desk
