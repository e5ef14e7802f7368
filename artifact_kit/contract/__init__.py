"""What a tool is: arguments in, an outcome out, errors as text in one place."""

from artifact_kit.contract.intake import Arguments, Field, Signature, intake
from artifact_kit.contract.outcome import Image, Outcome, Status
from artifact_kit.contract.schemas import input_schema
from artifact_kit.contract.tool import Tool

__all__ = (
    "Arguments",
    "Field",
    "Image",
    "Outcome",
    "Signature",
    "Status",
    "Tool",
    "input_schema",
    "intake",
)
