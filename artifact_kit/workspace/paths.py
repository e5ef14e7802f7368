"""What a model's path means: a pure rule, applied before any storage sees the string."""

from __future__ import annotations

import posixpath
import re
import unicodedata
from dataclasses import dataclass, field
from urllib.parse import unquote

from artifact_kit.errors import Refusal
from artifact_kit.text import clip

_UNIX = (
    "etc",
    "usr",
    "bin",
    "lib",
    "home",
    "root",
    "tmp",
    "var",
    "opt",
    "mnt",
    "dev",
    "proc",
    "sys",
)
_OTHERS = ("srv", "Users", "Windows", "Volumes", "Library", "private")
HOST_FOLDERS = frozenset((*_UNIX, *_OTHERS))
"""An absolute path that begins with one of these was meant for the host's own disk."""
VIRTUAL_ROOT = "workspace"
TEMP_PREFIX = ".~ak-"
"""Names of our own unfinished files; no model and no listing sees them."""

NAME_BYTES = 255
_JOINERS = "\u200c\u200d"
_QUOTES = {'"': '"', "'": "'", "`": "`", "“": "”", "‘": "’"}
_BAD_IN_NAMES = re.compile(r'[<>:"|?*]')
_ENCODED = re.compile(r"%2f|%5c|%00", re.IGNORECASE)
_DEVICE = re.compile(
    r"(?:con|prn|aux|nul|conin\$|conout\$|clock\$|(?:com|lpt)[0-9¹²³])", re.IGNORECASE
)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:(?://|:)|[A-Za-z][A-Za-z0-9+.\-]+::")
_OPAQUE = re.compile(r"(?:file|data|blob|about|javascript|view-source):", re.IGNORECASE)
_FILE_URL = re.compile(r"file://(?:localhost)?(?=/)", re.IGNORECASE)
_DRIVE = re.compile(r"[A-Za-z]:")


@dataclass(frozen=True, order=True)
class WorkspacePath:
    """A canonical path inside the workspace; no parts mean the workspace's root."""

    parts: tuple[str, ...]
    as_folder: bool = field(default=False, compare=False)
    """The model wrote it with a slash at the end, as one writes a folder."""

    def __str__(self) -> str:
        return "/".join(self.parts) or "."

    @property
    def name(self) -> str:
        """The last part; empty for the root."""
        return self.parts[-1] if self.parts else ""

    @property
    def suffix(self) -> str:
        """The extension with its dot, in lower case: `.html`."""
        return posixpath.splitext(self.name)[1].lower()

    @property
    def parent(self) -> WorkspacePath:
        """The folder that holds it; the root is its own parent."""
        return WorkspacePath(self.parts[:-1])

    def __truediv__(self, name: str) -> WorkspacePath:
        return WorkspacePath((*self.parts, *name.split("/")))

    def holds(self, other: WorkspacePath) -> bool:
        """Whether `other` is this path or lies under it."""
        return other.parts[: len(self.parts)] == self.parts


def canonical(
    raw: object,
    *,
    most_chars: int = 200,
    host_roots: tuple[str, ...] = (),
    folders: frozenset[str] = frozenset(),
    trailing_slash: bool = False,
) -> WorkspacePath:
    """Give the path that `raw` means.

    `host_roots` are absolute paths by which a model may know the root; `folders` are top-level
    folders that really exist, which win over their meaning on the host. The rule sees names
    only: links are the storage's part.

    Raises:
        Refusal: `bad_path` when it is not a usable path, `outside` when it leaves the workspace.
    """
    text = _decoded(_trimmed(raw, most_chars), raw)
    inside = _below_root(text.replace("\\", "/"), raw, host_roots, folders)
    segments = inside.split("/")
    parts = _resolved(segments, raw)
    as_folder = segments[-1] in ("", ".", "..") and bool(parts)
    if as_folder and not trailing_slash:
        raise _bad(raw, f"ends like a folder; name the file, such as '{'/'.join(parts)}'")
    return WorkspacePath(parts, as_folder)


def shown(raw: object) -> str:
    """The path as a message quotes it: short, with invisible characters written as escapes."""
    text = clip(str(raw), 120)
    visible = (c if c.isprintable() or c in _JOINERS else f"\\u{ord(c):04x}" for c in text)
    return f"'{''.join(visible)}'"


def _trimmed(raw: object, most_chars: int) -> str:
    if not isinstance(raw, str):
        raise Refusal("path must be a string", code="bad_path")
    text = _without_blanks(raw)
    if len(text) > 1 and _QUOTES.get(text[0]) == text[-1] and text[-1] not in text[1:-1]:
        text = _without_blanks(text[1:-1])
    if not text:
        raise Refusal("path is empty; give a relative path such as 'index.html'", code="bad_path")
    if len(text) > most_chars:
        raise _bad(raw, f"is too long: {len(text)} characters, the limit is {most_chars}")
    return _composed(text, raw)


def _without_blanks(text: str) -> str:
    start, end = 0, len(text)
    while start < end and _is_blank(text[start]):
        start += 1
    while end > start and _is_blank(text[end - 1]):
        end -= 1
    return text[start:end]


def _is_blank(char: str) -> bool:
    return char in "\t\r\n" or unicodedata.category(char) == "Zs"


def _composed(text: str, raw: object) -> str:
    for char in text:
        if not char.isascii() or char < " " or char == "\x7f":
            _check_character(char, raw)
    return unicodedata.normalize("NFC", text)


def _check_character(char: str, raw: object) -> None:
    code = ord(char)
    category = unicodedata.category(char)
    if category == "Cs":
        raise _bad(raw, f"has half of a character (U+{code:04X})")
    nonchar = code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF
    if nonchar or (category in ("Cc", "Cf", "Zl", "Zp") and char not in _JOINERS):
        raise _bad(raw, f"has a control or invisible character (U+{code:04X})")


def _decoded(text: str, raw: object) -> str:
    if match := _FILE_URL.match(text):
        try:
            decoded = unquote(text[match.end() :], errors="strict")
        except UnicodeDecodeError:
            raise _bad(raw, "has percent escapes that are not UTF-8") from None
        return _composed(decoded, raw)
    if _SCHEME.match(text) or _OPAQUE.match(text):
        raise _outside(raw, "is a URL, not a path in the workspace", text)
    return text


def _below_root(
    text: str, raw: object, host_roots: tuple[str, ...], folders: frozenset[str]
) -> str:
    tops = set(HOST_FOLDERS)
    for host_root in host_roots:
        root = host_root.replace("\\", "/").rstrip("/")
        same = str.casefold if _DRIVE.match(root) else str
        if same(f"{text}/").startswith(same(f"{root}/")):
            return text[len(root) :].lstrip("/")
        tops.add(root.strip("/").split("/")[0])
    if _DRIVE.match(text.removeprefix("/")) or text.startswith(("//", "~")):
        raise _outside(raw, "is outside the workspace", text)
    if not text.startswith("/"):
        return text
    top, _, rest = text[1:].partition("/")
    if top == VIRTUAL_ROOT and top not in folders:
        return rest
    if top in tops and top not in folders:
        raise _outside(raw, "is outside the workspace", text)
    return text[1:]


def _resolved(segments: list[str], raw: object) -> tuple[str, ...]:
    parts: list[str] = []
    for segment in segments:
        if segment in ("", "."):
            continue
        if segment == "..":
            if not parts:
                raise _outside(raw, "is outside the workspace", "/".join(segments))
            parts.pop()
            continue
        _check_name(segment, raw)
        parts.append(segment)
    return tuple(parts)


def _check_name(name: str, raw: object) -> None:
    if match := _BAD_IN_NAMES.search(name):
        kind = "a wildcard" if match[0] in "*?" else "a character that file names can't have"
        raise _bad(raw, f"has {kind}: {match[0]}")
    if re.sub("%2e", ".", name, flags=re.IGNORECASE) in (".", "..") or _ENCODED.search(name):
        raise _bad(raw, "has percent escapes that could be read as a separator or dots")
    if name[-1] in ". " or _is_blank(name[-1]):
        raise _bad(raw, f"has a name that ends in a dot or a blank: '{name}'")
    if _DEVICE.fullmatch(name.split(".")[0].rstrip()):
        raise _bad(raw, f"has a name that is reserved on Windows: '{name}'")
    if len(name.encode()) > NAME_BYTES:
        raise _bad(raw, f"has a name of {len(name.encode())} bytes, the limit is {NAME_BYTES}")
    if name.casefold().startswith(TEMP_PREFIX):
        raise _bad(raw, f"has a name that is reserved for unfinished files: '{clip(name, 40)}'")


def _bad(raw: object, problem: str) -> Refusal:
    return Refusal(f"path {shown(raw)} {problem}", code="bad_path")


def _outside(raw: object, problem: str, text: str) -> Refusal:
    names = [
        n for n in re.split(r"[/\\:?#]", text) if n.strip(".~ ") and not _BAD_IN_NAMES.search(n)
    ]
    form = names[-1] if names else "index.html"
    return Refusal(
        f"path {shown(raw)} {problem}; use a relative path such as '{form}'", code="outside"
    )
