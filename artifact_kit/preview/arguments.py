"""What `preview` accepts, and how that is described to a model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from artifact_kit.contract.intake import Field, Signature

if TYPE_CHECKING:
    from artifact_kit.limits import Limits

TITLE = "Preview a page"
DESCRIPTION = (
    "Look at an HTML file of the workspace in a sandboxed browser page. Start with op open and "
    "path; then act, read, eval, shot; end with close. Every result also lists new console "
    "messages and errors with their place in the files."
)
OPS = ("open", "act", "read", "eval", "shot", "close")
ACTIONS = (
    "click",
    "key",
    "type",
    "scroll",
    "wait",
    "hover",
    "drag",
    "select",
    "upload",
    "reload",
    "step",
)
_KINDS = (
    "click needs x and y, or css, ref or text. key needs key. type needs text, which takes the "
    "place of what the field of css or ref holds, or goes to the focus. scroll needs dx and/or dy. "
    "wait needs ms, css or code. hover as click. drag needs a start as click, and toX and toY, or "
    "toCss. select needs css or ref, and value. upload needs css or ref, and files. step, on the "
    "virtual clock, needs frames or ms."
)
_POINTED = ("click", "scroll", "hover", "drag")
_AIMED = ("click", "type", "scroll", "hover", "drag", "select", "upload")
_MEANINGS = {
    "tap": "click",
    "mouseclick": "click",
    "leftclick": "click",
    "press": "key",
    "presskey": "key",
    "keypress": "key",
    "keydown": "key",
    "sleep": "wait",
    "pause": "wait",
    "waitfor": "wait",
    "fill": "type",
    "input": "type",
    "entertext": "type",
    "mousemove": "hover",
    "move": "hover",
    "selectoption": "select",
    "choose": "select",
    "refresh": "reload",
    "setinputfiles": "upload",
    "uploadfile": "upload",
    "advance": "step",
    "tick": "step",
    "frame": "step",
    "fileupload": "upload",
}


def _action() -> Signature:
    css = ("selector", "target", "element")
    return Signature(
        "actions",
        (
            Field("type", "enum", _KINDS, required=True, names=("action", "kind", "op"),
                  values=ACTIONS, meanings=_MEANINGS),
            Field("css", "text", "All but key, wait and reload: CSS selector of the element. "
                  "wait: until it is visible.", names=css, only_for=(*_AIMED, "wait")),
            Field("ref", "text", "Instead of css: a ref of the outline, such as e3.",
                  only_for=_AIMED),
            Field("x", "number", "click, scroll, hover, drag: x in CSS pixels from the left edge "
                  "of the page view, or of the element of css or ref.", only_for=_POINTED),
            Field("y", "number", "click, scroll, hover, drag: y in CSS pixels from the top edge "
                  "of the page view, or of the element of css or ref.", only_for=_POINTED),
            Field("key", "text", "key: key name such as ArrowRight, Enter, a, Control+a.",
                  names=("keys",), only_for=("key",)),
            Field("text", "text", "type: text to type. click, hover: the visible text to click "
                  "on.", names=("label",), only_for=("type", "click", "hover", "upload")),
            Field("value", "text", "select: value or label of the option.",
                  names=("option",), only_for=("select", "type")),
            Field("files", "texts", "upload: the workspace files to choose.",
                  names=("file", "path", "paths"), only_for=("upload",)),
            Field("dx", "number", "scroll: pixels to the right.", names=("deltaX",),
                  only_for=("scroll",)),
            Field("dy", "number", "scroll: pixels down.", names=("deltaY",), only_for=("scroll",)),
            Field("toCss", "text", "drag: CSS selector of the element to drop on.",
                  names=("to", "targetCss"), only_for=("drag",)),
            Field("toX", "number", "drag: x of the drop point.", only_for=("drag",)),
            Field("toY", "number", "drag: y of the drop point.", only_for=("drag",)),
            Field("ms", "integer", "wait, step: milliseconds. key: how long to hold the key.",
                  names=("duration", "timeout", "delay"), only_for=("wait", "key", "step")),
            Field("frames", "integer", "step: how many frames, each 1/60 s.",
                  names=("steps",), only_for=("step",)),
            Field("code", "text", "wait: until this JavaScript function body returns true.",
                  names=("until", "condition"), only_for=("wait",)),
            Field("button", "enum", "click: left (default), middle or right.",
                  values=("left", "middle", "right"), only_for=("click",)),
            Field("count", "integer", "click: 2 is a double click.", names=("clicks",),
                  only_for=("click",)),
        ),
        by="type",
        needs={
            "click": (("x", "y"), ("css",), ("ref",), ("text",)),
            "hover": (("x", "y"), ("css",), ("ref",), ("text",)),
            "key": (("key",),),
            "type": (("text",), ("value",)),
            "scroll": (("dx",), ("dy",), ("css",)),
            "wait": (("ms",), ("css",), ("code",)),
            "step": (("frames",), ("ms",)),
            "select": (("css", "value"), ("ref", "value")),
            "upload": (("css", "files"), ("ref", "files"), ("text", "files")),
            "drag": tuple(
                (*start, *end)
                for start in (("x", "y"), ("css",), ("ref",))
                for end in (("toX", "toY"), ("toCss",))
            ),
        },
    )  # fmt: skip


def _query() -> Signature:
    return Signature(
        "queries",
        (
            Field("css", "text", "CSS selector.", names=("selector",)),
            Field("ref", "text", "Instead of css: a ref of the outline, such as e3."),
            Field(
                "attr",
                "text",
                "What to read: text (default), html, value, count, box, style:NAME, or an "
                "attribute name.",
                names=("attribute", "property"),
            ),
        ),
        bare="css",
    )


def signature(limits: Limits) -> Signature:
    """The arguments of `preview`; the limits in force stand in the descriptions."""
    most, queries = limits.actions, limits.queries
    return Signature(
        "preview",
        (
            Field("op", "enum", "open loads path; act performs actions; read reads queries, or "
                  "outlines the page without any; eval runs code; shot takes a screenshot; close "
                  "ends the session.", required=True, names=("operation", "command"), values=OPS,
                  meanings={"load": "open", "navigate": "open", "evaluate": "eval",
                            "screenshot": "shot", "actions": "act"}),
            Field("path", "path", "Only for open: the HTML file.", names=("file", "url")),
            Field("width", "integer", "Only for open: view width in CSS pixels (default 1280).",
                  only_for=("open",)),
            Field("height", "integer", "Only for open: view height in CSS pixels (default 720).",
                  only_for=("open",)),
            Field("device", "enum", "Only for open: desktop (default), phone or tablet.",
                  values=("desktop", "phone", "tablet"), only_for=("open",),
                  meanings={"mobile": "phone", "iphone": "phone", "ipad": "tablet"}),
            Field("dark", "boolean", "Only for open: true prefers the dark colour scheme.",
                  only_for=("open",)),
            Field("clock", "enum", "Only for open: real (default), or virtual: time stands still "
                  "but for wait, step, held keys and a frame an action, and passes as fast as it "
                  "can; chance repeats itself.", values=("real", "virtual"), only_for=("open",)),
            Field("seed", "integer", "Only for open with clock virtual: what chance begins with "
                  "(default 1).", only_for=("open",)),
            Field("actions", "objects", f"Only for act: 1 to {most} actions, done in order.",
                  only_for=("act",), item=_action(), most=most),
            Field("queries", "objects", f"Only for read: up to {queries} queries.",
                  only_for=("read",), item=_query(), most=queries),
            Field("code", "text", "Only for eval: JavaScript function body run in the page; use "
                  "return to give back a value.", names=("script", "expression", "function"),
                  only_for=("eval",)),
            Field("target", "text", "Only for shot: page (full height), canvas, view, a CSS "
                  "selector or a ref. Default: the largest canvas when it fills most of the view, "
                  "else the view.", names=("css", "selector", "ref"), only_for=("shot",)),
            Field("save", "path", "Only for shot: also save the picture as this file of the "
                  "workspace (.png, .jpg or .webp).", only_for=("shot",)),
            Field("frames", "integer", f"Only for shot: 2 to {limits.frames} shots, one after the "
                  "other, in one image.", only_for=("shot",)),
            Field("every", "integer", "Only for shot with frames: milliseconds between shots "
                  "(default 100).", names=("interval",), only_for=("shot",)),
            Field("since", "enum", "Only for shot: last marks and measures what changed since the "
                  "last shot of the same part.", values=("last",), only_for=("shot",)),
            Field("image", "enum", "Only for shot: omit gives the facts without the picture.",
                  values=("include", "omit"), only_for=("shot",)),
        ),
        by="op",
        needs={"open": (("path",),), "act": (("actions",),), "eval": (("code",),)},
    )  # fmt: skip
