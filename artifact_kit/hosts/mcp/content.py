"""Outcomes as results of the protocol (pure)."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any

import mcp_types as types

from artifact_kit.contract.exports import mcp as exported
from artifact_kit.text import size, well_formed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from artifact_kit.contract import Image, Outcome, Tool


def listed(tool: Tool, *, structured: bool) -> types.Tool:
    """A tool as a client is told of it."""
    told = exported(tool)
    schema = told.pop("outputSchema")
    if structured:
        told["outputSchema"] = {
            key: value for key, value in schema.items() if key != "additionalProperties"
        }
    return types.Tool.model_validate(told, by_name=False)


def result(
    outcome: Outcome, *, structured: bool, images: bool, uris: Sequence[str]
) -> types.CallToolResult:
    """The answer to a call; `uris` name its pictures as resources."""
    text = outcome.text
    content: list[types.ContentBlock] = []
    if images:
        content = [_picture(image) for image in outcome.images]
    else:
        saved = outcome.data.get("saved")
        told = [_facts(*each, saved) for each in zip(outcome.images, uris, strict=True)]
        text = "\n".join([text, *told])
    content.insert(0, types.TextContent(text=text))
    return types.CallToolResult(
        content=content,
        structured_content=_well_formed(outcome.data) if structured else None,
        is_error=outcome.is_error,
    )


def _picture(image: Image) -> types.ImageContent:
    data = base64.b64encode(image.data).decode()
    return types.ImageContent(data=data, mime_type=image.mime_type)


def _facts(image: Image, uri: str, saved: object) -> str:
    where = f"saved as {saved}" if saved else f"resource {uri}"
    facts = f"{image.mime_type}, {image.width}×{image.height}, {size(len(image.data))}"
    return f"picture not shown ({facts}): {where}"


def _well_formed(data: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(well_formed(json.dumps(data, ensure_ascii=False)))
    return found
