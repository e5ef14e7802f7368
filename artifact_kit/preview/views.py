"""How large a page is shown, and on what kind of device (pure)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from artifact_kit.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping

_LARGEST = 4096


@dataclass(frozen=True)
class View:
    """A view of so many CSS pixels; `mobile` has touch and heeds the viewport meta tag."""

    width: int
    height: int
    scale: float = 1
    """Device pixels of one CSS pixel."""
    mobile: bool = False

    def metrics(self) -> dict[str, Any]:
        """The parameters of `Emulation.setDeviceMetricsOverride`."""
        size = {"width": self.width, "height": self.height}
        return {**size, "deviceScaleFactor": self.scale, "mobile": self.mobile}


DESKTOP = View(1280, 720)
DEVICES = {
    "desktop": DESKTOP,
    "phone": View(390, 844, 3, mobile=True),
    "tablet": View(820, 1180, 2, mobile=True),
}
"""The sizes of a common laptop page view, of an iPhone 14 and of an iPad Air."""


def view_of(arguments: Mapping[str, Any]) -> View:
    """The view that `open` asks for.

    Raises:
        Refusal: `bad_size`.
    """
    view = DEVICES[arguments.get("device", "desktop")]
    view = replace(
        view,
        width=arguments.get("width", view.width),
        height=arguments.get("height", view.height),
    )
    for name, value in (("width", view.width), ("height", view.height)):
        if not 1 <= value <= _LARGEST:
            raise Refusal(
                f"{name} must be 1 to {_LARGEST} (got {value}). Nothing was opened.",
                code="bad_size",
            )
    return view
