"""Which pages are found, how their checks are named, and which of them are a shard's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from artifact_kit.errors import Refusal
from artifact_kit.visual import shard_of, suite_of
from artifact_kit.visual.discovery import Wishes
from artifact_kit.visual.planning import in_shard

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from artifact_kit.visual import Suite

pytestmark = pytest.mark.anyio

PAGE = "<!doctype html><title>x</title>"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(here: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        (here / name).parent.mkdir(parents=True, exist_ok=True)
        (here / name).write_text(text)


def pages(here: Path, *names: str) -> None:
    put(here, dict.fromkeys(names, PAGE))


async def found(*paths: str, root: str = "") -> Suite:
    return await suite_of(paths, out="out", baselines="baselines", wishes=Wishes(), root=root)


def names(suite: Suite) -> list[str]:
    return [name for view in suite.plan for name in view.names]


async def test_a_folder_gives_its_pages_and_not_what_is_only_near_them(here: Path) -> None:
    pages(here, "a.html", "sub/b.html", "sub/c.svg", "node_modules/x.html", ".git/y.html")
    pages(here, "out/report.html", "baselines/z.html")
    assert names(await found(".")) == ["a", "sub/b"]


async def test_names_do_not_depend_on_how_a_page_was_asked_for(here: Path) -> None:
    pages(here, "site/a.html", "site/deep/b.html")
    for paths in (("site",), ("site/a.html", "site/deep"), ("site/**/*.html",), ("site", "site")):
        assert names(await found(*paths)) == ["site/a", "site/deep/b"]
    assert names(await found(str(here / "site"))) == ["site/a", "site/deep/b"]
    assert names(await found("site/deep/b.html", root="site")) == ["deep/b"]


async def test_a_glob_means_what_a_shell_means(here: Path) -> None:
    pages(here, "a.html", "b.htm", "a[1].html", "sub/c.html", "sub/d.svg")
    assert names(await found("*.html")) == ["a", "a[1]"]
    assert names(await found("sub/*.{html,svg}")) == ["sub/c", "sub/d.svg"]
    assert names(await found("a[1].html")) == ["a[1]"]
    assert names(await found("*.htm")) == ["b.htm"]


async def test_a_missing_file_of_the_list_is_a_check_that_fails(here: Path) -> None:
    pages(here, "snake.html")
    suite = await found("snake.html", "snak.html")
    assert [view.artifact.problem for view in suite.plan] == [
        "",
        "there is no snak.html; did you mean snake.html?",
    ]


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("*.html", "no page matches *.html"),
        ("empty", "no .html file is in empty"),
        ("nowhere", "there is no nowhere"),
        ("notes.txt", "notes.txt is no page; pages end in .html, .htm, .svg, .xhtml"),
    ],
)
async def test_where_nothing_matches_nothing_is_checked(here: Path, path: str, said: str) -> None:
    (here / "empty").mkdir()
    (here / "notes.txt").write_text("x")
    with pytest.raises(Refusal, match="nothing to check") as caught:
        await found(path)
    assert said in caught.value.message


async def test_a_scenario_lies_beside_its_page_or_names_it(here: Path) -> None:
    pages(here, "a.html", "b.html", "c.svg")
    put(here, {"a.check.yaml": "schemes: [dark]", "c.check.json": '{"seed": 2}'})
    put(here, {"start.check.yml": "artifact: b.html", "play.check.yaml": "artifact: ./b.html"})
    put(here, {"gone.check.yaml": "seed: 1"})
    suite = await found(".")
    assert names(suite) == ["a@dark", "play", "start", "c.svg", "gone"]
    assert [view.artifact.path for view in suite.plan][1:3] == ["b.html", "b.html"]
    assert "there is no gone.html" in suite.plan[-1].artifact.problem
    assert names(await found("b.html")) == ["play", "start"]
    assert names(await found("start.check.yml")) == ["start"]


async def test_each_view_has_a_name_that_stays_when_others_come(here: Path) -> None:
    pages(here, "a.html")
    put(here, {"a.check.yaml": "viewports: [phone, desktop]\nschemes: [light, dark]\n"
               "steps: [{op: shot, name: one}, {op: shot, name: two}]"})  # fmt: skip
    suite = await found("a.html")
    assert names(suite) == [
        f"a{view}/{shot}"
        for view in ("@phone", "@phone-dark", "", "@dark")
        for shot in ("one", "two")
    ]
    assert [view.position for view in suite.plan] == [0, 2, 4, 6]


@pytest.mark.parametrize("pair", [("Home.html", "home.html"), ("x[.html", "x].html")])
async def test_two_checks_of_one_name_are_refused_before_any_browser(
    here: Path, pair: tuple[str, str]
) -> None:
    """Rows 40 of the field reports: the failure of one would erase the evidence of the other."""
    pages(here, *pair)
    if pair[0].casefold() == pair[1].casefold():
        with pytest.raises(Refusal, match="one name on file systems"):
            await found(".")
    else:
        assert len({view.name for view in (await found(".")).plan}) == 2


async def test_shards_share_the_plan_out_by_name_alone(here: Path) -> None:
    pages(here, *(f"p{number}.html" for number in range(40)))
    plan = (await found(".")).plan
    shards = [in_shard(plan, shard_of(f"{index}/3")) for index in (1, 2, 3)]
    assert sorted(view.name for shard in shards for view in shard) == sorted(v.name for v in plan)
    assert all(5 < len(shard) < 25 for shard in shards)
    (here / "p0.html").unlink()
    fewer = in_shard((await found(".")).plan, shard_of("2/3"))
    assert {view.name for view in fewer} == {view.name for view in shards[1]} - {"p0"}
    for wrong in ("0/3", "4/3", "3", "a/b", "1/0"):
        with pytest.raises(Refusal, match="a shard is written"):
            shard_of(wrong)


async def test_pages_are_found_on_any_storage(here: Path, tmp_path: Path) -> None:
    import zipfile

    with zipfile.ZipFile(tmp_path / "site.zip", "w") as archive:
        archive.writestr("a.html", PAGE)
        archive.writestr("deep/b.html", PAGE)
        archive.writestr("deep/b.check.yaml", "schemes: [dark]")
    assert names(await found("zip://site.zip")) == ["a", "deep/b@dark"]
