"""The tools in the hands of any agent: a server of the Model Context Protocol."""

from artifact_kit.hosts.mcp.command import mcp

__all__ = ("mcp",)
