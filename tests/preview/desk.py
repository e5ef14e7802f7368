"""A workspace folder and the toolkit over it, as the tests of the preview use them."""

from __future__ import annotations

import asyncio
import io
import itertools
import json
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from PIL import Image

from artifact_kit import Limits, Outcome, Toolkit, Workspace

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

HEAD = "<!doctype html><meta charset=utf-8><title>Test</title>"
MOST_REPLIES = 100


@dataclass
class Desk:
    """Writes pages and calls the tool, all in one conversation unless told otherwise."""

    kit: Toolkit
    folder: Path
    numbers: Iterator[int] = field(default_factory=itertools.count)

    def put(self, name: str, content: str | bytes) -> str:
        """A file of the workspace, written behind the tools' back; gives its name."""
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
        return name

    async def call(self, op: str, *, conversation: str = "default", **arguments: Any) -> Outcome:
        """One preview call."""
        given = {"op": op, **arguments}
        return await self.kit.call("preview", given, conversation=conversation)

    async def show(self, body: str, *, conversation: str = "default", **options: Any) -> Outcome:
        """Write a page with this body and open it."""
        name = self.put(f"page{next(self.numbers)}.html", HEAD + body)
        return await self.call("open", path=name, conversation=conversation, **options)

    async def act(self, *actions: dict[str, Any]) -> Outcome:
        """Do these actions."""
        return await self.call("act", actions=list(actions))

    async def told(self, text: str, *words: str, drop: str = "") -> str:
        """This text and, while any of the words is missing, what the next replies say."""
        for _ in range(MOST_REPLIES):
            text = text.replace(drop, "")
            if all(each in text for each in words):
                break
            text += (await self.act({"type": "wait", "ms": 20})).text
        return text

    async def value(self, code: str, *, conversation: str = "default") -> Any:
        """What code returned, parsed as JSON unless it is a string."""
        outcome = await self.call("eval", code=code, conversation=conversation)
        assert outcome.status == "ok", outcome.text
        result = outcome.data["result"]
        try:
            return json.loads(result)
        except json.JSONDecodeError:
            return result

    async def texts(self, *selectors: str) -> list[str | None]:
        """The text of the first match of each selector."""
        outcome = await self.call("read", queries=[{"css": css} for css in selectors])
        values: list[str | None] = outcome.data["values"]
        return values


@asynccontextmanager
async def desk_at(folder: Path, limits: Limits | None = None) -> AsyncIterator[Desk]:
    """A desk over this folder, with these limits."""
    async with Toolkit(Workspace(folder.as_uri()), limits=limits) as kit:
        yield Desk(kit, folder)


async def until(holds: Any, seconds: float = 5.0) -> None:
    """Returns once `holds()` is true; fails after so many seconds."""
    async with asyncio.timeout(seconds):
        while not holds():  # noqa: ASYNC110 -- what is waited for has no event
            await asyncio.sleep(0.02)


def picture(outcome: Outcome) -> Image.Image:
    """The picture of a shot."""
    assert outcome.images, outcome.text
    return Image.open(io.BytesIO(outcome.images[0].data)).convert("RGB")
