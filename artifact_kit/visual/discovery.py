"""Which artifacts there are to check: files, folders, globs and fsspec URLs become a list."""

from __future__ import annotations

import difflib
import posixpath
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from artifact_kit.errors import Failure, Refusal
from artifact_kit.file_tools.globs import globbed
from artifact_kit.preview.assets import PAGES
from artifact_kit.text import clip
from artifact_kit.visual.documents import parsed
from artifact_kit.visual.folders import each
from artifact_kit.visual.places import Asked, Place, asked_for, place_of
from artifact_kit.visual.publishing import PAGE
from artifact_kit.visual.report import REPORT
from artifact_kit.visual.scenario import Scenario, scenario_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from artifact_kit.visual.documents import Document
    from artifact_kit.visual.scenario import Clock, FailOn
    from artifact_kit.workspace import Entry

_ENDS = ("yaml", "yml", "json")
_SCENARIO = re.compile(rf"\.check\.({'|'.join(_ENDS)})$")
_BY_ITSELF = ".html"
"""What is looked for; other pages are named, or have a scenario."""
_SUFFIXES = (_BY_ITSELF, *sorted(PAGES - {_BY_ITSELF}))
_SKIPPED = ("node_modules", "__pycache__")
_PATH_CHARS = 1_000
_MOST_BYTES = 1_000_000
_MOST_ENTRIES = 200_000


@dataclass(frozen=True)
class Artifact:
    """A page to check, and how."""

    place: Place
    path: str
    """In its place."""
    name: str
    """What the names of its checks begin with."""
    scenario: Scenario
    problem: str = ""
    """Why it can't be opened; empty while nothing is known against it."""

    @property
    def shown(self) -> str:
        """The file as a report names it."""
        return posixpath.join(self.place.shown, self.path)


@dataclass(frozen=True, kw_only=True)
class Wishes:
    """What a run wants of every artifact, whatever its scenario says."""

    shared: Document | None = None
    """A project's table, which fills what a scenario leaves out."""
    clock: Clock | None = None
    fail_on: tuple[FailOn, ...] = ()
    budget_seconds: float | None = None

    def applied(self, own: Document | None) -> Scenario:
        """The scenario of a file, or of an artifact without one.

        Raises:
            Refusal: `bad_scenario`.
        """
        wished = {
            "clock": self.clock,
            "fail_on": self.fail_on,
            "budget_seconds": self.budget_seconds,
        }
        return scenario_of(own, self.shared, {key: each for key, each in wished.items() if each})


@dataclass
class Discovery:
    """Goes through what a run was asked to check."""

    wishes: Wishes
    root: str = ""
    """A folder whose files every page in it may load, and to which names are relative."""
    skipped: Sequence[str] = ()
    """Where the run's own output and baselines lie."""
    prefixes: list[str] | None = field(default_factory=list)
    """How the names of all checks of the plan begin; None when single files were asked for."""
    _found: dict[tuple[str, str], Artifact] = field(default_factory=dict)

    async def search(self, paths: Iterable[str]) -> list[Artifact]:
        """The artifacts in the order in which they were asked for, each once.

        Raises:
            Refusal: Nothing matched, or a scenario is wrong.
            Failure: A storage can't be looked at.
        """
        skipped = {asked.where for asked in [await asked_for(path) for path in self.skipped]}
        for path in paths:
            asked = await asked_for(path)
            found = await self._search(asked, skipped)
            if not found:
                raise Refusal(f"nothing to check: {_nothing(asked, path)}", code="nothing")
            for artifact in found:
                self._found.setdefault((artifact.name, artifact.shown), artifact)
        return list(self._found.values())

    async def _search(self, asked: Asked, skipped: set[str]) -> list[Artifact]:
        place, inside = place_of(asked, self.root)
        if asked.kind == "folder" and self.prefixes is not None:
            self.prefixes.append(f"{place.prefix}{inside}/" if inside else place.prefix)
        elif asked.kind != "folder":
            self.prefixes = None
        if asked.kind in ("file", "missing"):
            return await self._single(place, posixpath.join(inside, asked.name))
        files = await _walk(place, inside, skipped)
        if asked.kind == "folder":
            chosen = [file for file in files if file.endswith(_BY_ITSELF) or _SCENARIO.search(file)]
        else:
            chosen = _matching(files, inside, asked.name)
        return await self._artifacts(place, files, chosen)

    async def _single(self, place: Place, path: str) -> list[Artifact]:
        if not _SCENARIO.search(path) and posixpath.splitext(path)[1].lower() not in PAGES:
            return []
        folder = posixpath.dirname(path)
        files = [str(entry.path) for entry in await _entries(place, folder) if _is_file(entry)]
        scenarios = [file for file in files if _SCENARIO.search(file)]
        chosen = [path] if _SCENARIO.search(path) else [path, *scenarios]
        found = await self._artifacts(place, files, chosen)
        return found if _SCENARIO.search(path) else [each for each in found if each.path == path]

    async def _artifacts(
        self, place: Place, files: Sequence[str], chosen: Sequence[str]
    ) -> list[Artifact]:
        """One for each scenario, and one for each page that no scenario is about."""
        pages = [file for file in chosen if not _SCENARIO.search(file)]
        beside = {f"{posixpath.splitext(page)[0]}.check.{end}" for page in pages for end in _ENDS}
        scenarios = [f for f in files if f in beside or (f in chosen and _SCENARIO.search(f))]
        scenarios += [f for f in chosen if _SCENARIO.search(f) and f not in files]
        about = await each(lambda file: self._scripted(place, files, file), scenarios)
        covered = {artifact.path for artifact in about}
        plain = [self._plain(place, files, page) for page in pages if page not in covered]
        return sorted([*about, *plain], key=lambda artifact: (artifact.path, artifact.name))

    def _plain(self, place: Place, files: Sequence[str], path: str) -> Artifact:
        name = place.prefix + path.removesuffix(_BY_ITSELF)
        return Artifact(place, path, name, self.wishes.applied(None), _absence(path, files))

    async def _scripted(self, place: Place, files: Sequence[str], file: str) -> Artifact:
        target = place.workspace.path(file, most_chars=_PATH_CHARS)
        content = await place.workspace.read(target, most=_MOST_BYTES)
        scenario = self.wishes.applied(parsed(content.data, posixpath.join(place.shown, file)))
        stem = _SCENARIO.sub("", file)
        if scenario.artifact:
            path = posixpath.normpath(posixpath.join(posixpath.dirname(file), scenario.artifact))
            return Artifact(place, path, place.prefix + stem, scenario, _absence(path, files))
        path = next((stem + end for end in _SUFFIXES if stem + end in files), stem + _BY_ITSELF)
        name = place.prefix + path.removesuffix(_BY_ITSELF)
        return Artifact(place, path, name, scenario, _absence(path, files))


