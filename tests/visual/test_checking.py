"""How checks end: each outcome from pages, and what a person is given to look at."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import os
import signal
import sys
from typing import TYPE_CHECKING, Any

import psutil
import pytest

from artifact_kit import Limits
from artifact_kit.visual import Run, Wishes, exit_code, merge, promote, suite_of
from artifact_kit.visual.report import Shard, dumps
from tests.visual.stand import HEAD, outcomes
from tests.workspace.storages import s3

if TYPE_CHECKING:
    from artifact_kit.visual import Browsers, Report, Suite
    from tests.visual.stand import Stand

pytestmark = pytest.mark.anyio

BUTTON = "<button style='position:absolute;left:%dpx;top:60px;width:90px;height:30px'>Go</button>"
PLAIN = f"<h1>Plain</h1>{BUTTON % 40}"


async def test_a_page_is_new_then_matches_then_differs_where_it_changed(stand: Stand) -> None:
    """artifact-keeper/artifact-keeper-web#781 (P41): a check never writes its baselines."""
    stand.put("plain", PLAIN)
    first = await stand.check("plain")
    assert (first.outcome, first.pictures.actual) == ("new", f"new/{first.key}.png")
    assert not (stand.folder / "baselines").exists()

    assert (await stand.run(accept="new")).checks[0].promoted
    same = await stand.check("plain")
    assert (same.outcome, same.pictures.actual) == ("match", None)
    assert not (stand.folder / "out" / "new").exists()

    stand.put("plain", f"<h1>Plain</h1>{BUTTON % 45}")
    moved = await stand.check("plain")
    assert moved.outcome == "different"
    assert moved.difference is not None
    box = moved.difference.box
    assert box is not None
    assert (box.x, box.y, box.width, box.height) == (40, 60, 95, 30)
    for kind in ("baseline", "actual", "diff"):
        assert stand.picture(moved, kind).size == (1280, 720)


async def test_each_way_to_fail_has_its_outcome_and_stops_no_other_check(stand: Stand) -> None:
    """sseshachala/conductai#1124 (P42): what is missing is no difference.

    Rows 16, 17, 46, 47 and 50 of the field reports.
    """
    kept = ("same", "gone-wrong", "grown", "torn", "pointer")
    for name in kept:
        stand.put(name, PLAIN)
    await stand.run(accept="new")
    stand.put("gone-wrong", f"{PLAIN}<script>setTimeout(() => missing())</script>")
    stand.put("grown", f"{PLAIN}<div style='height:900px'></div>")
    stand.put("fresh", "<p>not seen before</p>")
    stand.put("empty", "")
    torn, pointer = (
        next((stand.folder / "baselines").rglob(f"{name}/*.png")) for name in ("torn", "pointer")
    )
    torn.write_bytes(torn.read_bytes()[:1000])
    pointer.write_text("version https://git-lfs.github.com/spec/v1\n")
    report = await stand.run(".", "absent.html")
    assert outcomes(report) == {
        "absent": "missing-artifact",
        "empty": "new",
        "fresh": "new",
        "gone-wrong": "errors",
        "grown": "resized",
        "pointer": "bad-baseline",
        "same": "match",
        "torn": "bad-baseline",
    }
    checks = {check.name.rpartition("/")[2]: check for check in report.checks}
    assert checks["gone-wrong"].errors[0].place.startswith("gone-wrong.html:2:")
    assert checks["empty"].blank
    assert "git lfs pull" in checks["pointer"].message
    assert checks["torn"].key in checks["torn"].message
    assert exit_code(report) == 1


async def test_what_fails_a_page_can_be_chosen(stand: Stand) -> None:
    stand.put("loud", "<img src=none.png><script>console.error('told'); Promise.reject(1)</script>"
              "<script src=https://cdn.example/a.js></script>")  # fmt: skip
    await stand.run(accept="new")
    loud = await stand.check("loud")
    assert loud.outcome == "errors"
    assert {error.kind for error in loud.errors} == {"load", "rejection", "blocked", "console"}
    for fail_on, outcome in (
        (("none",), "new"),
        (("uncaught", "blank"), "new"),
        (("console",), "errors"),
        (("blocked",), "errors"),
    ):
        assert (await stand.check("loud", fail_on=fail_on)).outcome == outcome
    stand.put("white", "")
    assert (await stand.check("white", fail_on=("blank",))).outcome == "errors"


