"""The other end of `artifact-kit mcp`: clients, and servers in processes of their own."""

from __future__ import annotations

import base64
import io
import json
import subprocess
import sys
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mcp import Client, StdioServerParameters
from PIL import Image as Picture

from artifact_kit import Image, Outcome
from tests.hosts.command import KIT

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from mcp_types import CallToolResult

MEMORY = ("--root", "memory://")
PAGE = "<!doctype html><meta charset=utf-8><title>{0}</title><p>{0}</p>"
HELLO = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "raw", "version": "1"},
    },
}
BEGIN = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def over_stdio(*options: str | Path, cwd: Path | None = None) -> StdioServerParameters:
    """A server that the official client starts."""
    command, *arguments = (*KIT, "mcp", *map(str, options))
    return StdioServerParameters(command=command, args=arguments, cwd=cwd)


@asynccontextmanager
async def connected(
    *options: str | Path, cwd: Path | None = None, **more: Any
) -> AsyncIterator[Client]:
    """The official client, connected to a server of its own."""
    async with Client(over_stdio(*options, cwd=cwd), **more) as client:
        yield client


@contextmanager
def served(*options: str | Path) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """A server over HTTP; its address, and its process."""
    with subprocess.Popen(
        [*KIT, "mcp", "--http", "127.0.0.1:0", *map(str, options)],  # a later --http wins
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr
        try:
            said = process.stderr.readline()
            assert "MCP at http" in said, said
            yield said.split()[-1], process
        finally:
            process.terminate()
            process.wait(10)


def told(result: CallToolResult) -> str:
    """The text of a result."""
    return "\n".join(part.text for part in result.content if part.type == "text")


def outcome_of(result: CallToolResult) -> Outcome:
    """A result as what the tool gave back."""
    images = []
    for part in result.content:
        if part.type == "image":
            png = base64.b64decode(part.data)
            with Picture.open(io.BytesIO(png)) as picture:
                images.append(Image(png, part.mime_type, *picture.size))
    data = result.structured_content or {}
    return Outcome("failed" if result.is_error else "ok", told(result), tuple(images), data)


@dataclass
class Raw:
    """A client that writes whatever bytes it likes."""

    process: subprocess.Popen[bytes]

    def send(self, *messages: bytes | dict[str, Any]) -> None:
        """Write lines."""
        assert self.process.stdin
        for message in messages:
            line = message if isinstance(message, bytes) else json.dumps(message).encode()
            self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def read(self) -> dict[str, Any]:
        """The next answer."""
        assert self.process.stdout
        found: dict[str, Any] = json.loads(self.process.stdout.readline())
        return found

    def call(self, number: Any, name: str, arguments: Any) -> dict[str, Any]:
        """A call of a tool, as a message."""
        params = {"name": name, "arguments": arguments}
        return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}

    def ask(self, name: str, arguments: Any) -> dict[str, Any]:
        """The result of one call, with the text of all its content as `text`."""
        self.send(self.call("asked", name, arguments))
        answer = self.read()
        assert answer["id"] == "asked", answer
        result: dict[str, Any] = answer["result"]
        return result | {"text": "\n".join(each.get("text", "") for each in result["content"])}


@contextmanager
def raw(*options: str | Path) -> Iterator[Raw]:
    """A raw client that has shaken hands with a server of its own."""
    with subprocess.Popen(
        [*KIT, "mcp", *map(str, options)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        client = Raw(process)
        client.send(HELLO, BEGIN)
        assert client.read()["id"] == 0
        try:
            yield client
        finally:
            process.kill()


def script(code: str, *arguments: str) -> list[str]:
    """A command that runs this code in a process of its own."""
    return [sys.executable, "-c", code, *arguments]
