"""Which fonts a browser has, as far as its texts show."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

from artifact_kit.preview.bridge import Gone, Moved, Stuck

if TYPE_CHECKING:
    from artifact_kit.preview.bridge import Bridge

_FAMILIES = (
    "serif", "sans-serif", "monospace", "cursive", "fantasy", "system-ui", "emoji", "math",
    "Arial", "Courier New", "Georgia", "Helvetica Neue", "Inter", "Noto Sans", "Roboto",
    "Segoe UI", "Times New Roman", "Verdana",
)  # fmt: skip
_TEXTS = ("Hamburgefonstiv 0123", "Ωμέγα Жук", "漢字かな", "العربية", "👍🏽∑")
_MEASURE = """
(() => {
  const brush = document.createElement('canvas').getContext('2d');
  return %s.map((family) => %s.map((text) => {
    brush.font = `32px ${family}`;
    const box = brush.measureText(text);
    return [box.width, box.fontBoundingBoxAscent, box.fontBoundingBoxDescent];
  }));
})()
"""
_MEASURE_S = 10.0


async def fonts_of(bridge: Bridge) -> str:
    """A digest of how wide and high texts of many scripts are; the same fonts give the same.

    Empty when the browser does not tell.
    """
    families = [f"'{family}'" if " " in family else family for family in _FAMILIES]
    code = _MEASURE % (json.dumps(families), json.dumps(_TEXTS))
    try:
        answer = await bridge.in_page(code, _MEASURE_S)
    except (Gone, Moved, Stuck):
        return ""
    told = json.dumps(answer["result"].get("value")).encode()
    return hashlib.sha256(told).hexdigest()[:12]
