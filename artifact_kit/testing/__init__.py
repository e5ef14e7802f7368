"""For host applications: does a storage of yours keep what the workspace promises?"""

from artifact_kit.testing.conformance import CHECKS, Check, Finding, Report, conformance

__all__ = ("CHECKS", "Check", "Finding", "Report", "conformance")
