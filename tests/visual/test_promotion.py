"""Which pictures become baselines, and which never do."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from artifact_kit.errors import Refusal
from artifact_kit.visual import (
    BaselineStore,
    Folder,
    check_allowed,
    in_ci,
    promote,
    prune,
    store_place,
)
from artifact_kit.visual.keys import baseline_key
from artifact_kit.visual.report import PageError, Report, Shard, exit_code
from tests.hosts.command import kit
from tests.visual.runs import (
    AFTER,
    BEFORE,
    MADE,
    PLATFORM,
    check,
    files,
    picture,
    pictured,
    put,
    report,
    saved,
    stamps,
)

if TYPE_CHECKING:
    from pathlib import Path

    from artifact_kit.visual.promotion import Accept, Promotion

HOME, OTHER = (f"{name}/{PLATFORM}" for name in ("home", "other"))


async def accepted(
    folder: Path, run: Report, accept: Accept = "changed", *, force: bool = False
) -> Promotion:
    """What became of a run in `out` whose baselines are in `baselines`."""
    store = BaselineStore(str(folder / "baselines"))
    return await promote(run, Folder(str(folder / "out")), store, accept, force=force)


async def with_baseline(folder: Path, key: str = HOME, data: bytes = BEFORE) -> None:
    await BaselineStore(str(folder / "baselines")).put(key, key, data, None)


@pytest.mark.anyio
async def test_what_differs_or_is_new_becomes_the_baseline_and_the_run_passes(
    tmp_path: Path,
) -> None:
    await with_baseline(tmp_path)
    run = report(
        pictured(tmp_path / "out", "home", "different"),
        pictured(tmp_path / "out", "other", "new"),
        check("third"),
    )
    heard: list[str] = []
    store = BaselineStore(str(tmp_path / "baselines"))
    done = await promote(run, Folder(str(tmp_path / "out")), store, "changed", tell=heard.append)
    assert done.written == (HOME, OTHER)
    assert sorted(heard) == [f"{HOME}.png", f"{OTHER}.png"]
    assert exit_code(done.report) == 0
    for key in (HOME, OTHER):
        baseline = await store.get(key)
        assert (baseline.picture, baseline.made) == (AFTER, MADE)


@pytest.mark.anyio
async def test_accepting_again_changes_nothing(tmp_path: Path) -> None:
    run = report(pictured(tmp_path / "out", "home", "new"))
    await accepted(tmp_path, run)
    before = stamps(tmp_path)
    done = await accepted(tmp_path, run)
    assert (done.written, done.unchanged) == ((), (HOME,))
    assert stamps(tmp_path) == before


@pytest.mark.anyio
async def test_a_picture_within_the_tolerance_is_left_alone_unless_all_are_meant(
    tmp_path: Path,
) -> None:
    await with_baseline(tmp_path)
    run = report(pictured(tmp_path / "out", "home", "match"))
    before = stamps(tmp_path / "baselines")
    assert (await accepted(tmp_path, run)).written == ()
    assert stamps(tmp_path / "baselines") == before
    assert (await accepted(tmp_path, run, "all")).written == (HOME,)


@pytest.mark.anyio
async def test_accepting_new_ones_leaves_differences(tmp_path: Path) -> None:
    await with_baseline(tmp_path)
    run = report(
        pictured(tmp_path / "out", "home", "different"), pictured(tmp_path / "out", "other", "new")
    )
    done = await accepted(tmp_path, run, "new")
    assert (done.written, done.refused) == ((OTHER,), ())
    assert exit_code(done.report) == 1


@pytest.mark.anyio
async def test_pages_with_errors_or_nothing_on_them_have_to_be_forced(tmp_path: Path) -> None:
    out, thrown = tmp_path / "out", (PageError(text="Uncaught Error: no"),)
    run = report(
        pictured(out, "throws", "errors", errors=thrown),
        pictured(out, "quiet", "new", errors=thrown),
        pictured(out, "empty", "new", blank=True),
        pictured(out, "stopped", "failed", message="step 2"),
        pictured(out, "warns", "new", errors=(PageError(kind="console", text="hm"),)),
    )
    done = await accepted(tmp_path, run)
    assert done.written == (f"warns/{PLATFORM}",)
    assert dict(done.refused) == {
        "throws": "the page has 1 uncaught error; add --force to take its picture all the same",
        "quiet": "the page has 1 uncaught error; add --force to take its picture all the same",
        "empty": "the page shows nothing; add --force to take it so",
        "stopped": "it failed before its end; add --force to take its picture all the same",
    }
    assert (await accepted(tmp_path, run, force=True)).refused == ()


@pytest.mark.anyio
async def test_what_has_no_right_picture_is_refused_even_when_forced(tmp_path: Path) -> None:
    out = tmp_path / "out"
    broken = pictured(out, "broken", "new")
    put(out, "new", broken.key, AFTER[:-20])
    gone = pictured(out, "gone", "new")
    (out / str(gone.pictures.actual)).unlink()
    elsewhere = pictured(out, "elsewhere", "new", key=f"home/{PLATFORM}")
    unstable = pictured(out, "unstable", "unstable")
    run = report(broken, gone, elsewhere, unstable, check("crashed", "crashed"))
    done = await accepted(tmp_path, run, force=True)
    assert [name for name, _ in done.refused] == [c.name for c in run.checks]
    assert not (tmp_path / "baselines").exists()


@pytest.mark.anyio
async def test_a_baseline_that_somebody_changed_since_is_not_overwritten(tmp_path: Path) -> None:
    run = report(
        pictured(tmp_path / "out", "home", "different"), pictured(tmp_path / "out", "other", "new")
    )
    for key in (HOME, OTHER):
        await with_baseline(tmp_path, key, picture(7))
    before = files(tmp_path / "baselines")
    done = await accepted(tmp_path, run)
    assert [why for _, why in done.refused] == [
        "the baseline was changed since this report; check again, or add --force"
    ] * 2
    assert files(tmp_path / "baselines") == before


@pytest.mark.anyio
async def test_only_a_whole_run_prunes_and_only_what_it_names(tmp_path: Path) -> None:
    store = BaselineStore(str(tmp_path))
    for name in ("home", "gone", "later"):
        await store.put(baseline_key(name, PLATFORM), name, BEFORE, None)
    run = report(check("home"), obsolete=(f"gone/{PLATFORM}", "../../etc/passwd"))
    for parts in (
        {"shard": Shard(index=1, count=2)},
        {"filtered": True},
        {"interrupted": True},
        {"missing_shards": (Shard(index=2, count=2),)},
        {"planned": 9},
    ):
        with pytest.raises(Refusal, match="--prune needs a whole run: "):
            await prune(run.model_copy(update=parts), store)
    assert await prune(run, store) == (f"gone/{PLATFORM}",)
    assert await prune(run, store) == ()
    assert await store.keys() == [HOME, f"later/{PLATFORM}"]


def test_a_run_that_could_not_fail_is_refused() -> None:
    with pytest.raises(Refusal, match=r"^--update is not for a shard"):
        check_allowed("--update", sharded=True, ci=True, update_in_ci=True)
    with pytest.raises(Refusal, match=r"^--update is refused in CI"):
        check_allowed("--update", sharded=False, ci=True, update_in_ci=False)
    check_allowed("--update", sharded=False, ci=True, update_in_ci=True)
    check_allowed("--update", sharded=False, ci=False, update_in_ci=False)


def test_ci_is_what_says_so() -> None:
    assert in_ci({"CI": "true"})
    assert in_ci({"CI": "1"})
    assert not in_ci({"CI": "false"})
    assert not in_ci({})


@pytest.mark.parametrize(
    "place",
    ["", "/etc", "../up", "file:///etc", "file:/etc", "local:///etc", "simplecache::file:///etc"],
)
def test_a_report_from_elsewhere_does_not_choose_a_folder_of_this_machine(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(Refusal, match="add --baselines"):
        store_place(report(baselines=place), None)
    assert store_place(report(baselines=place), "/mine") == "/mine"
    assert store_place(report(baselines="a/b"), None) == "a/b"
    assert store_place(report(baselines="s3://bucket/b"), None) == "s3://bucket/b"


def test_the_command_approves_a_downloaded_zip_and_says_what_it_did(tmp_path: Path) -> None:
    out = tmp_path / "out"
    pages = [pictured(out, name, "new") for name in ("site/home", "site/two")]
    run = report(*pages, check("moves", "unstable"))
    saved(out, run)
    shutil.make_archive(str(tmp_path / "run"), "zip", out)
    done = kit("approve", "run.zip", "SITE/*", cwd=tmp_path)
    assert done.returncode == 0
    assert sorted(done.stdout.splitlines()) == [
        "2 baselines saved",
        f"saved baselines/site/home/{PLATFORM}.png",
        f"saved baselines/site/two/{PLATFORM}.png",
    ]
    assert files(tmp_path / "baselines")[f"site/home/{PLATFORM}.png"] == AFTER
    again = kit("approve", out / "report.json", cwd=tmp_path)
    assert again.returncode == 1
    assert again.stdout == "2 baselines already so, 1 refused\n"
    assert again.stderr.startswith("refused moves: it does not stand still")


def test_the_command_says_what_it_cannot_do(tmp_path: Path) -> None:
    saved(tmp_path / "out", report(check("home"), check("houses"), filtered=True))
    (tmp_path / "broken.zip").write_text("hello")
    assert "File is not a zip file" in kit("approve", "broken.zip", cwd=tmp_path).stderr
    for arguments, said in (
        (("nowhere",), "there is no report.json of a run in nowhere"),
        (("out", "hom"), "the report has no check 'hom'; did you mean 'home'"),
        (("out", "--prune"), "--prune needs a whole run: only some checks were asked for"),
        (("out", "home", "--prune"), "--prune is for a whole run"),
        (("out", "--baselines", "/etc/passwd/x"), ""),
    ):
        done = kit("approve", *arguments, cwd=tmp_path)
        if said:
            assert (done.returncode, said in done.stderr) == (2, True), done.stderr
        else:
            assert "nothing to approve" in done.stdout
    assert not (tmp_path / "baselines").exists()
