"""What all tests share."""

import contextlib
import os

import anyio
import pytest

from artifact_kit.browser import provide
from artifact_kit.errors import Failure

MOST_WORKERS = 4
OF_THE_MACHINE = (
    "CI",
    "GITHUB_ACTIONS",
    "GITHUB_STEP_SUMMARY",
    "NO_COLOR",
    "FORCE_COLOR",
    "COLUMNS",
)

# Commands behave otherwise in CI, and the tests say themselves when they mean that.
for name in OF_THE_MACHINE:
    os.environ.pop(name, None)


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Folders of tests share the cores; for a file or a test no further process is started."""
    if all(arg.partition("::")[0].endswith(".py") for arg in config.args):
        return 0
    return min(os.cpu_count() or 1, MOST_WORKERS)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Have a browser before the first test's time runs: installing one takes minutes."""
    if not hasattr(session.config, "workerinput"):  # workers begin after it
        with contextlib.suppress(Failure):  # the tests that need one say so
            anyio.run(provide)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
