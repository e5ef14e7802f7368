"""The store of baselines, on a disk and in a bucket."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from artifact_kit.errors import Failure
from artifact_kit.visual import BaselineStore
from artifact_kit.visual.baselines import environment_note, picture_problem
from artifact_kit.visual.keys import baseline_key
from artifact_kit.visual.report import Made
from artifact_kit.workspace import Workspace
from tests.visual.runs import MADE, files, picture, stamps
from tests.workspace.storages import LyingStore, s3

if TYPE_CHECKING:
    from pathlib import Path


HOME = baseline_key("home", "linux-x86_64-chromium")
MAC = baseline_key("home", "macos-arm64-chromium")


@pytest.mark.anyio
async def test_looking_for_a_baseline_makes_no_folder(tmp_path: Path) -> None:
    store = BaselineStore(str(tmp_path / "none"))
    assert (await store.get(HOME)).picture is None
    assert await store.keys() == []
    assert not (tmp_path / "none").exists()


@pytest.mark.anyio
async def test_a_baseline_comes_back_with_what_it_was_taken_under(tmp_path: Path) -> None:
    store = BaselineStore(str(tmp_path))
    assert await store.put(HOME, "Home", picture(), MADE)
    baseline = await BaselineStore(tmp_path.as_uri()).get(HOME)
    assert (baseline.picture, baseline.made, baseline.others) == (picture(), MADE, ())


@pytest.mark.anyio
async def test_the_same_baseline_again_touches_no_file(tmp_path: Path) -> None:
    store = BaselineStore(str(tmp_path))
    await store.put(HOME, "home", picture(), MADE)
    before = stamps(tmp_path)
    assert not await store.put(HOME, "home", picture(), MADE)
    assert stamps(tmp_path) == before


@pytest.mark.anyio
async def test_baselines_of_other_platforms_are_named_and_kept(tmp_path: Path) -> None:
    store = BaselineStore(str(tmp_path))
    await store.put(MAC, "home", picture(1), None)
    assert (await store.get(HOME)).others == ("macos-arm64-chromium",)
    await store.put(HOME, "home", picture(2), MADE)
    assert (await store.get(MAC)).picture == picture(1)
    await store.delete(HOME)
    assert (await store.get(HOME)).others == ("macos-arm64-chromium",)
    await store.delete(MAC)
    assert stamps(tmp_path) == {}


@pytest.mark.anyio
async def test_a_picture_changed_behind_the_manifest_has_unknown_origins(tmp_path: Path) -> None:
    store = BaselineStore(str(tmp_path))
    await store.put(HOME, "home", picture(), MADE)
    (tmp_path / f"{HOME}.png").write_bytes(picture(9))
    assert (await store.get(HOME)).made is None
    (tmp_path / "home" / "manifest.json").write_text("<<<<<<< HEAD")
    assert (await store.get(HOME)).picture == picture(9)
    await store.put(HOME, "home", picture(9), MADE)
    assert (await store.get(HOME)).made == MADE


@pytest.mark.anyio
async def test_only_own_pictures_that_no_check_uses_are_obsolete(tmp_path: Path) -> None:
    store = BaselineStore(str(tmp_path))
    for key in (HOME, MAC, baseline_key("gone/page", "linux-x86_64-chromium")):
        await store.put(key, key.rpartition("/")[0], picture(), MADE)
    photo = tmp_path / "holiday" / "my-own-photo.png"
    photo.parent.mkdir()
    photo.write_bytes(picture())
    gone = ("gone/page/linux-x86_64-chromium",)
    assert await store.obsolete(["Home"], [""]) == gone
    assert await store.obsolete(["Home"], ["gone/"]) == gone
    assert await store.obsolete(["Home"], ["other/", "go/"]) == ()


@pytest.mark.anyio
async def test_a_storage_that_keeps_nothing_is_found_out() -> None:
    store = BaselineStore(Workspace(LyingStore(skip_instance_cache=True)))
    with pytest.raises(Failure, match="did not keep"):
        await store.put(HOME, "home", picture(), MADE)


@pytest.mark.anyio
async def test_a_store_that_cannot_be_opened_is_a_failure() -> None:
    with pytest.raises(Failure, match="can't be opened"):
        await BaselineStore("nosuchscheme://x").get(HOME)


@pytest.mark.anyio
async def test_baselines_lie_in_a_bucket_as_on_a_disk(
    s3_endpoint: str, s3_folder: str, tmp_path: Path
) -> None:
    bucket = BaselineStore(Workspace(s3(s3_endpoint), root=s3_folder))
    disk = BaselineStore(str(tmp_path))
    for store in (bucket, disk):
        await store.put(HOME, "home", picture(), MADE)
        await store.put(MAC, "home", picture(3), None)
        await store.put(baseline_key("あ b", "linux-x86_64-chromium"), "あ b", picture(), MADE)
        await store.delete(MAC)
    there = s3(s3_endpoint)
    names = {path.removeprefix(f"{s3_folder}/") for path in there.find(s3_folder)}
    assert names == set(files(tmp_path))
    assert await bucket.get(HOME) == await disk.get(HOME)
    assert await bucket.keys() == await disk.keys()


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (picture(), ""),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:1", "Git LFS pointer"),
        (b"", "empty"),
        (b"<!doctype html>", "not a PNG"),
        (picture()[:-30], "cut off"),
    ],
)
def test_what_cannot_be_a_picture_is_said_to_be_what_it_is(data: bytes, said: str) -> None:
    problem = picture_problem(data)
    assert said in problem
    assert bool(problem) == bool(said)


def test_a_changed_environment_is_told_as_short_as_it_can_be() -> None:
    then = Made(browser="Chromium 155.0.7300.1", viewport="1280x720", fonts="a", settings="s")
    now = then.model_copy(update={"browser": "Chromium 156.0.7390.54"})
    assert environment_note(then, then) == ""
    assert environment_note(then, now) == "baseline from Chromium 155, now 156"
    assert environment_note(then, then.model_copy(update={"browser": "Chromium 155.0.7300.9"})) == (
        "baseline from Chromium 155.0.7300.1, now 155.0.7300.9"
    )
    wide = then.model_copy(update={"viewport": "390x844", "scale": 2.0, "fonts": "b"})
    assert environment_note(then, wide) == (
        "baseline of 1280x720 at scale 1, now 390x844 at scale 2; baseline taken with other fonts"
    )
    assert environment_note(Made(), then) == ""
