"""The only writer of baselines: candidates become baselines here, after every worker has ended."""

from __future__ import annotations

import difflib
import os
import re
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from artifact_kit.errors import Refusal
from artifact_kit.text import clip, plural
from artifact_kit.visual.baselines import picture_problem
from artifact_kit.visual.folders import each, is_local
from artifact_kit.visual.keys import baseline_key, fold
from artifact_kit.visual.wording import ACCEPTABLE, unseen

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from artifact_kit.visual.baselines import BaselineStore
    from artifact_kit.visual.folders import Folder
    from artifact_kit.visual.report import Check, Outcome, Report

Tell = Callable[[str], None]
"""Hears the path of a file below the baselines' root, once it is written or deleted."""
Accept = Literal["new", "changed", "all"]
"""New ones only; whatever is not equal; those within the tolerance too."""

_FORCED: tuple[Outcome, ...] = ("errors", "failed")
"""They may have a picture, which is hardly the one that is wanted."""

_UNCAUGHT = ("uncaught", "rejection")


@dataclass(frozen=True)
class _End:
    what: Literal["written", "unchanged", "refused"]
    why: str = ""


@dataclass(frozen=True)
class Promotion:
    """What became of the candidates."""

    report: Report
    """With those marked that are baselines now."""
    written: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    """Keys that had this picture already; their files were not touched."""
    refused: tuple[tuple[str, str], ...] = ()
    """Names of checks, each with the reason in words."""


def in_ci(environ: Mapping[str, str]) -> bool:
    """Whether this is a run of a CI system."""
    return environ.get("CI", "").strip().lower() not in ("", "0", "false", "no")


def check_allowed(option: str, *, sharded: bool, ci: bool, update_in_ci: bool) -> None:
    """Find out before the run whether it may write baselines; `option` is what asks for it.

    Raises:
        Refusal: `not_allowed`, with what to do in its place.
    """
    if sharded:
        raise Refusal(
            f"{option} is not for a shard, which sees a part only; join the reports with"
            " `artifact-kit merge` and approve the result",
            code="not_allowed",
        )
    if ci and not update_in_ci:
        raise Refusal(
            f"{option} is refused in CI (the variable CI is set): such a run could not fail; keep"
            " its output and run `artifact-kit approve` on it, or add --update-in-ci",
            code="not_allowed",
        )


async def promote(
    report: Report,
    output: Folder,
    store: BaselineStore,
    accept: Accept,
    *,
    names: Sequence[str] = (),
    force: bool = False,
    tell: Tell = lambda path: None,
) -> Promotion:
    """Make candidates of a report the baselines; repeated, it changes nothing more.

    `names` are those of checks, in which `*` stands for anything; without any, all are meant.
    `force` takes pictures of pages with errors or without content, and overwrites baselines that
    were changed since the report. `tell` hears of every file that is written, in the
    order of their names.

    Raises:
        Refusal: A name that no check has, or a store that is read-only.
        Failure: What a storage met; files told of so far are written.
    """
    chosen = _named(report.checks, names)
    wanted = [check for check in chosen if _is_wanted(check, accept, named=bool(names))]

    async def one(check: Check) -> _End:
        if why := _refusal(check, report.platform, force=force):
            return _End("refused", why)
        return await _write(check, output, store, force=force, tell=written.append)

    written: list[str] = []
    try:
        ended = list(zip(wanted, await each(one, wanted), strict=True))
    finally:
        for path in sorted(written):
            tell(path)
    done = {check.name for check, end in ended if end.what != "refused"}
    marked = [
        c.model_copy(update={"promoted": True}) if c.name in done else c for c in report.checks
    ]
    return Promotion(
        report.model_copy(update={"checks": tuple(marked)}),
        written=tuple(check.key for check, end in ended if end.what == "written"),
        unchanged=tuple(check.key for check, end in ended if end.what == "unchanged"),
        refused=tuple((check.name, end.why) for check, end in ended if end.what == "refused"),
    )


async def prune(
    report: Report, store: BaselineStore, *, tell: Tell = lambda path: None
) -> tuple[str, ...]:
    """Delete the baselines that no check uses any more; their keys come back.

    Raises:
        Refusal: `not_allowed`: the report does not speak for every check there is.
        Failure: What the storage met; files told of so far are gone.
    """
    if why := unseen(report):
        raise Refusal(f"--prune needs a whole run: {why}", code="not_allowed")
    there = set(await store.keys()) - {check.key for check in report.checks}
    gone = tuple(key for key in report.obsolete if key in there)
    for key in gone:
        await store.delete(key)
        tell(f"{key}.png")
    return gone


