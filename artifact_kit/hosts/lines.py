"""Lines of a file or of standard input, as they come."""

import asyncio
import contextlib
import os
import threading
from collections.abc import AsyncIterator

_CHUNK = 64 * 1024
_TAIL = 2_000


class _Line(bytearray):
    """A line that grows; of one that is too long the middle is left out."""

    def __init__(self, most_bytes: int) -> None:
        super().__init__()
        self._most = most_bytes + 1

    def add(self, piece: bytes) -> None:
        self += piece
        if len(self) > self._most + _TAIL:
            del self[self._most : -_TAIL]


async def lines(descriptor: int, *, most_bytes: int) -> AsyncIterator[bytes]:
    """Each line without its end; of one longer than `most_bytes` the middle may be missing."""
    line = _Line(most_bytes)
    while chunk := await _read(descriptor):
        *ended, begun = chunk.split(b"\n")
        for piece in ended:
            line.add(piece)
            yield bytes(line)
            line.clear()
        line.add(begun)
    if line:
        yield bytes(line)


async def _read(descriptor: int) -> bytes:
    """What comes next; nothing at the end.

    In a daemon thread and by descriptor: nothing interrupts a read of standard input, and one
    that waits must not keep the process from ending.
    """
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[bytes] = loop.create_future()

    def tell(data: bytes) -> None:
        if not answer.done():
            answer.set_result(data)

    def read() -> None:
        data = b""
        with contextlib.suppress(OSError):  # closed, or its terminal has gone
            data = os.read(descriptor, _CHUNK)
        with contextlib.suppress(RuntimeError):  # the loop has ended meanwhile
            loop.call_soon_threadsafe(tell, data)

    threading.Thread(target=read, daemon=True).start()
    return await answer
