"""Shards joined give what one run had given."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import uuid4

import pytest

from artifact_kit.errors import Refusal
from artifact_kit.visual import Folder, load_report, merge, merge_pictures, publish
from artifact_kit.visual.report import Check, Report, Shard
from artifact_kit.workspace import Workspace
from tests.hosts.command import kit
from tests.visual.runs import check, files, pictured, report, saved
from tests.workspace.storages import s3

if TYPE_CHECKING:
    from pathlib import Path


def whole_run(folder: Path) -> Report:
    """A run of seven checks, of which three need a look."""
    names = ("a", "b", "c", "d", "e", "f", "g")
    looks = {"b": "different", "d": "new", "e": "unstable"}
    checks = [pictured(folder, n, looks[n]) if n in looks else check(n) for n in names]  # type: ignore[arg-type]
    return report(*checks, obsolete=("old/linux-x86_64-chromium",), seconds=6.0)


def shard_of(run: Report, index: int, count: int) -> Report:
    """What a shard has of it."""
    part: tuple[Check, ...] = run.checks[index - 1 :: count]
    facts = {"checks": part, "planned": len(part), "seconds": run.seconds / count}
    return run.model_copy(update={**facts, "shard": Shard(index=index, count=count)})


def test_shards_in_any_order_give_the_report_of_one_run(tmp_path: Path) -> None:
    run = whole_run(tmp_path)
    shards = [shard_of(run, index, 3) for index in (3, 1, 2)]
    assert merge(shards) == run


def test_a_missing_shard_is_named_and_the_run_is_not_whole(tmp_path: Path) -> None:
    run = whole_run(tmp_path)
    joined = merge([shard_of(run, 1, 3)])
    assert joined.missing_shards == (Shard(index=2, count=3), Shard(index=3, count=3))
    assert not joined.whole


def test_a_baseline_is_obsolete_only_when_every_shard_says_so(tmp_path: Path) -> None:
    run = whole_run(tmp_path)
    shards = [shard_of(run, 1, 2), shard_of(run, 2, 2).model_copy(update={"obsolete": ()})]
    assert merge(shards).obsolete == ()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"shard": None}, "one of them is of a whole run, not of a shard"),
        ({"shard": Shard(index=1, count=2)}, "shard 1 was handed in twice"),
        ({"shard": Shard(index=2, count=3)}, "they are of different runs: shards x/2 and x/3"),
        (
            {"platform": "macos-arm64-chromium"},
            "they are of different runs: their platforms differ",
        ),
        ({"settings": {"max_pixels": 4}}, "they are of different runs: their settings differ"),
        ({"checks": (check("A"),)}, "'a' is in two of the reports"),
    ],
)
def test_what_is_not_of_one_run_is_refused(
    tmp_path: Path, change: dict[str, object], said: str
) -> None:
    run = whole_run(tmp_path)
    with pytest.raises(Refusal) as caught:
        merge([shard_of(run, 1, 2), shard_of(run, 2, 2).model_copy(update=change)])
    assert caught.value.message == said


@pytest.mark.anyio
async def test_shards_in_a_bucket_are_joined_into_a_bucket(
    s3_endpoint: str, s3_folder: str, tmp_path: Path
) -> None:
    run = whole_run(tmp_path / "one")
    bucket = Workspace(s3(s3_endpoint), root=s3_folder)
    for index in (1, 2, 3):
        part = shard_of(run, index, 3)
        folder = Folder(bucket.scope(f"shards/{index}"))
        for shown in part.checks:
            for path in shown.pictures.model_dump(exclude_none=True).values():
                await folder.write(path, files(tmp_path / "one")[path])
        await publish(folder, part)
    folders = [Folder(bucket.scope(f"shards/{index}")) for index in (2, 3, 1)]
    parts = [(folder, (await load_report(folder))[1]) for folder in folders]
    target = Folder(bucket.scope("joined"))
    assert await merge_pictures(parts, target) == ()
    await publish(target, merge([part for _, part in parts]))
    await publish(Folder(str(tmp_path / "one")), run)
    there = s3(s3_endpoint)
    got = {
        path.removeprefix(f"{s3_folder}/joined/"): there.cat_file(path)
        for path in there.find(f"{s3_folder}/joined")
    }
    expected = files(tmp_path / "one")
    assert set(got) == set(expected)
    same = [path for path in expected if path != "report.html"]
    assert {path: got[path] for path in same} == {path: expected[path] for path in same}


def test_the_command_joins_shards_and_ends_as_the_run_had(tmp_path: Path) -> None:
    run = whole_run(tmp_path / "one")
    for index in (1, 2):
        folder = tmp_path / f"shard{index}"
        saved(folder, shard_of(run, index, 2))
        for path, data in files(tmp_path / "one").items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(data)
    summary = tmp_path / f"{uuid4().hex}.md"
    env = {"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(summary)}
    done = kit("merge", "shard2", "shard1/report.json", "-o", "out", cwd=tmp_path, env=env)
    assert done.returncode == 1
    assert (
        "3 of 7 checks need a look: 1 different, 1 new, 1 not stable; 1 baseline without a page\n"
        in done.stdout
    )
    assert "artifact-kit approve out/report.json" in done.stdout
    assert done.stdout.count("\n::error ") == 4
    assert "1 different, 1 new, 1 not stable" in summary.read_text(encoding="utf-8")
    assert {"report.json", "junit.xml", "report.html"} < set(files(tmp_path / "out"))
    (tmp_path / "shard1" / "new" / "d" / "linux-x86_64-chromium.png").unlink(missing_ok=True)
    (tmp_path / "shard2" / "new" / "d" / "linux-x86_64-chromium.png").unlink(missing_ok=True)
    lacking = kit("merge", "shard2", "-o", "less", cwd=tmp_path)
    assert lacking.returncode == 1
    assert "no picture new/d/linux-x86_64-chromium.png" in lacking.stderr
    assert "1 shard missing: 1/2" in lacking.stdout
    assert kit("merge", "shard1", "shard1", "-o", "x", cwd=tmp_path).returncode == 2
    onto = kit("merge", "shard1", "shard2", "-o", "shard1", cwd=tmp_path)
    assert (onto.returncode, "shard1 holds one of the reports" in onto.stderr) == (2, True)
