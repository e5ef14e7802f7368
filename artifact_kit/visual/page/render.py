"""From a report and its pictures to the page."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass, field
from importlib.resources import files
from typing import TYPE_CHECKING
from urllib.parse import quote

from jinja2 import Environment, StrictUndefined, Template
from markupsafe import Markup

from artifact_kit.errors import ToolError
from artifact_kit.text import clip, plural
from artifact_kit.visual import wording
from artifact_kit.visual.page.crops import View, crop, size_of, view_of
from artifact_kit.visual.report import REPORT, Check, Pictures, Report, Size, deleted, passes

if TYPE_CHECKING:
    from artifact_kit.visual.folders import Folder

_SHOWN_CHECKS = 60
"""Checks whose pictures are in the page, as far as `_INLINE_BYTES` reaches."""
_INLINE_BYTES = 24 * 1024 * 1024
_CARDS = 400
_MATCHES = 4_000
_WORDS = (
    "approve_command",
    "brief",
    "details",
    "extent",
    "label",
    "prune_command",
    "tally",
    "unseen",
    "verdict",
)
_ERRORS = 20


@dataclass(frozen=True)
class Layer:
    """One picture of a check as the page shows it."""

    role: str
    """`before`, `after` or `diff`."""
    caption: str
    path: str
    href: str
    source: str = field(default="", repr=False)
    """A data URL; empty when the picture is only linked."""
    zoom: str = field(default="", repr=False)
    size: Size | None = None


@dataclass(frozen=True)
class Card:
    """A check to look at."""

    at: int
    check: Check
    layers: tuple[Layer, ...] = ()
    view: View | None = None
    canvas: Size | None = None
    """What holds every layer."""
    problem: str = ""

    @property
    def acceptable(self) -> bool:
        """Whether `approve` would take its picture without being forced."""
        return self.check.pictures.actual is not None and self.check.outcome in wording.ACCEPTABLE

    @property
    def modes(self) -> tuple[tuple[str, str], ...]:
        """The ways to look at its layers."""
        roles = {layer.role for layer in self.layers if layer.source}
        diff = (("diff", "Diff"),) if "diff" in roles else ()
        both = (("side", "Side by side"), ("slider", "Slider"), ("blink", "Blink"))
        pair = both if roles >= {"before", "after"} else ()
        return (*diff, *pair) or ((("side", "Picture"),) if roles else ())


async def page(report: Report, folder: Folder) -> str:
    """The HTML. Of many checks the later ones link to their pictures, which it says.

    Raises:
        Failure: The pictures can't be read.
    """
    failed = [check for check in report.checks if not passes(check)]
    room = _INLINE_BYTES
    cards = []
    for at, check in enumerate(failed[:_CARDS]):
        card = await _card(at, check, folder, room if at < _SHOWN_CHECKS else 0)
        room -= sum(len(layer.source) for layer in card.layers)
        cards.append(card)
    css, js = _text("page.css"), _text("page.js")
    return _template().render(
        report=report,
        cards=cards,
        css=css,
        js=js,
        css_hash=_csp_hash(css),
        js_hash=_csp_hash(js),
        more=len(failed) - len(cards),
        linked=sum(bool(c.layers) and not any(x.source for x in c.layers) for c in cards),
        matches=[check for check in report.checks if passes(check)],
        most_matches=_MATCHES,
        most_errors=_ERRORS,
        deleted=deleted,
        place=REPORT if folder.shown == "the workspace" else f"{folder.shown}/{REPORT}",
    )


async def _card(at: int, check: Check, folder: Folder, room: int) -> Card:
    paths = _paths(check)
    if not paths:
        return Card(at, check)
    links = tuple(Layer(role, caption, path, _href(path)) for role, caption, path in paths)
    if room <= 0:
        return Card(at, check, links)
    pictures = [await _picture(folder, path) for _, _, path in paths]
    sizes = [size for size in map(size_of, pictures) if size]
    if len(sizes) < len(pictures):
        lost = [x.caption for x, data in zip(links, pictures, strict=True) if not size_of(data)]
        return Card(at, check, links, problem=f"can't be shown: {', '.join(lost)}")
    canvas = Size(width=max(s.width for s in sizes), height=max(s.height for s in sizes))
    view = _view(check, canvas)
    inline = sum(map(len, pictures)) * 4 // 3 < room
    layers = tuple(
        Layer(
            link.role,
            link.caption,
            link.path,
            link.href,
            _data_url(picture) if inline else "",
            _data_url(crop(picture, view.part)) if view else "",
            size,
        )
        for link, picture, size in zip(links, pictures, sizes, strict=True)
    )
    return Card(at, check, layers, view, canvas)


def _view(check: Check, canvas: Size) -> View | None:
    if check.difference is None:
        return None
    boxes = (check.difference.box, check.difference.densest)
    return next(filter(None, (view_of(box, canvas) for box in boxes if box)), None)


async def _picture(folder: Folder, path: str) -> bytes:
    try:
        return await folder.read(path) or b""
    except ToolError:
        return b""


def _paths(check: Check) -> list[tuple[str, str, str]]:
    pictures = check.pictures
    moving = check.outcome == "unstable"
    if check.difference and not check.difference.pixels:
        pictures = Pictures(actual=pictures.actual)
    before = pictures.earlier if moving else pictures.baseline
    rows = (
        ("before", "first shot" if moving else "baseline", before),
        ("after", "second shot" if moving else "now", pictures.actual),
        ("diff", "difference", pictures.diff),
    )
    return [(role, caption, path) for role, caption, path in rows if path]


def _href(path: str) -> str:
    """A link that can't lead to another site or scheme, whatever the path is."""
    return f"./{quote(path)}"


def _data_url(png: bytes | None) -> str:
    return f"data:image/png;base64,{base64.b64encode(png).decode()}" if png else ""


def _csp_hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _text(name: str) -> str:
    return files("artifact_kit.visual.page").joinpath(name).read_text(encoding="utf-8")


def _template() -> Template:
    words = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    words.globals |= {name: getattr(wording, name) for name in _WORDS} | {"plural": plural}
    words.filters["clip"] = lambda text, chars: clip(wording.visible(text), chars)
    words.filters["verbatim"] = Markup
    return words.from_string(_text("page.html.jinja"))
