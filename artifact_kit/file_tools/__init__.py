"""The file tools: write, read, edit, manage and find."""

from artifact_kit.file_tools.tools import file_tools

__all__ = ("file_tools",)
