"""Standard input and output: one message a line, whatever a line holds."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NoReturn

import anyio
import mcp_types as types
from mcp.server.runner import serve_loop
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from artifact_kit.hosts.lines import lines
from artifact_kit.text import size, well_formed

if TYPE_CHECKING:
    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
    from mcp.server.lowlevel import Server

_GRACE_S = 2.0
"""How long calls may go on when the input has ended: a script may send all lines and then wait."""
_ID = re.compile(r'"id"\s*:\s*(\d{1,15}|"[^"\\]{0,200}")')


class Broken(Exception):
    """A line that is no message, and what its sender is told."""

    def __init__(self, code: int, message: str, number: Any) -> None:
        super().__init__(message)
        error = types.ErrorData(code=code, message=message)
        self.answer = types.JSONRPCError(jsonrpc="2.0", id=number, error=error)


async def serve_stdio(server: Server[Any], *, most_bytes: int) -> None:
    """Answer the client at the other end until it closes the input, or no longer reads."""
    wire = Wire(most_bytes, *_claimed())
    requests, taken = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    given, answers = anyio.create_memory_object_stream[SessionMessage](0)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(wire.read, requests, given.clone())
        tasks.start_soon(wire.write, answers, tasks.cancel_scope)
        await serve_loop(server, taken, given, lifespan_state={})
        tasks.cancel_scope.cancel()


def _claimed() -> tuple[int, int]:
    """Private descriptors of the wire; what anybody else prints goes to standard error."""
    source, target = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return source, target


@dataclass
class Wire:
    """The two ends, and the requests that still wait for their answer."""

    most_bytes: int
    source: int
    target: int
    waiting: set[Any] = field(default_factory=set)
    changed: anyio.Event = field(default_factory=anyio.Event)

    async def read(
        self,
        requests: MemoryObjectSendStream[SessionMessage | Exception],
        answers: MemoryObjectSendStream[SessionMessage],
    ) -> None:
        """Pass messages on; a line that is none is answered with what is wrong with it."""
        async with requests, answers:
            async for line in lines(self.source, most_bytes=self.most_bytes):
                if not line.strip():
                    continue
                try:
                    message = parsed(line, most_bytes=self.most_bytes)
                except Broken as broken:
                    await answers.send(SessionMessage(broken.answer))
                    continue
                self._note(message)
                await requests.send(SessionMessage(message))
            with anyio.move_on_after(_GRACE_S):
                while self.waiting:
                    self.changed = anyio.Event()
                    await self.changed.wait()

    def _note(self, message: types.JSONRPCMessage) -> None:
        if isinstance(message, types.JSONRPCRequest):
            self.waiting.add(message.id)
        if isinstance(message, types.JSONRPCNotification) and message.params:
            self.waiting.discard(message.params.get("requestId"))

    async def write(
        self, answers: MemoryObjectReceiveStream[SessionMessage], scope: anyio.CancelScope
    ) -> None:
        """Write messages, each as one line; when nobody reads them, all ends."""
        try:
            async for answer in answers:
                line = rendered(answer.message)
                await anyio.to_thread.run_sync(self._write, line, abandon_on_cancel=True)
                if isinstance(answer.message, types.JSONRPCResponse | types.JSONRPCError):
                    self.waiting.discard(answer.message.id)
                    self.changed.set()
        except OSError:
            scope.cancel()

    def _write(self, line: bytes) -> None:
        left = memoryview(line)
        while left:
            left = left[os.write(self.target, left) :]


def rendered(message: types.JSONRPCMessage) -> bytes:
    """A message as one line of well-formed UTF-8, whatever its texts hold."""
    told = message.model_dump(by_alias=True, exclude_unset=True)
    return well_formed(json.dumps(told, ensure_ascii=False, separators=(",", ":"))).encode() + b"\n"


def parsed(line: bytes, *, most_bytes: int) -> types.JSONRPCMessage:
    """The message in a line; halves of characters in its strings stay for the tools to tell of.

    Raises:
        Broken: It is none. Its id is found also where the rest cannot be read.
    """
    if len(line) > most_bytes:
        said = f"the message is longer than {size(most_bytes)}; nothing was done"
        raise Broken(types.INVALID_REQUEST, said, _number(line))
    try:
        found = json.loads(line.decode("utf-8-sig"), parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else type(error).__name__
        raise Broken(types.PARSE_ERROR, f"Parse error: {reason}", _number(line)) from None
    try:
        message: types.JSONRPCMessage = types.jsonrpc_message_adapter.validate_python(
            found, by_name=False
        )
    except ValidationError:
        number = found.get("id") if isinstance(found, dict) else None
        number = number if isinstance(number, str | int) else None
        said = "Invalid request: a line is one JSON-RPC 2.0 message"
        raise Broken(types.INVALID_REQUEST, said, number) from None
    return message


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _number(line: bytes) -> Any:
    """The id of a message that cannot be read, as far as its ends show one."""
    ends = line[:2000] + b" " + line[-2000:]
    found = _ID.findall(ends.decode("utf-8", "replace"))
    return json.loads(found[-1]) if found else None