async def test_a_baseline_of_another_platform_is_named_and_the_page_is_not_just_new(
    stand: Stand,
) -> None:
    """Row 15 of the field reports."""
    stand.put("plain", PLAIN)
    await stand.run(accept="new")
    (baseline,) = (stand.folder / "baselines").rglob("*.png")
    baseline.rename(baseline.with_name("macos-arm64-chromium.png"))
    check = await stand.check("plain")
    assert (check.outcome, check.others) == ("new", ("macos-arm64-chromium",))


async def test_another_browser_is_told_of(stand: Stand) -> None:
    """BloomBooks/BloomDesktop PR 8273; nodetool PR 4546 (P43). Row 33 of the field reports."""
    stand.put("plain", PLAIN)
    await stand.run(accept="new")
    (manifest,) = (stand.folder / "baselines").rglob("manifest.json")
    number = stand.browsers.name.split()[1].split(".")[0]
    manifest.write_text(manifest.read_text().replace(f"Chromium {number}.", "Chromium 12."))
    check = await stand.check("plain")
    assert check.outcome == "match"
    assert check.environment_note == f"baseline from Chromium 12, now {number}"
    assert check.made is not None
    assert check.made.fonts


async def test_steps_drive_the_page_and_each_shot_is_a_check(stand: Stand) -> None:
    body = """<meta name=viewport content="width=device-width">
    <button id=go>Go</button><p id=count>0</p><script>
    let count = 0;
    document.querySelector("#go").onclick = () => {
      document.querySelector("#count").textContent = ++count;
      if (count === 2) late.call();
    };</script>"""
    scenario = """
    viewports: [phone, desktop]
    schemes: [dark]
    steps:
      - {op: shot, name: before}
      - {op: act, actions: [{type: click, css: "#go"}]}
      - {op: read, queries: [{css: "#count", expect: 1}]}
      - {op: eval, code: "return {count, wide: innerWidth}", schema: {required: [count]}}
      - {op: eval, code: "return matchMedia('(prefers-color-scheme: dark)').matches", expect: true}
      - {op: shot, name: after, target: "#count"}
      - {op: act, actions: [{type: click, css: "#go"}]}
      - {op: shot, name: broken}
    """
    checks = await stand.scene(body, scenario)
    assert [check.name.rpartition("site/")[2] for check in checks] == [
        f"scene@{view}/{shot}"
        for view in ("phone-dark", "dark")
        for shot in ("before", "after", "broken")
    ]
    assert [check.outcome for check in checks] == ["new", "new", "errors"] * 2
    assert stand.picture(checks[0]).size == (390, 844)
    assert stand.picture(checks[1]).size[0] < 390


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ('{op: act, actions: [{type: wait, ms: 1}, {type: click, css: "#no"}]}',
         "steps[1] act: actions[1] click: nothing matches #no"),
        ('{op: read, queries: [{css: h1, expect: Hullo}]}',
         "steps[1] read: queries[0]: expected 'Hullo', got 'Hello'"),
        ('{op: read, queries: [h1, {css: h7}]}', "steps[1] read: queries[1]: "),
        ('{op: eval, code: "return [1, \'two\']", schema: {items: {type: number}}}',
         "steps[1] eval: its result is not what the schema says: $[1]: 'two' is not of type"),
        ('{op: eval, code: "return 2", expect: 3}', "steps[1] eval: expected 3, got 2"),
        ('{op: eval, code: "none()"}', "steps[1] eval: the code threw ReferenceError"),
        ('{op: eval, code: "return ("}', "steps[1] eval: "),
        ('{op: shot, name: b, target: canvas}', "steps[1] shot: there is no visible <canvas>"),
        ('{op: shot, name: b, masks: ["##"]}', "steps[1] shot: the mask ## is no CSS selector"),
    ],
)  # fmt: skip
async def test_a_step_that_fails_says_which_and_why(stand: Stand, step: str, said: str) -> None:
    scenario = f"steps:\n- {{op: shot, name: a}}\n- {step}\n- {{op: shot, name: c}}"
    checks = await stand.scene("<h1>Hello</h1>", scenario)
    assert checks[0].outcome == "new"
    assert {check.outcome for check in checks[1:]} == {"failed"}
    assert all(check.message.startswith(said) for check in checks[1:])
    assert checks[1].pictures.actual


