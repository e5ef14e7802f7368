"""Files of the workspace, and the last pictures, as resources."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

import mcp_types as types
from mcp.shared.exceptions import MCPError

from artifact_kit.errors import ToolError
from artifact_kit.file_tools.walking import Walk
from artifact_kit.preview.assets import media_type
from artifact_kit.text import size

if TYPE_CHECKING:
    from artifact_kit.contract import Image
    from artifact_kit.hosts.mcp.clients import Client
    from artifact_kit.workspace import Entry, Workspace

_FILES = "workspace:///"
_PAGE = 200
"""Files of one answer; the rest is continued."""
_MOST_BYTES = 4 * 1024 * 1024
_NOT_FOUND = -32002

TEMPLATES = types.ListResourceTemplatesResult(
    resource_templates=[
        types.ResourceTemplate(
            name="file", title="File of the workspace", uri_template=f"{_FILES}{{+path}}"
        )
    ]
)


async def listing(
    client: Client, workspace: Workspace, cursor: str | None
) -> types.ListResourcesResult:
    """The last pictures, then the files in the order of their paths."""
    root = workspace.path(".")
    walk = Walk(workspace, root, everything=False, after=tuple((cursor or "").split("/")))
    found: list[types.Resource] = [] if cursor else [_shot(*shot) for shot in client.shots]
    last, more = "", None
    async for entry in walk.entries():
        if entry.kind != "file":
            continue
        if len(found) >= _PAGE:
            more = last
            break
        found.append(_file(entry))
        last = str(entry.path)
    return types.ListResourcesResult(resources=found, next_cursor=more)


async def content(client: Client, workspace: Workspace, uri: str) -> types.ReadResourceResult:
    """What a resource holds.

    Raises:
        MCPError: There is no such resource, or it is too large.
    """
    for known, image in client.shots:
        if known == uri.rstrip("/"):
            return _blob(uri, image.data, image.mime_type)
    if not uri.startswith(_FILES):
        raise MCPError(_NOT_FOUND, "Resource not found", data={"uri": uri})
    try:
        path = await workspace.locate(unquote(uri.removeprefix(_FILES)))
        held = await workspace.read(path, most=_MOST_BYTES)
    except ToolError as error:
        raise MCPError(_NOT_FOUND, error.message, data={"uri": uri}) from error
    if held.size > _MOST_BYTES:
        wrong = f"{path} is larger than {size(_MOST_BYTES)}; read_file gives it in pieces"
        raise MCPError(types.INVALID_PARAMS, wrong, data={"uri": uri})
    kind = media_type(path.suffix)
    try:
        text = held.data.decode("utf-8")
    except UnicodeDecodeError:
        return _blob(uri, held.data, kind)
    contents = types.TextResourceContents(uri=uri, mime_type=kind, text=text)
    return types.ReadResourceResult(contents=[contents])


def _blob(uri: str, data: bytes, kind: str) -> types.ReadResourceResult:
    blob = base64.b64encode(data).decode()
    contents = types.BlobResourceContents(uri=uri, mime_type=kind, blob=blob)
    return types.ReadResourceResult(contents=[contents])


def _shot(uri: str, image: Image) -> types.Resource:
    title = f"Picture, {image.width}×{image.height}"
    return types.Resource(
        name=uri.partition("://")[2], title=title, uri=uri, mime_type=image.mime_type,
        size=len(image.data),
    )  # fmt: skip


def _file(entry: Entry) -> types.Resource:
    path = entry.path
    return types.Resource(
        name=str(path), uri=_FILES + quote(str(path)), mime_type=media_type(path.suffix),
        size=entry.size,
    )  # fmt: skip
