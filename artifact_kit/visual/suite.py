"""Everything that a run was asked to check: found, planned, and reported when it is done."""

from __future__ import annotations

import contextlib
import tomllib
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, get_args

from artifact_kit.errors import Refusal
from artifact_kit.text import clip
from artifact_kit.visual.baselines import BaselineStore
from artifact_kit.visual.discovery import Discovery, Wishes
from artifact_kit.visual.documents import Document
from artifact_kit.visual.folders import Folder
from artifact_kit.visual.judging import Judge
from artifact_kit.visual.keys import PictureKind, picture_path
from artifact_kit.visual.planning import in_shard, planned
from artifact_kit.visual.report import REPORT, Report, loads

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from artifact_kit.visual.browsers import Browsers
    from artifact_kit.visual.planning import Planned
    from artifact_kit.visual.report import Check, Shard

_PROJECT = "pyproject.toml"
_TABLE = "artifact-kit"
_OF_A_TEST = ".py/"
"""In the key of a baseline that pytest's plugin keeps in the same store."""


@dataclass(frozen=True)
class Suite:
    """The plan of a run, and where its pictures lie."""

    paths: tuple[str, ...]
    plan: list[Planned]
    """All of it, whatever the shard."""
    prefixes: list[str] | None
    """How the names of all its checks begin; None when only some files were asked for."""
    output: Folder
    store: BaselineStore
    shard: Shard | None = None

    @property
    def views(self) -> list[Planned]:
        """The pages to check here."""
        return in_shard(self.plan, self.shard)

    def judge(self, browsers: Browsers) -> Judge:
        """What compares the pictures."""
        return Judge(self.output, self.store, browsers)

    async def report(
        self,
        judge: Judge,
        checks: Sequence[Check],
        seconds: float,
        *,
        stopped: bool,
        allow_deleted: bool = False,
    ) -> Report:
        """What came of it.

        Raises:
            Failure: The storage of the baselines can't be listed.
        """
        return report_of(
            sorted(checks, key=lambda check: check.position),
            platform=judge.platform,
            baselines=self.store.shown,
            settings={"paths": list(self.paths)},
            shard=self.shard,
            filtered=self.prefixes is None,
            interrupted=stopped,
            planned=sum(len(view.shots) for view in self.views),
            seconds=round(seconds, 3),
            obsolete=() if stopped else await self._obsolete(),
            allow_deleted=allow_deleted,
        )

    async def _obsolete(self) -> tuple[str, ...]:
        """Baselines of what is no longer there, in the folders that were asked for."""
        if self.prefixes is None:
            return ()
        names = [name for view in self.plan for name in view.names]
        keys = await self.store.obsolete(names, self.prefixes)
        return tuple(key for key in keys if _OF_A_TEST not in key)


def report_of(checks: Sequence[Check], **facts: Any) -> Report:
    """A report of checks in their order; the browser is the one that took their pictures."""
    browser = next((check.made.browser for check in checks if check.made), "")
    tool = f"artifact-kit {version('artifact-kit')}"
    return Report(tool=tool, browser=browser, checks=tuple(checks), **facts)


async def clear(output: Folder, keep: Sequence[Check] = ()) -> None:
    """Delete the pictures of the report that is there; they would be taken for newer ones.

    Raises:
        Refusal: The output can't be written.
        Failure: What its storage met.
    """
    output.make()
    data = await output.read(REPORT)
    kept = {path for check in keep for path in _pictures(check)}
    with contextlib.suppress(Refusal):  # a report of something else
        for check in loads(data or b"", REPORT).checks:
            for path in (_pictures(check) & _ours(check.key)) - kept:
                await output.delete(path)


def _ours(key: str) -> set[str]:
    """Where a run puts pictures; a report may name other files, which are none of ours."""
    return {picture_path(kind, key) for kind in get_args(PictureKind)}


def _pictures(check: Check) -> set[str]:
    return set(check.pictures.model_dump(exclude_none=True).values())


async def suite_of(
    paths: Sequence[str],
    *,
    out: str,
    baselines: str,
    wishes: Wishes,
    root: str = "",
    shard: Shard | None = None,
) -> Suite:
    """Find and plan what is to be checked; no browser starts.

    Raises:
        Refusal: Nothing matched, a scenario is wrong, or two checks have one name.
        Failure: A storage can't be looked at.
    """
    finder = Discovery(wishes, root, (out, baselines))
    plan = planned(await finder.search(paths))
    return Suite(tuple(paths), plan, finder.prefixes, Folder(out), BaselineStore(baselines), shard)


def project_table(start: Path) -> Document | None:
    """The table `[tool.artifact-kit]` of the nearest project above a folder; None without one.

    Raises:
        Refusal: `bad_scenario`: the file can't be read.
    """
    for folder in (start, *start.parents):
        file = folder / _PROJECT
        if file.is_file():
            return _table(file)
    return None


def _table(file: Path) -> Document | None:
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8")).get("tool", {}).get(_TABLE)
    except (OSError, ValueError) as error:
        raise Refusal(f"{_PROJECT}: {clip(str(error), 200)}", code="bad_scenario") from None
    if table is None:
        return None
    return Document(f"{_PROJECT} [tool.{_TABLE}]", table, {})
