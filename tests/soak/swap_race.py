"""By hand: `python -m tests.soak.swap_race [SECONDS]`; the swap race, with and without openat2."""

import sys
import tempfile
from pathlib import Path

import anyio

from artifact_kit.workspace import beneath
from tests.workspace.races import race


def main(seconds: float) -> None:
    for with_openat2 in (True, False):
        if not with_openat2:
            beneath.supported = lambda: False  # type: ignore[assignment]
        with tempfile.TemporaryDirectory() as base:
            counts = anyio.run(race, Path(base), seconds)
        print("openat2" if with_openat2 else "walk", dict(sorted(counts.items())))  # noqa: T201


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 30.0)