async def test_a_failure_after_the_last_shot_fails_that_one(stand: Stand) -> None:
    scenario = "steps:\n- {op: shot, name: a}\n- {op: eval, code: 'return 1', expect: 2}"
    (check,) = await stand.scene("<h1>Hello</h1>", scenario)
    assert (check.outcome, check.message) == ("failed", "steps[1] eval: expected 2, got 1")
    assert check.pictures.actual


async def test_a_time_budget_is_not_taken_for_a_difference(stand: Stand) -> None:
    """Row 17 of the field reports."""
    scenario = """
    budget_seconds: 2
    steps:
      - {op: eval, code: "await new Promise(() => {})"}
      - {op: shot, name: a}
    """
    (check,) = await stand.scene("<p>x</p>", scenario, clock="real")
    assert check.outcome == "failed"
    assert "steps[0] eval" in check.message
    (check,) = await stand.scene("<script>for (;;);</script>", "budget_seconds: 3", clock="real")
    assert check.outcome in ("errors", "failed")


@pytest.mark.skipif(sys.platform != "linux", reason="finds the processes of a browser by /proc")
@pytest.mark.parametrize("times", [1, 2])
async def test_a_crashed_browser_is_started_once_more(stand: Stand, times: int) -> None:
    """Then the check has crashed; those after it go on."""
    stand.put("a", "<p>x</p>")
    stand.put("a.check.yaml", "steps: [{op: act, actions: [{type: wait, css: b, ms: 25000}]}]")

    async def kill() -> None:
        seen = dict.fromkeys(renderers(), -1000)
        for left in reversed(range(times)):
            while 5 not in seen.values():
                await asyncio.sleep(0.2)
                seen |= {each: seen.get(each, 0) + 1 for each in renderers()}
            if not left:
                stand.put("a", "<b>x</b>")
            for process in [each for each, looks in seen.items() if looks == 5]:
                os.kill(process.pid, signal.SIGKILL)
                seen[process] = -1000

    killing = asyncio.create_task(kill())
    check = await stand.check("a", clock="real")
    await killing
    assert (check.outcome, check.attempts) == (("new", 2) if times == 1 else ("crashed", 2))
    stand.put("b", PLAIN)
    assert (await stand.check("b", clock="real")).outcome == "new"


def renderers() -> set[psutil.Process]:
    found = set()
    for process in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.Error):  # it has ended meanwhile
            if "--type=renderer" in process.cmdline():
                found.add(process)
    return found


