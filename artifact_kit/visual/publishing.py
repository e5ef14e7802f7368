"""All that a run leaves behind beside its pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from artifact_kit.visual.folders import save_report
from artifact_kit.visual.junit import junit
from artifact_kit.visual.page import page

if TYPE_CHECKING:
    from artifact_kit.visual.folders import Folder
    from artifact_kit.visual.report import Report

JUNIT = "junit.xml"
PAGE = "report.html"


async def publish(folder: Folder, report: Report) -> None:
    """Write the report, then what is rendered from it: JUnit and the page for people.

    Raises:
        Refusal: The folder can't be written.
        Failure: What the storage met.
    """
    await save_report(folder, report)
    await folder.write(JUNIT, junit(report))
    await folder.write(PAGE, (await page(report, folder)).encode())
