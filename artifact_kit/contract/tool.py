"""A tool: its description for a model, and how to call it."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from artifact_kit.contract.call import run
from artifact_kit.contract.intake import Signature
from artifact_kit.contract.outcome import Outcome
from artifact_kit.errors import Verb

Schema = dict[str, Any]
Handler = Callable[[Mapping[str, Any], str], Awaitable[Outcome]]
"""Takes intake-checked arguments and the conversation; answers or raises a `ToolError`."""
Intake = Callable[[object], Mapping[str, Any]]
"""Takes arguments as a model sent them; gives canonical ones or raises a `Refusal`."""


@dataclass(frozen=True, kw_only=True)
class Tool:
    """One tool as a host hands it to a model."""

    name: str
    title: str
    description: str
    input_schema: Schema
    output_schema: Schema
    annotations: Mapping[str, bool]
    """MCP hints: readOnlyHint, destructiveHint, idempotentHint, openWorldHint."""
    tags: frozenset[str]
    verb: Verb
    """The word before `failed:` when something unexpected happens."""
    intake: Intake
    handler: Handler
    signature: Signature | None = None
    """The declaration behind `intake`, from which stricter schemas can be made."""

    async def call(self, arguments: object, *, conversation: str = "default") -> Outcome:
        """Answer one call; never raises for anything a model, a page or a storage does."""
        return await run(self, arguments, conversation)
