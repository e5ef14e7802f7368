"""Lines of a file or of standard input, as they come."""

import asyncio
import contextlib
import os
import threading
from collections.abc import AsyncIterator

_CHUNK = 64 * 1024


async def lines(descriptor: int, *, most_bytes: int) -> AsyncIterator[bytes]:
    """Each line without its end; of a longer one only `most_bytes + 1` bytes are kept."""
    line = bytearray()
    while chunk := await _read(descriptor):
        *ended, begun = chunk.split(b"\n")
        for piece in ended:
            line += piece[: most_bytes + 1 - len(line)]
            yield bytes(line)
            line.clear()
        line += begun[: most_bytes + 1 - len(line)]
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
