"""The file tools of one workspace."""

from artifact_kit.contract import Tool
from artifact_kit.file_tools.desk import Desk
from artifact_kit.file_tools.edit_file import edit_file
from artifact_kit.file_tools.find_files import find_files
from artifact_kit.file_tools.manage_file import manage_file
from artifact_kit.file_tools.read_file import read_file
from artifact_kit.file_tools.write_file import write_file
from artifact_kit.limits import Limits
from artifact_kit.workspace import Workspace


def file_tools(workspace: Workspace, limits: Limits, *, strict: bool = False) -> list[Tool]:
    """The tools that work on one workspace and share one memory of what was seen.

    `strict` turns the three repairs (code fence, stray tool-call tags, objects for .json files)
    into refusals.
    """
    desk = Desk(workspace, limits, strict)
    makers = (write_file, read_file, edit_file, manage_file, find_files)
    return [make(desk) for make in makers]
