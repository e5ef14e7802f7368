"""For host applications: does a storage of yours keep what the workspace promises?

    report = await conformance(lambda: Workspace(MyFileSystem(), root="scratch"))
    assert report.ok, str(report)

Or one test for each promise: parametrize over `CHECKS` and pass `checks=(check,)`.
"""

from artifact_kit.testing.conformance import CHECKS, Check, Finding, Report, conformance

__all__ = ("CHECKS", "Check", "Finding", "Report", "conformance")