async def test_shards_in_a_bucket_find_what_one_run_finds(
    browsers: Browsers, s3_endpoint: str, s3_folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pages, baselines and candidates all lie in it."""
    monkeypatch.setenv("AWS_ENDPOINT_URL", s3_endpoint)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "key")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    bucket, root = s3(s3_endpoint), f"s3://{s3_folder}"

    async def run(out: str, shard: Shard | None = None) -> tuple[Suite, Report]:
        found = await suite_of(
            [f"{root}/site"],
            out=f"{root}/{out}",
            baselines=f"{root}/base",
            wishes=Wishes(),
            shard=shard,
        )
        run = Run(found.judge(browsers), Limits())
        await run.check(found.views, jobs=2)
        return found, await found.report(run.judge, run.checks, 1, stopped=False)

    for name in "abcde":
        bucket.pipe_file(f"{s3_folder}/site/{name}.html", (HEAD + PLAIN).encode())
    found, first = await run("first")
    assert outcomes(first) == dict.fromkeys("abcde", "new")
    await promote(first, found.output, found.store, "new")
    bucket.rm_file(f"{s3_folder}/site/e.html")
    bucket.pipe_file(f"{s3_folder}/site/d.html", (HEAD + "<h1>Plainer</h1>").encode())
    bucket.pipe_file(f"{s3_folder}/site/f.html", (HEAD + PLAIN).encode())
    _, whole = await run("whole")
    expected = {"a": "match", "b": "match", "c": "match", "d": "different", "f": "new"}
    assert outcomes(whole) == expected
    assert [key.partition("/")[0] for key in whole.obsolete] == ["e"]
    parts = [(await run(f"part{n}", Shard(index=n, count=3)))[1] for n in (3, 1, 2)]
    assert max(len(part.checks) for part in parts) < 5
    joined = merge(parts)

    def timeless(report: Report) -> dict[str, Any]:
        told = report.model_dump(exclude={"seconds"})
        return {**told, "checks": [{**check, "seconds": 0} for check in told["checks"]]}

    assert timeless(joined) == timeless(whole)
    for check in joined.checks:
        for path in check.pictures.model_dump(exclude_none=True).values():
            places = [f"{s3_folder}/part{n}/{path}" for n in (1, 2, 3)]
            assert sum(map(bucket.exists, places)) == 1


async def test_a_page_that_goes_elsewhere_for_ever_fails_alone(stand: Stand) -> None:
    stand.put(
        "a", "<b>x</b><script>setTimeout(() => location.replace('?' + Math.random()), 40)</script>"
    )
    stand.put("b", PLAIN)
    found = outcomes(await stand.run(clock="real", budget_seconds=8))
    assert found["b"] == "new"
    assert found["a"] in ("failed", "unstable", "new"), found  # as its last document was caught


async def test_a_page_that_never_ends_its_script_has_an_error(stand: Stand) -> None:
    stand.limits = dataclasses.replace(stand.limits, busy_s=1.0)
    stand.put("a", "<h1>Before</h1><script>for (let i = 0; i < 10;) if (i > 100) i += 1;</script>")
    for clock in ("real", "virtual"):
        check = await stand.check("a", clock=clock)
        assert check.outcome == "errors"
        assert "s (endless loop?) and was stopped" in check.errors[0].text


async def test_a_page_without_a_document_element_is_a_blank_one_and_ends_no_other(
    stand: Stand,
) -> None:
    stand.put("a", "<h1>x</h1><script>document.documentElement.remove()</script>")
    stand.put("b", PLAIN)
    report = await stand.run()
    assert outcomes(report) == {"a": "new", "b": "new"}
    assert report.checks[0].blank


async def test_a_folder_or_a_link_in_the_place_of_a_baseline_is_a_bad_one(stand: Stand) -> None:
    for name in "abc":
        stand.put(name, PLAIN)
    await stand.run(accept="new")
    folder, link = (next((stand.folder / "baselines").rglob(f"{n}/*.png")) for n in "ab")
    folder.unlink()
    folder.mkdir()
    (folder / "x").touch()
    link.unlink()
    link.symlink_to("/etc/hostname")
    report = await stand.run()
    assert outcomes(report) == {"a": "bad-baseline", "b": "bad-baseline", "c": "match"}


async def test_only_pictures_of_a_run_are_cleared_away(stand: Stand) -> None:
    stand.put("a", PLAIN)
    report = await stand.run()
    mine = stand.folder / "out" / "src" / "app.js"
    mine.parent.mkdir()
    mine.write_text("precious")
    pictures = report.checks[0].pictures.model_copy(update={"actual": "src/app.js"})
    foreign = report.checks[0].model_copy(update={"pictures": pictures})
    told = report.model_copy(update={"checks": (foreign,)})
    (stand.folder / "out" / "report.json").write_bytes(dumps(told))
    await stand.run()
    assert mine.read_text() == "precious"


async def test_deleted_pages_are_found_below_the_folder_that_is_asked_for(
    stand: Stand, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(stand.folder)
    for name in ("one/a", "one/b", "my two/a", "my two/b"):
        stand.put(name, PLAIN)
    await stand.run(accept="new")
    for name in ("one/b", "my two/b"):
        (stand.folder / "site" / f"{name}.html").unlink()
    gone = [key.split("/")[1] for key in (await stand.run("one")).obsolete]
    assert gone == ["one"]
    assert len((await stand.run("my two")).obsolete) == 1
    assert len((await stand.run()).obsolete) == 2
