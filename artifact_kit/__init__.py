"""A workspace for AI agents, and eyes on the web pages they make.

PYTEST_DONT_REWRITE: else pytest warns where the package is imported before its plugin.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from artifact_kit.contract import Image, Outcome, Tool
    from artifact_kit.limits import Limits
    from artifact_kit.toolkit import Toolkit
    from artifact_kit.workspace import Quota, Workspace
else:
    # pytest imports the package in every project of an environment, with its plugin.
    _HOMES = {
        "Image": "contract",
        "Limits": "limits",
        "Outcome": "contract",
        "Quota": "workspace",
        "Tool": "contract",
        "Toolkit": "toolkit",
        "Workspace": "workspace",
    }

    def __getattr__(name: str) -> Any:
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        found = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
        return globals().setdefault(name, found)


__all__ = ("Image", "Limits", "Outcome", "Quota", "Tool", "Toolkit", "Workspace")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
