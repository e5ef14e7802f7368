"""Where the kit is used: the command line."""

from artifact_kit.hosts.cli import main

__all__ = ("main",)
