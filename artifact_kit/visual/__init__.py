"""Checks of artifacts: opened, driven by a scenario, and compared with their baselines."""

from artifact_kit.visual.baselines import BaselineStore
from artifact_kit.visual.folders import Folder, load_report
from artifact_kit.visual.github import error_lines, summary
from artifact_kit.visual.merging import merge, merge_pictures
from artifact_kit.visual.promotion import (
    Tell,
    check_allowed,
    in_ci,
    promote,
    promoted,
    prune,
    store_place,
)
from artifact_kit.visual.publishing import publish
from artifact_kit.visual.report import REPORT, Report, exit_code
from artifact_kit.visual.wording import flat, terminal_lines

__all__ = (
    "REPORT",
    "BaselineStore",
    "Folder",
    "Report",
    "Tell",
    "check_allowed",
    "error_lines",
    "exit_code",
    "flat",
    "in_ci",
    "load_report",
    "merge",
    "merge_pictures",
    "promote",
    "promoted",
    "prune",
    "publish",
    "store_place",
    "summary",
    "terminal_lines",
)
