"""Ears on the host's loopback: whoever connects or sends a packet is written down."""

from __future__ import annotations

import select
import socket
import threading
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from types import TracebackType

_ANSWER = b"HTTP/1.1 204 No Content\r\nAccess-Control-Allow-Origin: *\r\nConnection: close\r\n\r\n"


class Canary:
    """A TCP and a UDP port; a context manager."""

    def __init__(self) -> None:
        self._tcp = socket.create_server(("127.0.0.1", 0))
        self._udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._udp.bind(("127.0.0.1", 0))
        self._stop, self._stopped = socket.socketpair()
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self.heard: list[str] = []
        """`udp`, or `tcp` with the first line that was sent."""

    @property
    def address(self) -> str:
        """Where HTTP would be."""
        return f"http://127.0.0.1:{self._tcp.getsockname()[1]}"

    @property
    def udp_port(self) -> int:
        """Where STUN would be."""
        port: int = self._udp.getsockname()[1]
        return port

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stop.close()
        self._thread.join()
        for each in (self._tcp, self._udp, self._stopped):
            each.close()

    def _listen(self) -> None:
        while True:
            ready, _, _ = select.select([self._tcp, self._udp, self._stopped], [], [])
            if self._stopped in ready:
                return
            if self._udp in ready:
                self._udp.recv(2048)
                self.heard.append("udp")
            if self._tcp in ready:
                self._answer()

    def _answer(self) -> None:
        connection, _ = self._tcp.accept()
        with connection:
            connection.settimeout(0.2)
            try:
                line = connection.recv(2048).partition(b"\r")[0].decode(errors="replace")
                connection.sendall(_ANSWER)
            except OSError:
                line = "no word"
            self.heard.append(f"tcp {line}")
