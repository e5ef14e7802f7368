"""The workspace: where models' paths lead, and nowhere else."""

from artifact_kit.workspace.paths import WorkspacePath
from artifact_kit.workspace.values import Content, Entry, Quota, Version
from artifact_kit.workspace.workspace import Workspace

__all__ = ("Content", "Entry", "Quota", "Version", "Workspace", "WorkspacePath")
