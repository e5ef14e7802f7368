"""The scripts of `driver_js`, as they are sent to a page."""

import json
import re
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

_PLACEHOLDER = "__TOKEN__"
_BUDGET = "'__BUDGET__'"
_SEED = "__SEED__"
_LOOKS = "6"
"""What the names of the scripts that judge looks begin with."""
_COMMENT = re.compile(r"^ */\*\*(?:(?!\*/).)*\*/\n", re.MULTILINE | re.DOTALL)
"""Comments with lines of their own: a quarter of what each page would have to read."""


@cache
def _folder() -> Traversable:
    """Where the scripts lie: in the wheel beside the package's modules, else in the repository."""
    packaged = files("artifact_kit") / "driver_js"
    return packaged if packaged.is_dir() else Path(__file__).parents[2] / "driver_js"


@cache
def _joined(part: str, without: str = "-") -> str:
    scripts = sorted((_folder() / part).iterdir(), key=lambda script: script.name)
    return "\n".join(
        _COMMENT.sub("", script.read_text(encoding="utf-8"))
        for script in scripts
        if script.name.endswith(".js") and not script.name.startswith(without)
    )


def prelude(token: str, seed: int | None = None) -> str:
    """What runs in the page's own world before its first script; `token` is the page's secret.
    With a `seed` the page's chance and frames are those of the virtual clock.

    It leaves the function `door(token)`, a lexical global: no page can list or replace it.
    """
    body = _joined("main")
    if seed is not None:
        body = f"{body}\n{_joined('clock').replace(_SEED, str(seed))}"
    body = body.replace(_PLACEHOLDER, token).replace(_BUDGET, json.dumps(budget()))
    return f"const {door(token)} = (() => {{'use strict';\n{body}\nreturn run;}})();"


def door(token: str) -> str:
    """The name of what runs code in the page's own world and shows its result."""
    return f"run_{token}"


def driver(token: str, *, lean: bool = False) -> str:
    """What runs in the isolated world and leaves `kit` there; a `lean` one knows no looks."""
    body = _joined("driver", without=_LOOKS if lean else "-").replace(_PLACEHOLDER, token)
    return f"globalThis.kit = (() => {{'use strict';\n{body}\nreturn kit;}})();"


@cache
def budget() -> str:
    """What runs in a worker before its own script."""
    return f"(() => {{'use strict';\n{_joined('worker')}\n}})();"