def promoted(promotion: Promotion) -> str:
    """`2 baselines saved, 1 already so, 1 refused`."""
    counts = (
        (len(promotion.written), "saved"),
        (len(promotion.unchanged), "already so"),
        (len(promotion.refused), "refused"),
    )
    first, *others = [(count, what) for count, what in counts if count] or [(0, "")]
    if not first[0]:
        return "nothing to approve: no picture differs from its baseline"
    told = [f"{plural(first[0], 'baseline')} {first[1]}"]
    return ", ".join([*told, *(f"{count} {what}" for count, what in others)])


def store_place(report: Report, given: str | None) -> str:
    """Where the baselines of a report are, seen from here; `given` counts more.

    A report may come from elsewhere: a folder that it names must be below the current one.

    Raises:
        Refusal: `no_baselines`, with what to add.
    """
    if given:
        return given
    place = report.baselines
    if not place:
        raise Refusal(
            "the report does not say where its baselines are; add --baselines URL",
            code="no_baselines",
        )
    here = os.path.join(os.path.realpath("."), "")
    inside = ":" not in place and os.path.join(os.path.realpath(place), "").startswith(here)
    if not inside and ("::" in place or is_local(place)):
        raise Refusal(
            f"the report's baselines are in {clip(place, 200)}, which is not below this folder;"
            f" add --baselines {shlex.quote(clip(place, 200))} if that is meant",
            code="no_baselines",
        )
    return place


async def _write(
    check: Check,
    output: Folder,
    store: BaselineStore,
    *,
    force: bool,
    tell: Tell,
) -> _End:
    now = (await store.get(check.key)).picture
    candidate = await output.read(check.pictures.actual) if check.pictures.actual else None
    if candidate is None and check.outcome == "match":
        candidate = now
    if candidate is None:
        return _End("refused", "the output folder does not have its picture")
    if problem := picture_problem(candidate):
        return _End("refused", f"its picture can't be a baseline: {problem}")
    if now != candidate and not force and await _was_changed(check, now, output):
        changed = "the baseline was changed since this report; check again, or add --force"
        return _End("refused", changed)
    if not await store.put(check.key, check.name, candidate, check.made):
        return _End("unchanged")
    tell(f"{check.key}.png")
    return _End("written")


async def _was_changed(check: Check, now: bytes | None, output: Folder) -> bool:
    if check.outcome == "new":
        return now is not None
    if check.pictures.baseline is None or now is None:
        return False
    return await output.read(check.pictures.baseline) not in (now, None)


def _named(checks: Sequence[Check], names: Sequence[str]) -> list[Check]:
    if not names:
        return list(checks)
    chosen: dict[str, Check] = {}
    for name in names:
        pattern = re.compile(".*".join(map(re.escape, fold(name).split("*"))), re.DOTALL)
        found = [check for check in checks if check.name == name] or [
            check for check in checks if pattern.fullmatch(fold(check.name))
        ]
        if not found:
            raise Refusal(_no_check(name, checks), code="no_check")
        chosen |= {check.name: check for check in found}
    return [check for check in checks if check.name in chosen]


def _no_check(name: str, checks: Sequence[Check]) -> str:
    close = difflib.get_close_matches(fold(name), [fold(c.name) for c in checks], 3, 0.5)
    near = [f"'{clip(c.name, 80)}'" for c in checks if fold(c.name) in close]
    hint = f"did you mean {' or '.join(near)}" if near else f"it has {plural(len(checks), 'check')}"
    return f"the report has no check '{clip(name, 80)}'; {hint}"


def _is_wanted(check: Check, accept: Accept, *, named: bool) -> bool:
    """Checks that can't be accepted are wanted where their refusal should be heard."""
    if check.outcome == "match":
        return accept == "all" or named
    return accept != "new" or check.outcome == "new"


def _refusal(check: Check, platform: str, *, force: bool) -> str:
    """Why the candidate is not to become the baseline; empty when it may."""
    if check.outcome == "unstable":
        return "it does not stand still, so that no picture of it is the right one"
    if check.outcome not in ("match", *ACCEPTABLE, *_FORCED):
        return "there is no picture of it"
    if check.key != baseline_key(check.name, platform):
        return "its key is not that of its name"
    if force:
        return ""
    if check.outcome == "failed":
        return "it failed before its end; add --force to take its picture all the same"
    uncaught = sum(error.count for error in check.errors if error.kind in _UNCAUGHT)
    if uncaught or check.outcome == "errors":
        errors = plural(uncaught, "uncaught error") if uncaught else "errors"
        return f"the page has {errors}; add --force to take its picture all the same"
    return "the page shows nothing; add --force to take it so" if check.blank else ""
