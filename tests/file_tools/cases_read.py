"""Calls of read_file."""

from tests.file_tools.case import Case

FIVE = "alpha\nbeta\ngamma\ndelta\nepsilon\n"
TWENTY = "".join(f"row {n:02d}\n" for n in range(1, 21))


def _read(name: str, content: object = FIVE, says: tuple[str, ...] = (), **rest: object) -> Case:
    extra = rest.pop("args", {})
    before = {"t.txt": content}
    args = {"path": "t.txt", **extra}  # type: ignore[dict-item]
    return Case(name, "read_file", args, before=before, says=says, **rest)  # type: ignore[arg-type]


READ = [
    _read("whole file", says=(f"t.txt (31 chars, 5 lines)\n{FIVE}",), code="ok"),
    _read("characters, not bytes", "é\n", says=("(2 chars, 1 line)",)),
    _read("empty file", "", says=("(0 chars, 0 lines)",)),
    _read(
        "range",
        says=("t.txt (lines 2-3 of 5; 31 chars in all)\nbeta\ngamma\n",),
        never=("alpha", "delta"),
        args={"startLine": 2, "endLine": 3},
    ),
    _read("line zero is the first", says=("lines 1-2",), args={"startLine": 0, "endLine": 2}),
    _read("end beyond the end", says=("lines 4-5 of 5",), args={"startLine": 4, "endLine": 99}),
    _read("as text", says=("lines 2-2 of 5",), args={"startLine": "2", "endLine": "2.0"}),
    _read(
        "start beyond the end",
        says=("startLine 9 is past the end", "5 lines"),
        args={"startLine": 9},
        status="refused",
    ),
    _read(
        "end before start",
        says=("endLine 1", "startLine 3"),
        args={"startLine": 3, "endLine": 1},
        status="refused",
    ),
    _read("negative", says=("-2", "5 lines"), args={"startLine": -2}, status="refused"),
    _read("blank optionals", says=("5 lines",), args={"startLine": "", "endLine": None}),
    _read("offset and limit", says=("lines 3-4 of 5",), args={"offset": 3, "limit": 2}),
    _read("limit alone", says=("lines 1-2 of 5",), args={"limit": "2"}),
    _read("limit of nothing", says=("limit",), args={"limit": 0}, status="refused"),
    _read("view range", says=("lines 2-4 of 5",), args={"view_range": [2, 4]}),
    _read("view range to the end", says=("lines 4-5 of 5",), args={"view_range": "[4, -1]"}),
    _read("view range of three", says=("viewRange",), args={"view_range": [1, 2, 3]}, status="refused"),
    _read("not a number", says=("whole number (got '2px')",), args={"startLine": "2px"}, status="refused"),
    _read("unknown argument", says=("'head'", "endLine"), args={"head": 3}, status="refused"),
    _read("line numbers", says=("\n    4│delta\n",), args={"lineNumbers": True}),
    _read("line numbers of a range", says=("\n    3│gamma\n",), args={"lineNumbers": 1, "offset": 3}),
    _read(
        "cut at a line end",
        TWENTY,
        ("lines 1-4 of 20; 140 chars in all) …[truncated]\n", "row 04\n…[truncated: lines 1-4 of 20 shown. Continue with read_file startLine=5]"),
        never=("row 05",),
        limits={"read_chars": 30},
    ),
    _read(
        "cut keeps the end asked for",
        TWENTY,
        ("startLine=7, endLine=15",),
        args={"startLine": 3, "endLine": 15},
        limits={"read_chars": 30},
    ),
    _read("exactly at the cap", TWENTY, never=("truncated",), limits={"read_chars": 140}),
    _read(
        "cut inside a long line",
        "x" * 50 + "\nend\n",
        ("characters 1-20 of 55", "startChar=21"),
        limits={"read_chars": 20},
    ),
    _read(
        "last piece of a long line",
        "x" * 50 + "END",
        ("characters 41-53 of 53", "xxxEND"),
        never=("truncated",),
        args={"startChar": 41},
        limits={"read_chars": 20},
    ),
    _read(
        "long line in the middle",
        "a\n" + "y" * 50 + "\nz\n",
        ("lines 1-1 of 3", "startLine=2"),
        limits={"read_chars": 20},
    ),
    _read("character beyond the end", says=("startChar 99", "31"), args={"startChar": 99}, status="refused"),
    _read("CRLF as it is stored", b"a\r\nb\r\n", ("[CRLF line endings]\na\r\nb\r\n",)),
    _read("mixed line endings", b"a\r\nb\nc\r\n", ("mixed line endings: 2 CRLF, 1 LF",)),
    _read("BOM", b"\xef\xbb\xbfa\n", ("[UTF-8 BOM]\na\n",), never=("\ufeff",)),
    _read("tabs", "\ta\n\tb\n", ("tab-indented",)),
    _read("tabs and spaces", "\ta\n  b\n", ("mixes tabs and spaces",)),
    _read("no newline at the end", "a", ("no newline at end",)),
    _read("invisible characters", "a\n\u200bb\n\nc\u202fd\n", ("non-breaking characters on lines 2, 4",)),
    _read("joined emoji is no invisible character", "👩\u200d💻\n", never=("invisible",)),
    _read("not UTF-8", b"ok\ncaf\xe9 \x99\n", ("not valid UTF-8: 2 bytes", "line 2")),
    _read("UTF-16", "hello".encode("utf-16"), ("UTF-16",), status="refused", code="binary"),
    _read("UTF-16 without its mark", "hello".encode("utf-16-le"), ("UTF-16",), status="refused"),
    _read("NUL", b"ab\0cd", ("binary", "5 B"), status="refused"),
    _read("words that begin like a signature", "ID3 is a tag\nBZh too\n", ("2 lines",)),
    Case("folder", "read_file", {"path": "."}, before={"b.txt": "xy", "a/c.txt": "x"},
         says=("folder . (2 entries)\na/\nb.txt  2 B",)),
    Case("folder with a slash", "read_file", {"path": "a/"}, before={"a/c.txt": "x"},
         says=("folder a (1 entry)\nc.txt  1 B",)),
    Case("missing in an empty workspace", "read_file", {"path": "x.html"}, "refused",
         says=("x.html not found. The workspace is empty. Read failed, nothing was done",), code="not_found"),
    Case("missing with a near name", "read_file", {"path": "indx.html"}, "refused",
         before={"index.html": "x"}, says=("indx.html not found. Did you mean index.html?",)),
    Case("missing in another case", "read_file", {"path": "README"}, "refused",
         before={"readme": "x", "z.txt": "x"}, says=("Did you mean readme?", "z.txt")),
    Case("missing in a missing folder", "read_file", {"path": "src/index.html"}, "refused",
         before={"index.html": "x"}, says=("Did you mean index.html?",)),
    Case("missing here, there elsewhere", "read_file", {"path": "game.js"}, "refused",
         before={"index.html": "x", "src/lib/game.js": "x"}, says=("Did you mean src/lib/game.js?",)),
    Case("look-alike name", "read_file", {"path": "my page.txt"}, before={"my\u00a0page.txt": "here\n"},
         says=("here", "\\xa0")),
    Case("exact name wins", "read_file", {"path": "a\u00a0b"}, before={"a b": "one", "a\u00a0b": "two"},
         says=("two",), never=("one",)),
    Case("two look-alikes", "read_file", {"path": "a b"}, "refused",
         before={"a\u00a0b": "one", "a\u2009b": "two"}, says=("not found",)),
    Case("failing storage", "read_file", {"path": "a"}, "failed", before={"a": "x"},
         failing={"read": "tape jammed"}, says=("Read failed: tape jammed",)),
]  # fmt: skip
