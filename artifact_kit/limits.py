"""Every number that bounds the kit, in one place; schemas and refusals all read it."""

from dataclasses import dataclass, fields


@dataclass(frozen=True, kw_only=True)
class Limits:
    """The bounds in force for one toolkit. The unit is part of each name."""

    path_chars: int = 200
    """Longest path a model may send, in characters."""
    content_chars: int = 1_200_000
    """Longest text that is written, or that an edit may produce, in characters."""
    read_chars: int = 100_000
    """Longest text that one read returns, in characters; the rest is continued."""
    file_bytes: int = 64 * 1024 * 1024
    """Largest file that the file tools read or edit, in bytes."""
    images: bool = False
    """Whether read_file gives pictures as image blocks."""
    find_matches: int = 100
    """Most matches that one search shows."""
    find_entries: int = 20_000
    """Most files and folders that one find_files call walks through."""
    find_s: float = 5.0
    """Longest time that one find_files call searches, and one pattern runs, in seconds."""
    listing_entries: int = 200
    """Most entries that a folder listing shows."""
    storage_s: float = 20.0
    """Longest wait for one storage operation, in seconds."""

    actions: int = 32
    """Most actions in one preview act."""
    queries: int = 20
    """Most queries in one preview read."""
    sessions: int = 8
    """Most open pages; the one unused for longest makes room."""
    idle_s: float = 120.0
    """A page that nobody called for so long is closed, in seconds."""
    call_s: float = 30.0
    """Deadline of one preview call, in seconds."""
    grace_s: float = 0.25
    """The preview's inner deadline ends so much before the outer, so that its answer wins."""
    virtual_s: float = 120.0
    """Most page time that one act lets pass on the virtual clock, in seconds."""
    busy_s: float = 5.0
    """A script that runs so long without a pause is stopped, in seconds."""
    load_s: float = 8.0
    """How long `open` waits for a page to finish loading before it tells what is missing."""
    shot_s: float = 8.0
    """How long one screenshot may take, in seconds."""
    frames: int = 16
    """Most shots that one filmstrip holds."""
    outline_chars: int = 5_600
    """Longest outline of a page, in characters."""
    code_chars: int = 100_000
    """Longest eval code, in characters."""
    eval_chars: int = 4_000
    """Longest eval or read value shown, in characters."""
    reply_chars: int = 12_000
    """Longest preview reply, in characters."""
    requests: int = 3_000
    """Most requests one page may make; later ones are refused and counted."""
    asset_bytes: int = 64 * 1024 * 1024
    """Largest workspace file that a page can load, in bytes."""
    image_side: int = 1568
    """Longest side of a screenshot, in pixels."""
    line_bytes: int = 64 * 1024 * 1024
    """Longest line or message that `run` and `mcp` read, in bytes; a longer one is refused."""
    page_memory_bytes: int = 2 * 1024 * 1024 * 1024
    """Most resident memory of one session's browser, in bytes; beyond it the page is ended."""

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if not isinstance(value, bool) and value <= 0:
                raise ValueError(f"{field.name} must be positive (got {value!r})")
