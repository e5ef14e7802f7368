"""The path rule, by its letters alone."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from artifact_kit.errors import Refusal
from artifact_kit.workspace import Workspace, WorkspacePath
from artifact_kit.workspace.paths import TEMP_PREFIX, canonical, shown

MEANT = {
    "index.html": "index.html",
    "./games//snake.html": "games/snake.html",
    "a/b/../c.html": "a/c.html",
    "a/..": ".",
    "/games/x.html": "games/x.html",
    "/workspace/x.html": "x.html",
    "/workspace": ".",
    "workspace/x.html": "workspace/x.html",
    "games\\sub\\x.html": "games/sub/x.html",
    "  x.html\n": "x.html",
    "\u00a0x.html\u3000": "x.html",
    "`x.html`": "x.html",
    '"my page.html"': "my page.html",
    "“x.html”": "x.html",
    "file:///my%20page.html": "my page.html",
    "file://localhost/a/b.html": "a/b.html",
    "FILE:///c%23.html": "c#.html",
    "cafe\u0301.html": "café.html",
    "a..b.html": "a..b.html",
    "...rest.html": "...rest.html",
    "app/[...slug]/page.html": "app/[...slug]/page.html",
    "(group)/page.html": "(group)/page.html",
    "{a,b}.html": "{a,b}.html",
    "90%.html": "90%.html",
    "%41.html": "%41.html",
    "a%2eb.html": "a%2eb.html",
    "f#.html": "f#.html",
    "$(reboot);`id`&.html": "$(reboot);`id`&.html",
    "it's 'so'.html": "it's 'so'.html",
    "-n.html": "-n.html",
    "draft~2.html": "draft~2.html",
    "家/犬.html": "家/犬.html",
    "\U0001f469\u200d\U0001f680.html": "\U0001f469\u200d\U0001f680.html",
    "console.html": "console.html",
    "auxiliary/common.html": "auxiliary/common.html",
    "com10.html": "com10.html",
    ".well-known/x.json": ".well-known/x.json",
    "x" * 195 + ".html": "x" * 195 + ".html",
}

OUTSIDE = (
    "../x.html",
    "a/../../x.html",
    "..",
    "..\\x.html",
    "a\\..\\..\\x.html",
    "/..",
    "/../x.html",
    "/etc/passwd",
    "/home/me/x.html",
    "/Users/me/x.html",
    "/tmp/x.html",
    "file:///etc/passwd",
    "file:///../x.html",
    "file:///%2e%2e/x.html",
    "//server/share/x.html",
    "\\\\server\\share\\x.html",
    "\\\\?\\C:\\x.html",
    "C:\\x.html",
    "c:x.html",
    "file:///C:/x.html",
    "~",
    "~/x.html",
    "~me/x.html",
    "https://example.org/x.html",
    "s3://bucket/x.html",
    "file:x.html",
    "zip::file:///etc/x.zip",
    "data:text/html,x",
)

BAD = (
    "",
    "   ",
    "''",
    "x.html/",
    "x.html/.",
    "a*.html",
    "wh?t.html",
    "a<b.html",
    "a>b.html",
    'a"b.html',
    "a|b.html",
    "9:41.html",
    "in.html:stream",
    "x.html.",
    "dir /x.html",
    "dir./x.html",
    "....//x.html",
    "%2e%2e/x.html",
    "a/%2E./x.html",
    "..%2fx.html",
    "..%5Cx.html",
    "x%00.html",
    "nul",
    "Con.html",
    "sub/PRN.tar.gz",
    "com1",
    "lpt³.txt",
    "CONOUT$",
    "com1 .html",
    "a\x00b.html",
    "a\tb.html",
    "a\x9fb.html",
    "a\u2028b.html",
    "a\u202eb.html",
    "a\u200bb.html",
    "\ufeffx.html",
    "a\ufffeb.html",
    "a\ufdd0b.html",
    "a\U0001fffeb.html",
    "a\ud83db.html",
    "file:///a%0Ab.html",
    "file:///a%ffb.html",
    "x" * 196 + ".html",
    "犬" * 85 + ".html",
    f"{TEMP_PREFIX}0011.tmp",
    f"a/{TEMP_PREFIX.upper()}0011.tmp",
)


@pytest.mark.parametrize(("raw", "meant"), MEANT.items())
def test_a_usable_spelling_means_its_canonical_path(raw: str, meant: str) -> None:
    assert str(canonical(raw)) == meant


@pytest.mark.parametrize("raw", OUTSIDE)
def test_a_path_that_leaves_is_refused_with_the_form_to_use(raw: str) -> None:
    with pytest.raises(Refusal, match="use a relative path such as") as refusal:
        canonical(raw, trailing_slash=True)
    assert refusal.value.code == "outside"


@pytest.mark.parametrize("raw", BAD)
def test_an_unusable_name_is_refused(raw: str) -> None:
    with pytest.raises(Refusal) as refusal:
        canonical(raw)
    assert refusal.value.code == "bad_path"


@pytest.mark.parametrize("raw", [None, 7, ["a"], b"a.html"])
def test_what_is_no_string_is_refused(raw: object) -> None:
    with pytest.raises(Refusal, match="must be a string"):
        canonical(raw)


def test_a_refusal_names_the_character_that_is_wrong() -> None:
    with pytest.raises(Refusal, match=r"wildcard: \*"):
        canonical("*.html")
    with pytest.raises(Refusal, match=r"U\+202E"):
        canonical("a\u202eb.html")
    with pytest.raises(Refusal, match="201 characters, the limit is 200"):
        canonical("x" * 201)


def test_a_message_shows_invisible_characters_as_escapes() -> None:
    assert shown("a\u202e\n.html") == "'a\\u202e\\u000a.html'"


def test_the_hint_is_the_file_itself() -> None:
    with pytest.raises(Refusal, match=r"such as 'x\.html'"):
        canonical("C:\\Users\\me\\x.html")


def test_a_trailing_slash_is_kept_for_those_who_take_folders() -> None:
    path = canonical("old/", trailing_slash=True)
    assert (str(path), path.as_folder) == ("old", True)
    assert path == canonical("old")


def test_the_host_root_is_taken_off_and_only_whole() -> None:
    roots = ("/srv/ws", "D:\\ws")
    assert str(canonical("/srv/ws/a.html", host_roots=roots)) == "a.html"
    assert str(canonical("/srv/ws", host_roots=roots)) == "."
    assert str(canonical("d:/WS/a.html", host_roots=roots)) == "a.html"
    assert str(canonical("file:///srv/ws/a%20b.html", host_roots=roots)) == "a b.html"
    for raw in ("/srv/ws2/a.html", "/srv/ws/../x.html", "D:\\ws2\\a.html"):
        with pytest.raises(Refusal):
            canonical(raw, host_roots=roots)


def test_a_path_beside_an_unusual_host_root_is_outside_too() -> None:
    with pytest.raises(Refusal, match="outside"):
        canonical("/data/other/a.html", host_roots=("/data/ws",))


def test_a_real_folder_wins_over_what_its_name_means_on_a_host() -> None:
    folders = frozenset({"workspace", "etc"})
    assert str(canonical("/workspace/a.html", folders=folders)) == "workspace/a.html"
    assert str(canonical("/etc/a.html", folders=folders)) == "etc/a.html"


@given(st.text())
def test_any_string_gives_a_safe_path_or_a_refusal(raw: str) -> None:
    try:
        path = canonical(raw, trailing_slash=True)
    except Refusal as refusal:
        refusal.message.encode()
        return
    assert not {"", ".", ".."} & set(path.parts)
    assert not any(set("/\\:*?\x00") & set(part) for part in path.parts)
    assert unicodedata.is_normalized("NFC", str(path))
    if path.parts:
        assert canonical(str(path)) == path


@given(st.lists(st.sampled_from(["..", ".", "a", "", "b.html"]), max_size=12))
def test_dots_resolve_as_a_count_of_levels_does(segments: list[str]) -> None:
    depth = lowest = 0
    for segment in segments:
        depth += {"..": -1, ".": 0, "": 0}.get(segment, 1)
        lowest = min(lowest, depth)
    raw = "x/.././" + "/".join(segments)
    if lowest < 0:
        with pytest.raises(Refusal):
            canonical(raw, trailing_slash=True)
    else:
        assert len(canonical(raw, trailing_slash=True).parts) == depth


def test_a_path_knows_its_parts() -> None:
    path = Workspace("memory://").path("Games/Snake.HTML")
    assert (path.name, path.suffix, str(path.parent)) == ("Snake.HTML", ".html", "Games")
    assert path.parent / "a/b.css" == WorkspacePath(("Games", "a", "b.css"))
    assert path.parent.holds(path)
    assert not path.holds(path.parent)
    root = WorkspacePath(())
    assert (str(root), root.name, root.parent) == (".", "", root)
