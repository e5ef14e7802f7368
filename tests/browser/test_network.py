"""Nothing leaves a browser: the switches hold alone, and so does the network namespace."""

import contextlib
import select
import socket
import sys
from collections.abc import Iterator

import pytest

from artifact_kit.browser import Confinement, Launcher, provide

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(sys.platform != "linux", reason="namespaces are Linux's"),
]

# Nothing tells that a packet was not sent, so the page waits for a moment in which, with nothing
# that protects, both ways are through.
LEAVE = """([tcp, udp]) => {
  fetch(`http://127.0.0.1:${tcp}/`, {mode: 'no-cors'}).catch(() => {});
  const peer = new RTCPeerConnection({iceServers: [{urls: `stun:127.0.0.1:${udp}`}]});
  peer.createDataChannel('out');
  peer.setLocalDescription();
  return new Promise(done => setTimeout(done, 1000));
}"""


class Canary:
    """Ears on the host's loopback, for a connection and for a packet; the kernel keeps both."""

    def __init__(self) -> None:
        self._tcp = socket.create_server(("127.0.0.1", 0))
        self._udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._udp.bind(("127.0.0.1", 0))
        self.ports = [one.getsockname()[1] for one in (self._tcp, self._udp)]

    def heard(self) -> set[str]:
        ready, _, _ = select.select([self._tcp, self._udp], [], [], 0)
        names = {self._tcp: "tcp", self._udp: "udp"}
        return {names[one] for one in ready}

    def close(self) -> None:
        self._tcp.close()
        self._udp.close()


@pytest.fixture
def canary() -> Iterator[Canary]:
    with contextlib.closing(Canary()) as canary:
        yield canary


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.parametrize(
    ("wanted", "heard"),
    [
        (Confinement(network=False, switches=False), {"tcp", "udp"}),
        (Confinement(network=False), set()),
        (Confinement(switches=False), set()),
    ],
    ids=["nothing-protects", "switches-alone", "namespace-alone"],
)
async def test_each_of_two_layers_alone_keeps_a_page_from_the_hosts_loopback(
    canary: Canary, wanted: Confinement, heard: set[str]
) -> None:
    async with Launcher(await provide(), memory_bytes=2**31, confinement=wanted) as launcher:
        named = {layer.name: layer.on for layer in launcher.layers()}
        if wanted.network and not named["network namespace"]:
            pytest.skip("this system allows no network namespace")
        running = await launcher.launch()
        page = await running.browser.new_page()
        await page.evaluate(LEAVE, canary.ports)
    assert canary.heard() == heard
