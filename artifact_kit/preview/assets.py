"""What answers a request: the workspace's bytes, with the type a web server would give them."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from artifact_kit.errors import Failure, ToolError

if TYPE_CHECKING:
    from artifact_kit.workspace import Entry, Workspace, WorkspacePath

TYPES = {
    ".html": "text/html",
    ".htm": "text/html",
    ".xhtml": "application/xhtml+xml",
    ".svg": "image/svg+xml",
    ".css": "text/css",
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".cjs": "text/javascript",
    ".json": "application/json",
    ".map": "application/json",
    ".geojson": "application/geo+json",
    ".webmanifest": "application/manifest+json",
    ".xml": "application/xml",
    ".txt": "text/plain",
    ".log": "text/plain",
    ".md": "text/markdown",
    ".csv": "text/csv",
    ".tsv": "text/tab-separated-values",
    ".yaml": "text/yaml",
    ".yml": "text/yaml",
    ".vtt": "text/vtt",
    ".glsl": "text/plain",
    ".vert": "text/plain",
    ".frag": "text/plain",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
    ".avif": "image/avif",
    ".bmp": "image/bmp",
    ".ico": "image/x-icon",
    ".woff": "font/woff",
    ".woff2": "font/woff2",
    ".ttf": "font/ttf",
    ".otf": "font/otf",
    ".mp3": "audio/mpeg",
    ".ogg": "audio/ogg",
    ".oga": "audio/ogg",
    ".wav": "audio/wav",
    ".m4a": "audio/mp4",
    ".flac": "audio/flac",
    ".mp4": "video/mp4",
    ".m4v": "video/mp4",
    ".webm": "video/webm",
    ".ogv": "video/ogg",
    ".wasm": "application/wasm",
    ".pdf": "application/pdf",
    ".glb": "model/gltf-binary",
    ".gltf": "model/gltf+json",
}
"""Media types by file name, as registered at IANA (`.md` and the shader names as servers do)."""

PAGES = frozenset({".html", ".htm", ".xhtml", ".svg"})
"""What runs as a page."""

_AS_TEXT = frozenset({"text/css", "text/javascript", "text/markdown", "text/csv", "text/yaml"})
_SHOWN = ("text/", "image/", "application/json", "application/xml", "application/geo+json")
_TEXTUAL = (
    "text/",
    "application/json",
    "application/xml",
    "application/xhtml+xml",
    "image/svg+xml",
)


@dataclass(frozen=True)
class Asset:
    """A file as a page gets it."""

    path: str
    body: bytes
    mime: str


@dataclass(frozen=True)
class Missing:
    """No such file; `near` is a name in that folder which resembles it, or empty."""

    path: str
    near: str
    reason: str = "not in the workspace"


def media_type(suffix: str) -> str:
    """The media type for a file name's ending."""
    return TYPES.get(suffix, "application/octet-stream")


def can_show(suffix: str) -> bool:
    """Whether a browser shows such a file by itself."""
    return media_type(suffix).startswith(_SHOWN)


class Assets:
    """The workspace as one page sees it; remembers the text files that the page was given."""

    def __init__(self, workspace: Workspace, most_bytes: int, *, path_chars: int) -> None:
        self._workspace = workspace
        self._most = most_bytes
        self._path_chars = path_chars
        self.sources: dict[str, bytes] = {}

    async def answer(
        self, url: str, *, as_document: bool = False, explain: bool = True
    ) -> Asset | Missing:
        """The file at an address of the page's own origin; without `explain` no near name is
        looked for when there is none."""
        asked = unquote(urlsplit(url).path).lstrip("/")
        try:
            path = self._workspace.path(f"./{asked}", most_chars=self._path_chars)
            content = await self._workspace.read(path, most=self._most + 1)
        except ToolError as error:
            return Missing(asked, *(await self._explain(asked, error) if explain else ("",)))
        if content.size > self._most:
            return Missing(asked, "", f"larger than the {self._most // 2**20} MiB a page may load")
        mime = media_type(path.suffix)
        if mime.startswith(_TEXTUAL):
            self.sources[str(path)] = content.data
        if as_document and mime in _AS_TEXT:
            mime = "text/plain"
        return Asset(str(path), content.data, mime)

    async def upload(self, raw: str) -> tuple[str, str, bytes]:
        """A workspace file as a person would choose it: its name, media type and bytes.

        Raises:
            Refusal: `bad_path` or `outside`.
            Failure: There is no such file, or it is too large.
        """
        path = await self._workspace.locate(raw, most_chars=self._path_chars)
        content = await self._workspace.read(path, most=self._most + 1)
        if content.size > self._most:
            raise Failure(f"{path} is larger than a page may load", code="too_large")
        return path.name, media_type(path.suffix), content.data

    async def _explain(self, asked: str, error: ToolError) -> tuple[str, str]:
        if error.code not in ("not_found", "is_folder", "not_folder", "outside", "bad_path"):
            return "", error.message
        reason = "a folder" if error.code == "is_folder" else "not in the workspace"
        try:
            path = self._workspace.path(f"./{asked}", most_chars=self._path_chars)
            return await self._nearest(path), reason
        except ToolError:
            return "", reason

    async def _nearest(self, path: WorkspacePath) -> str:
        """The most similar name in the same folder, else the same name elsewhere near the root."""
        names = {entry.path.name: str(entry.path) for entry in await self._entries(path.parent)}
        close = get_close_matches(path.name, names, n=1, cutoff=0.6)
        if close:
            return names[close[0]]
        for folder in [path.parent.parent, *await self._folders()]:
            for entry in await self._entries(folder):
                if entry.path.name == path.name and entry.kind == "file":
                    return str(entry.path)
        return ""

    async def _folders(self) -> list[WorkspacePath]:
        root = self._workspace.path(".")
        entries = await self._entries(root)
        return [root, *[entry.path for entry in entries if entry.kind == "folder"][:12]]

    async def _entries(self, folder: WorkspacePath) -> list[Entry]:
        try:
            return await self._workspace.list(folder)
        except ToolError:
            return []
