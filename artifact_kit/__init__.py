"""A workspace for AI agents, and eyes on the web pages they make."""

from artifact_kit.contract import Image, Outcome, Tool
from artifact_kit.limits import Limits
from artifact_kit.toolkit import Toolkit
from artifact_kit.workspace import Quota, Workspace

__all__ = ("Image", "Limits", "Outcome", "Quota", "Tool", "Toolkit", "Workspace")
