"""A confined Chromium: found or installed, launched, watched, and never left behind."""

from artifact_kit.browser.chromium import Chromium, find
from artifact_kit.browser.confinement import Confinement
from artifact_kit.browser.launcher import Launcher
from artifact_kit.browser.layers import Layer
from artifact_kit.browser.provision import provide
from artifact_kit.browser.running import Gone, RunningBrowser

__all__ = (
    "Chromium",
    "Confinement",
    "Gone",
    "Launcher",
    "Layer",
    "RunningBrowser",
    "find",
    "provide",
)
