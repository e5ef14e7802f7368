"""Listing, globbing and searching, bounded and continued exactly."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import anyio
import jsonschema
import pytest

from artifact_kit.limits import Limits
from tests.file_tools.stage import Stage

if TYPE_CHECKING:
    from pathlib import Path

    from artifact_kit.contract import Outcome

pytestmark = pytest.mark.anyio
KINDS = pytest.mark.parametrize("kind", ["memory", "local"])

TREE: dict[str, str | bytes | None] = {
    "index.html": "<h1>Pong</h1>\n<script src=src/game.js></script>\n",
    "src/game.js": "let lives = 3;\n// TODO: sound\nfunction lose() {\n  lives -= 1;\n}\n",
    "src/deep/util.js": "// todo: tests\n",
    "src/style.css": "h1 { color: red }\n",
    "logo.png": b"\x89PNG\r\n\x1a\n\0\0lives",
    "build/out.js": "lives everywhere\n",
    "node_modules/m/index.js": "lives\n",
    ".gitignore": "build/\n*.log\n!keep.log\n",
    "a.log": "lives\n",
    "keep.log": "lives\n",
    "src/.gitignore": "/style.css\n",
}


async def find(stage: Stage, **args: object) -> Outcome:
    outcome = await stage.call("find_files", args)
    jsonschema.validate(outcome.data, stage.tools["find_files"].output_schema)
    return outcome


def paths(outcome: Outcome) -> list[str]:
    return [line.split("  ")[0] for line in outcome.text.splitlines()[1:] if line[0] != "…"]


@KINDS
async def test_the_tree_is_listed_in_order_without_what_is_ignored(
    kind: str, tmp_path: Path
) -> None:
    stage = Stage(kind, tmp_path, {**TREE, "empty": None})
    outcome = await find(stage)
    assert paths(outcome) == [
        ".gitignore",
        "empty/",
        "index.html",
        "keep.log",
        "logo.png",
        "src/.gitignore",
        "src/deep/util.js",
        "src/game.js",
    ]
    assert "4 ignored: a.log, build/, node_modules/, …" in outcome.text


@KINDS
async def test_ignored_files_are_found_when_asked_for(kind: str, tmp_path: Path) -> None:
    stage = Stage(kind, tmp_path, TREE)
    outcome = await find(stage, glob="*.js", ignored=True)
    assert "node_modules/m/index.js" in paths(outcome)
    assert "build/out.js" in paths(outcome)


@KINDS
@pytest.mark.parametrize(
    ("glob", "found"),
    [
        ("*.js", ["src/deep/util.js", "src/game.js"]),
        ("src/*.js", ["src/game.js"]),
        ("src/**/*.js", ["src/deep/util.js", "src/game.js"]),
        ("**/*.html", ["index.html"]),
        ("./index.*", ["index.html"]),
        ("*.{html,png}", ["index.html", "logo.png"]),
        ("src/{deep,other}/*", ["src/deep/util.js"]),
        ("*.py", []),
    ],
)
async def test_a_glob_chooses_by_path(
    kind: str, glob: str, found: list[str], tmp_path: Path
) -> None:
    stage = Stage(kind, tmp_path, TREE)
    assert paths(await find(stage, glob=glob)) == found


@KINDS
async def test_text_is_found_with_lines_and_binary_files_are_counted(
    kind: str, tmp_path: Path
) -> None:
    stage = Stage(kind, tmp_path, TREE)
    outcome = await find(stage, text="lives")
    assert "3 matches in 2 files (6 files searched; 1 binary skipped;" in outcome.text
    assert "src/game.js\n1: let lives = 3;\n4:   lives -= 1;" in outcome.text
    assert outcome.data["entries"] == 3


async def test_a_regular_expression_works_line_by_line(tmp_path: Path) -> None:
    stage = Stage("memory", tmp_path, TREE)
    outcome = await find(stage, regex="^// todo", ignoreCase="true", path="src")
    assert "src/deep/util.js\n1: // todo: tests" in outcome.text
    assert "src/game.js\n2: // TODO: sound" in outcome.text
    exact = await find(stage, regex=r"lives\s*-=")
    assert "1 match in 1 file" in exact.text


async def test_context_lines_stand_around_a_match_once(tmp_path: Path) -> None:
    rows = "".join(f"row {number}\n" for number in range(1, 30))
    stage = Stage("memory", tmp_path, {"f.txt": rows.replace("row 5\n", "row 4\n")})
    outcome = await find(stage, regex="row (4|20)$", context=1)
    body = outcome.text.split("f.txt\n")[-1]
    assert body == "3- row 3\n4: row 4\n5: row 4\n6- row 6\n--\n19- row 19\n20: row 20\n21- row 21"


@KINDS
@pytest.mark.parametrize("args", [{}, {"text": "hit"}, {"regex": "h.t", "glob": "*.txt"}])
async def test_following_the_notices_shows_everything_exactly_once(
    kind: str, args: dict[str, object], tmp_path: Path
) -> None:
    files: dict[str, str | bytes | None] = {
        f"d{n % 4}/f{n}.txt": "hit\nmiss\nhit\nhit\n" for n in range(15)
    }
    stage = Stage(kind, tmp_path, files, limits=Limits(listing_entries=4, find_matches=4))
    seen: list[str] = []
    after = ""
    for _ in range(40):
        outcome = await find(stage, **args, after=after)
        name = ""
        for line in outcome.text.splitlines()[1:]:
            if line.startswith("d"):
                name = line.split("  ")[0]
            if line.startswith("d") != bool(args) and not line.startswith("…"):
                seen.append(f"{name} {line}")
        notice = re.search('after="(.*?)"', outcome.text)
        if notice is None:
            break
        after = notice[1]
    assert len(seen) == len(set(seen)) == (45 if args else 15)


async def test_a_walk_that_is_cut_goes_on_where_it_stopped(tmp_path: Path) -> None:
    files: dict[str, str | bytes | None] = {f"f{n:02d}": "x" for n in range(50)}
    stage = Stage("memory", tmp_path, files, limits=Limits(find_entries=20))
    seen: list[str] = []
    after = ""
    for _ in range(9):
        outcome = await find(stage, after=after)
        seen += paths(outcome)
        notice = re.search('after="(.*?)"', outcome.text)
        if notice is None:
            break
        after = notice[1]
    assert seen == sorted(str(name) for name in files)


async def test_a_runaway_pattern_is_stopped_by_its_deadline(tmp_path: Path) -> None:
    stage = Stage("memory", tmp_path, {"f.txt": "a" * 64 + "b"}, limits=Limits(find_s=0.2))
    outcome = await find(stage, regex="(a|aa)+$")
    assert outcome.status == "refused"
    assert outcome.data["code"] == "runaway"
    assert "f.txt" in outcome.text
    assert (await find(stage, regex="a+b")).status == "ok"


async def test_a_glob_of_many_stars_comes_to_an_end(tmp_path: Path) -> None:
    stars = "*a" * 20 + "b"
    name = "b" + "a" * 150
    stage = Stage("memory", tmp_path, {name: "x", ".gitignore": f"{stars}\n*.tmp\n", "x.tmp": "x"})
    with anyio.fail_after(5):
        assert paths(await find(stage, glob=stars)) == []
        assert paths(await find(stage)) == [".gitignore", name]


@pytest.mark.parametrize(
    ("args", "says"),
    [
        ({"glob": "!"}, "glob '!' is no pattern"),
        ({"regex": "("}, "regex is not a regular expression"),
        ({"pattern": "*.js"}, "For file names use glob"),
        ({"text": "a", "regex": "b"}, "both text and regex"),
        ({"context": 99, "text": "a"}, "context 0 to 10"),
        ({"limit": 0}, "limit must be at least 1"),
        ({"path": "nowhere"}, "nowhere not found"),
        ({"path": "../x"}, "outside the workspace"),
        ({"text": "a" * 1001}, "1001 characters; the limit is 1000"),
        ({"depth": 3}, "does not take 'depth'"),
        ({"after": "../../etc"}, "outside the workspace"),
    ],
)
async def test_a_mistake_is_refused_with_the_way_out(
    args: dict[str, object], says: str, tmp_path: Path
) -> None:
    stage = Stage("memory", tmp_path, TREE)
    outcome = await find(stage, **args)
    assert outcome.status == "refused"
    assert says in outcome.text


async def test_one_file_can_be_searched_even_when_it_is_ignored(tmp_path: Path) -> None:
    stage = Stage("memory", tmp_path, TREE)
    assert "1 match in 1 file" in (await find(stage, path="a.log", text="lives")).text


async def test_long_lines_are_shown_around_the_match(tmp_path: Path) -> None:
    stage = Stage("memory", tmp_path, {"f.txt": "a" * 90_000 + "NEEDLE" + "b" * 90_000})
    outcome = await find(stage, text="NEEDLE")
    assert "NEEDLE" in outcome.text
    assert len(outcome.text) < 600


async def test_a_broken_gitignore_line_does_not_hide_the_others(tmp_path: Path) -> None:
    stage = Stage("memory", tmp_path, {".gitignore": "!\n[z-a]\n*.tmp\n", "a.tmp": "", "b.txt": ""})
    assert paths(await find(stage)) == [".gitignore", "b.txt"]
