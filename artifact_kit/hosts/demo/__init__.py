"""The whole loop of an agent, on a game that has a bug."""

from artifact_kit.hosts.demo.command import demo

__all__ = ("demo",)
