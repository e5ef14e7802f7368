"""The folders that a client says it works in, as a part of the workspace."""

from __future__ import annotations

import logging
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import mcp_types as types
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata
from pydantic import ValidationError

from artifact_kit.hosts.mcp.settings import local_folder

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mcp.server.context import ServerRequestContext

log = logging.getLogger("artifact_kit.mcp")
_ANSWER_S = 3.0


async def asked_scope(context: ServerRequestContext[Any, Any], folder: Path | None) -> str:
    """The folder of the workspace to which the client's roots narrow it; empty for all of it."""
    capabilities = context.session.client_capabilities
    if folder is None or capabilities is None or capabilities.roots is None:
        return ""
    try:
        answer = await context.session.send_request(
            types.ListRootsRequest(),
            types.ListRootsResult,
            request_read_timeout_seconds=_ANSWER_S,
            metadata=ServerMessageMetadata(related_request_id=context.request_id),
        )
    except (MCPError, ValidationError) as error:
        log.warning("the client did not say its roots (%s)", type(error).__name__)
        return ""
    return scope_of([str(root.uri) for root in answer.roots], folder)


def scope_of(uris: Iterable[str], folder: Path) -> str:
    """The folder, below `folder`, that holds all roots which lie in it.

    Roots elsewhere are ignored, and logged. A root that holds `folder` narrows nothing.
    """
    inside = []
    for uri in uris:
        path = local_folder(uri)
        if path is not None and folder.is_relative_to(path):
            return ""
        if path is not None and path.is_relative_to(folder) and path.is_dir():
            inside.append(path.relative_to(folder).as_posix())
        else:
            log.warning("the client's root %s is no folder of the workspace: ignored", uri[:200])
    common = os.path.commonpath(inside) if inside else ""
    return Path(common).as_posix() if common else ""
