"""A confined Chromium: found or installed, launched, watched, and never left behind."""

from artifact_kit.browser.chromium import Chromium, find
from artifact_kit.browser.confinement import Confinement, Layer
from artifact_kit.browser.launcher import Gone, Launcher, RunningBrowser
from artifact_kit.browser.provision import provide

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
