"""A server of buckets, as the workspace's tests have it; browsers that all tests share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from artifact_kit import Limits
from artifact_kit.visual import Browsers
from tests.visual.stand import Stand
from tests.workspace.conftest import s3_client, s3_endpoint, s3_folder

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

__all__ = ("s3_client", "s3_endpoint", "s3_folder")


@pytest.fixture(scope="package")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="package")
async def browsers(anyio_backend: str) -> AsyncIterator[Browsers]:
    async with Browsers(Limits()) as browsers:
        yield browsers


@pytest.fixture
def stand(tmp_path: Path, browsers: Browsers) -> Stand:
    """A folder of its own for the test."""
    return Stand(tmp_path, browsers)
