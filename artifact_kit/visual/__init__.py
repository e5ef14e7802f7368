"""Checks of artifacts: opened, driven by a scenario, and compared with their baselines."""

from artifact_kit.preview.acting import NotDone
from artifact_kit.visual.baselines import BaselineStore
from artifact_kit.visual.browsers import Browsers
from artifact_kit.visual.checking import Lost, told_lost
from artifact_kit.visual.discovery import Wishes
from artifact_kit.visual.folders import Folder, load_report, same_place
from artifact_kit.visual.github import error_lines, summary
from artifact_kit.visual.judging import Judge
from artifact_kit.visual.keys import check_names, folder_of, platform_key
from artifact_kit.visual.live import LivePage, live_page
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
from artifact_kit.visual.publishing import PAGE, publish
from artifact_kit.visual.report import REPORT, Check, PageError, Report, exit_code
from artifact_kit.visual.running import Run
from artifact_kit.visual.scenario import Scheme
from artifact_kit.visual.single import actions_of, queries_of, shot_of, single
from artifact_kit.visual.suite import Suite, clear, project_table, report_of, suite_of
from artifact_kit.visual.wording import (
    ACCEPTABLE,
    approve_command,
    flat,
    label,
    sentence,
    terminal_lines,
)

__all__ = (
    "ACCEPTABLE",
    "PAGE",
    "REPORT",
    "Accept",
    "BaselineStore",
    "Browsers",
    "Check",
    "Folder",
    "Judge",
    "LivePage",
    "Lost",
    "NotDone",
    "PageError",
    "Planned",
    "Report",
    "Run",
    "Scheme",
    "Suite",
    "Tell",
    "Wishes",
    "actions_of",
    "approve_command",
    "check_allowed",
    "check_names",
    "clear",
    "error_lines",
    "exit_code",
    "flat",
    "folder_of",
    "in_ci",
    "label",
    "live_page",
    "load_report",
    "merge",
    "merge_pictures",
    "platform_key",
    "project_table",
    "promote",
    "promoted",
    "prune",
    "publish",
    "queries_of",
    "report_of",
    "same_place",
    "sentence",
    "shard_of",
    "shot_of",
    "single",
    "store_place",
    "suite_of",
    "summary",
    "terminal_lines",
    "told_lost",
)
