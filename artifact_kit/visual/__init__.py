"""Checks of artifacts: opened, driven by a scenario, and compared with their baselines."""

from artifact_kit.visual.baselines import BaselineStore
from artifact_kit.visual.browsers import Browsers
from artifact_kit.visual.discovery import Wishes
from artifact_kit.visual.folders import Folder, load_report
from artifact_kit.visual.github import error_lines, summary
from artifact_kit.visual.merging import merge, merge_pictures
from artifact_kit.visual.planning import Planned, shard_of
from artifact_kit.visual.promotion import (
    Accept,
    Tell,
    check_allowed,
    in_ci,
    promote,
    promoted,
    prune,
    store_place,
)
from artifact_kit.visual.publishing import publish
from artifact_kit.visual.report import REPORT, Check, Report, exit_code
from artifact_kit.visual.running import Run
from artifact_kit.visual.suite import Suite, project_table, suite_of
from artifact_kit.visual.wording import flat, label, terminal_lines

__all__ = (
    "REPORT",
    "Accept",
    "BaselineStore",
    "Browsers",
    "Check",
    "Folder",
    "Planned",
    "Report",
    "Run",
    "Suite",
    "Tell",
    "Wishes",
    "check_allowed",
    "error_lines",
    "exit_code",
    "flat",
    "in_ci",
    "label",
    "load_report",
    "merge",
    "merge_pictures",
    "project_table",
    "promote",
    "promoted",
    "prune",
    "publish",
    "shard_of",
    "store_place",
    "suite_of",
    "summary",
    "terminal_lines",
)
