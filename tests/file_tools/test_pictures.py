"""Pictures in the workspace: described by default, shown where the host asks for it."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from artifact_kit.limits import Limits
from tests.file_tools.stage import Stage

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.anyio


def picture(width: int, height: int, kind: str = "PNG") -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (width, height), (200, 30, 30)).save(out, kind)
    return out.getvalue()


async def test_a_picture_is_refused_with_type_size_and_dimensions(tmp_path: Path) -> None:
    stage = Stage("memory", tmp_path, {"a.png": picture(40, 30)})
    outcome = await stage.call("read_file", {"path": "a.png"})
    assert outcome.status == "refused"
    assert "a PNG image of 40×30 pixels" in outcome.text
    assert outcome.images == ()


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP"])
async def test_a_picture_is_shown_whatever_its_name(kind: str, tmp_path: Path) -> None:
    data = picture(40, 30, kind)
    stage = Stage("memory", tmp_path, {"a.txt": data}, limits=Limits(images=True))
    outcome = await stage.call("read_file", {"path": "a.txt"})
    assert outcome.status == "ok"
    (image,) = outcome.images
    assert (image.data, image.mime_type) == (data, f"image/{kind.lower()}")
    assert (image.width, image.height) == (40, 30)


async def test_a_large_picture_is_made_smaller_and_says_so(tmp_path: Path) -> None:
    limits = Limits(images=True, image_side=100)
    stage = Stage("memory", tmp_path, {"a.png": picture(400, 200)}, limits=limits)
    outcome = await stage.call("read_file", {"path": "a.png"})
    (image,) = outcome.images
    assert (image.width, image.height) == (100, 50)
    assert Image.open(io.BytesIO(image.data)).size == (100, 50)
    assert "400×200" in outcome.text
    assert "shown at 100×50" in outcome.text


async def test_a_broken_picture_is_not_sent(tmp_path: Path) -> None:
    files: dict[str, str | bytes | None] = {
        "cut.png": picture(400, 300)[:200],
        "fake.png": b"\x89PNG\r\n\x1a\n" + b"x" * 90,
    }
    stage = Stage("memory", tmp_path, files, limits=Limits(images=True))
    for name in files:
        outcome = await stage.call("read_file", {"path": name})
        assert outcome.status == "refused", outcome.text
        assert "PNG" in outcome.text
        assert outcome.images == ()


async def test_text_that_is_named_like_a_picture_is_text(tmp_path: Path) -> None:
    stage = Stage("memory", tmp_path, {"a.png": "not a picture\n"}, limits=Limits(images=True))
    assert "not a picture" in (await stage.call("read_file", {"path": "a.png"})).text
