"""The report as one HTML file: it needs no network, and shows the first difference at once."""

from artifact_kit.visual.page.render import page

__all__ = ("page",)