async def _walk(place: Place, inside: str, skipped: set[str]) -> list[str]:
    """Every file below a folder, by its path in the place, sorted."""
    files: list[str] = []
    level = [inside]
    while level:
        listed = await each(lambda folder: _entries(place, folder), level)
        entries = [entry for one in listed for entry in one if not _is_skipped(entry)]
        files += _of_people([str(entry.path) for entry in entries if _is_file(entry)])
        folders = [str(e.path) for e in entries if e.kind == "folder" and not e.is_link]
        level = [path for path in folders if posixpath.join(place.where, path) not in skipped]
        if len(files) > _MOST_ENTRIES:
            raise Refusal(f"{place.shown} holds more than {_MOST_ENTRIES} files", code="too_many")
    return sorted(files)


async def _entries(place: Place, folder: str) -> list[Entry]:
    path = place.workspace.path(folder or ".", most_chars=_PATH_CHARS)
    try:
        return await place.workspace.list(path)
    except Failure as failure:
        if failure.code in ("not_found", "not_folder"):
            return []
        raise


def _of_people(files: list[str]) -> list[str]:
    """Without the pages that show the report of a run."""
    known = set(files)
    return [
        file
        for file in files
        if posixpath.basename(file) != PAGE
        or posixpath.join(posixpath.dirname(file), REPORT) not in known
    ]


def _is_file(entry: Entry) -> bool:
    return entry.kind == "file"


def _is_skipped(entry: Entry) -> bool:
    return entry.path.name.startswith(".") or entry.path.name in _SKIPPED


def _matching(files: Iterable[str], inside: str, pattern: str) -> list[str]:
    """The pages, and the scenarios, that a glob means."""
    rules = globbed(f"/{pattern}")
    words = re.split(r"\W+", posixpath.basename(pattern).lower())
    suffixes = {_BY_ITSELF} | {suffix for suffix in PAGES if suffix.removeprefix(".") in words}
    return [
        file
        for file in files
        if rules.decide(posixpath.relpath(file, inside or "."))
        and (posixpath.splitext(file)[1].lower() in suffixes or _SCENARIO.search(file))
    ]


def _absence(path: str, files: Sequence[str]) -> str:
    if path in files:
        return ""
    near = difflib.get_close_matches(path, files, 1, 0.6)
    meant = f"; did you mean {clip(near[0], 120)}?" if near else ""
    return f"there is no {clip(path, 120)}{meant}"


def _nothing(asked: Asked, given: str) -> str:
    shown = clip(given, 200)
    if asked.kind == "missing":
        return f"there is no {shown}"
    if asked.kind == "file":
        return f"{shown} is no page; pages end in {', '.join(_SUFFIXES)}"
    if asked.kind == "glob":
        return f"no page matches {shown}"
    return f"no {_BY_ITSELF} file is in {shown}"
