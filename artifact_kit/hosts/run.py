"""`artifact-kit run`: calls in, outcomes out, one JSON object a line."""

from __future__ import annotations

import os
import signal
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
import click

from artifact_kit.errors import ToolError
from artifact_kit.hosts.calls import Call, parsed, rendered
from artifact_kit.hosts.exits import NoBrowser
from artifact_kit.hosts.lines import lines
from artifact_kit.hosts.options import needs_browser, provided
from artifact_kit.limits import Limits
from artifact_kit.toolkit import Toolkit
from artifact_kit.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from artifact_kit.contract import Image, Outcome

_STDOUT = 1


@click.command(short_help="Answer calls, one JSON object a line.")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True), default="-")
@click.option("--root", default=".", show_default=True, metavar="URL", help="The workspace.")
@click.option(
    "--mount",
    "mounts",
    multiple=True,
    metavar="NAME=URL",
    help="Another storage as a folder of it.",
)
@click.option(
    "--images",
    type=click.Path(file_okay=False, path_type=Path),
    help="Save pictures in this folder instead of writing them into the lines.",
)
@needs_browser
def run(
    file: str,
    root: str,
    mounts: Sequence[str],
    images: Path | None,
    setting: str | None,
    install: bool,
) -> None:
    """Answer the calls in FILE, or on standard input, one JSON object a line.

    In: {"tool": …, "args": {…}, "conversation"?: …}. Out: {"status", "text", "data", "images"}.
    Every line but a blank one is answered, in order. URLs are fsspec's: a folder, memory://,
    s3://bucket/prefix, zip://…
    """
    script = Script(_workspace(root, mounts), images, setting, install)
    if images:
        _make_folder(images)
    descriptor = 0 if file == "-" else os.open(file, os.O_RDONLY)
    stopped_by = anyio.run(script.play, descriptor)
    raise SystemExit(128 + stopped_by if stopped_by else 0)


def _workspace(root: str, mounts: Sequence[str]) -> Workspace:
    places = {"": root}
    for mount in mounts:
        name, equals, url = mount.partition("=")
        if not (name and equals and url):
            raise click.BadParameter(f"{mount!r} is not NAME=URL.", param_hint="--mount")
        places[name] = url
    try:
        return Workspace.mounted(places)
    except ToolError as error:
        raise click.BadParameter(error.message, param_hint="--mount") from error
    except (ValueError, ImportError, OSError) as error:
        raise click.UsageError(f"The workspace cannot be opened: {error}") from error


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise click.BadParameter(f"{folder}: {error.strerror}.", param_hint="--images") from error


@dataclass
class Script:
    """The calls of one run."""

    workspace: Workspace
    images: Path | None
    setting: str | None
    install: bool
    has_looked: bool = False

    async def play(self, descriptor: int) -> int:
        """Answer lines to their end, to the end of the reader, or to a signal, which it gives."""
        kit = Toolkit(self.workspace, browser=self.setting, install_browser=False)
        stopped_by = 0
        async with kit, anyio.create_task_group() as tasks:

            async def stop_at_a_signal() -> None:
                nonlocal stopped_by
                with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
                    stopped_by = await anext(signals)
                tasks.cancel_scope.cancel()

            if sys.platform != "win32":
                tasks.start_soon(stop_at_a_signal)
            await self._answer_lines(kit, descriptor)
            tasks.cancel_scope.cancel()
        return stopped_by

    async def _answer_lines(self, kit: Toolkit, descriptor: int) -> None:
        most = Limits().line_bytes
        async for line in lines(descriptor, most_bytes=most):
            if not line.strip():
                continue
            call = parsed(line, most_bytes=most)
            outcome = await self._answer(kit, call) if isinstance(call, Call) else call
            try:
                await anyio.to_thread.run_sync(self._write, outcome, abandon_on_cancel=True)
            except BrokenPipeError:  # nobody reads the answers any more
                return

    async def _answer(self, kit: Toolkit, call: Call) -> Outcome:
        if call.tool == "preview" and not self.has_looked:
            await self._look_for_browser()
        return await kit.call(call.tool, call.args, conversation=call.conversation)

    async def _look_for_browser(self) -> None:
        """Have a browser before the first call's deadline runs; without one the call says so."""
        self.has_looked = True
        try:
            await provided(self.setting, install=self.install)
        except NoBrowser as error:
            error.show()

    def _write(self, outcome: Outcome) -> None:
        left = memoryview(rendered(outcome, self._save))
        while left:
            left = left[os.write(_STDOUT, left) :]

    def _save(self, image: Image) -> str | None:
        if self.images is None:
            return None
        kind = image.mime_type.rpartition("/")[2]
        try:
            return _save_beside(self.images, kind, image.data)
        except OSError as error:
            click.echo(f"Warning: {self.images}: {error.strerror}", err=True)
            return None


def _save_beside(folder: Path, kind: str, data: bytes) -> str:
    """Save under the first number that is free; never over another picture."""
    number = 1
    while True:
        path = folder / f"{number:04}.{kind}"
        try:
            with path.open("xb") as file:
                file.write(data)
        except FileExistsError:
            number += 1
        else:
            return str(path)
