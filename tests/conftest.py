"""What all tests share."""

import contextlib

import anyio
import pytest

from artifact_kit.browser import provide
from artifact_kit.errors import Failure


def pytest_sessionstart() -> None:
    """Have a browser before the first test's time runs: installing one takes minutes."""
    with contextlib.suppress(Failure):  # the tests that need one say so
        anyio.run(provide)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
