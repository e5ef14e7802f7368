"""What a tool is: arguments in, an outcome out, errors as text in one place."""

from artifact_kit.contract.outcome import Image, Outcome, Status
from artifact_kit.contract.tool import Tool

__all__ = ("Image", "Outcome", "Status", "Tool")
