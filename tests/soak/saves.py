"""By hand: `python -m tests.soak.saves`; 200 kills during saves, 3 processes × 400 edits."""

import tempfile
import time
from pathlib import Path

from tests.workspace.saving import edit_in_processes, kill_while_saving


def main() -> None:
    with tempfile.TemporaryDirectory() as root:
        kill_while_saving(Path(root), 200)
        litter = len(list((Path(root) / "d").iterdir())) - 1
        print(f"200 kills: old or new bytes each time, {litter} hidden temporary files")  # noqa: T201
    with tempfile.TemporaryDirectory() as root:
        started = time.perf_counter()
        counts = edit_in_processes(Path(root), 3, 400)
        took = time.perf_counter() - started
        print(f"3 x 400 edits: {counts} in {took:.1f} s")  # noqa: T201
        assert sum(counts.values()) == 1200


if __name__ == "__main__":
    main()
