"""Pictures of the workspace: what they are, and how a model gets to see them."""

from __future__ import annotations

import io
import warnings
from typing import TYPE_CHECKING, NoReturn

from PIL import Image as Pillow

from artifact_kit.contract import Image, Outcome
from artifact_kit.errors import Refusal
from artifact_kit.file_tools.textfile import binary_kind, digest
from artifact_kit.text import size

if TYPE_CHECKING:
    from artifact_kit.limits import Limits
    from artifact_kit.workspace import WorkspacePath

_FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "BMP", "ICO")
_SENT_AS_THEY_ARE = {"PNG", "JPEG", "GIF", "WEBP"}
_MOST_PIXELS = 50_000_000
_MOST_BYTES = 3_500_000


class _NoPicture(Exception):
    """The bytes do not decode; the message says what is known."""


def picture(path: WorkspacePath, data: bytes, limits: Limits) -> Outcome:
    """The picture as an image block, decoded first and made smaller when it is large.

    Raises:
        Refusal: The bytes are no picture that can be decoded.
    """
    try:
        sent, kind, whole, shown = _sent(data, limits.image_side)
    except _NoPicture as problem:
        raise _refusal(path, data, str(problem)) from None
    scaled = "" if whole == shown else f", shown at {shown[0]}×{shown[1]}"
    text = f"{path} ({kind} image, {whole[0]}×{whole[1]}, {size(len(data))}{scaled})"
    image = Image(sent, f"image/{kind.lower()}", *shown)
    facts = {"code": "ok", "path": str(path), "bytes": len(data), "hash": digest(data)}
    return Outcome("ok", text, (image,), facts)


def refuse_picture(path: WorkspacePath, data: bytes) -> NoReturn:
    """Refuse a picture with its type, size and dimensions.

    Raises:
        Refusal: always.
    """
    try:
        kind, (width, height) = _facts(data)
    except _NoPicture as problem:
        raise _refusal(path, data, str(problem)) from None
    raise _refusal(path, data, f"a {kind} image of {width}×{height} pixels")


def _refusal(path: WorkspacePath, data: bytes, what: str) -> Refusal:
    return Refusal(
        f"{path} is {what} ({size(len(data))}). read_file shows text only; to see a picture, "
        "preview a page that shows it.",
        code="binary",
        facts={"path": str(path), "bytes": len(data)},
    )


def _opened(data: bytes) -> Pillow.Image:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Pillow.DecompressionBombWarning)
        try:
            found = Pillow.open(io.BytesIO(data), formats=_FORMATS)
        except (OSError, ValueError, SyntaxError, Pillow.DecompressionBombError):
            kind = binary_kind(data) or "a picture"
            raise _NoPicture(f"{kind} that can't be decoded") from None
    return found


def _facts(data: bytes) -> tuple[str, tuple[int, int]]:
    found = _opened(data)
    return str(found.format), found.size


def _sent(data: bytes, side: int) -> tuple[bytes, str, tuple[int, int], tuple[int, int]]:
    """The bytes to send, their format, the size of the picture and the size that is shown."""
    found = _opened(data)
    kind, whole = str(found.format), found.size
    if whole[0] * whole[1] > _MOST_PIXELS:
        raise _NoPicture(f"a {kind} image of {whole[0]}×{whole[1]} pixels, too large to show")
    try:
        found.load()
    except (OSError, ValueError, SyntaxError):
        raise _NoPicture(f"a {kind} image of {whole[0]}×{whole[1]} pixels that is broken") from None
    fits = max(whole) <= side and len(data) <= _MOST_BYTES
    if fits and kind in _SENT_AS_THEY_ARE:
        return data, kind, whole, whole
    small = found.convert("RGBA" if "A" in found.getbands() or found.info.get("transparency")
                          is not None else "RGB")  # fmt: skip
    small.thumbnail((side, side))
    out = io.BytesIO()
    small.save(out, "PNG")
    return out.getvalue(), "PNG", whole, small.size
