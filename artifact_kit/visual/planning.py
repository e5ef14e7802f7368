"""From artifacts to the pictures that a run takes, each with its name and its place (pure)."""

from __future__ import annotations

import hashlib
import itertools
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from artifact_kit.errors import Refusal
from artifact_kit.visual.keys import check_names, fold
from artifact_kit.visual.report import MOST_SHARDS, Check, Shard, Viewport

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from artifact_kit.visual.discovery import Artifact
    from artifact_kit.visual.report import Outcome
    from artifact_kit.visual.scenario import Scheme, Shot
    from artifact_kit.visual.scenario import Viewport as WantedViewport

_SHARD = re.compile(r"(\d{1,6})/(\d{1,6})")


@dataclass(frozen=True)
class Planned:
    """One artifact in one view: opened once, for all of its pictures."""

    artifact: Artifact
    viewport: WantedViewport
    scheme: Scheme
    name: str
    position: int = 0
    """Of its first picture, in the whole plan."""

    @property
    def shots(self) -> tuple[Shot, ...]:
        """The pictures it gives."""
        return self.artifact.scenario.shots

    def picture_name(self, shot: Shot) -> str:
        """The name of one picture's check."""
        return f"{self.name}/{shot.name}" if shot.name else self.name

    @property
    def names(self) -> list[str]:
        """Of its pictures, in their order."""
        return [self.picture_name(shot) for shot in self.shots]

    def check(self, shot: Shot, outcome: Outcome, **facts: Any) -> Check:
        """What is known of a picture before it is taken, and how it ended."""
        return Check(
            name=self.picture_name(shot),
            position=self.position + (self.shots.index(shot) if shot in self.shots else 0),
            artifact=self.artifact.shown,
            viewport=Viewport(
                name=self.viewport.name, width=self.viewport.width, height=self.viewport.height
            ),
            scheme=self.scheme,
            shot=shot.name,
            outcome=outcome,
            **facts,
        )

    @property
    def settings(self) -> str:
        """A digest of what changes its pictures, apart from the artifact itself."""
        scenario = self.artifact.scenario
        told = scenario.model_dump(include={"steps", "masks", "clock", "seed"}, mode="json")
        return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:12]


def planned(artifacts: Sequence[Artifact]) -> list[Planned]:
    """Every artifact in each of its views.

    Raises:
        Refusal: `same_name`: two pictures would lie in one file.
    """
    views = [
        Planned(artifact, viewport, scheme, _name(artifact.name, viewport, scheme))
        for artifact in artifacts
        for viewport in artifact.scenario.viewports
        for scheme in artifact.scenario.schemes
    ]
    check_names(name for view in views for name in view.names)
    starts = itertools.accumulate((len(view.shots) for view in views), initial=0)
    return [
        Planned(v.artifact, v.viewport, v.scheme, v.name, start)
        for v, start in zip(views, starts, strict=False)
    ]


def _name(artifact: str, viewport: WantedViewport, scheme: Scheme) -> str:
    """The same whatever other views there are; `snake`, `snake@phone-dark`."""
    view = "-".join(filter(None, (viewport.label, scheme if scheme != "light" else "")))
    return f"{artifact}@{view}" if view else artifact


def shard_of(text: str) -> Shard:
    """The shard that `2/3` means.

    Raises:
        Refusal: `bad_shard`.
    """
    found = _SHARD.fullmatch(text.strip())
    index, count = (int(found[1]), int(found[2])) if found else (0, 0)
    if not 1 <= index <= count <= MOST_SHARDS:
        raise Refusal(f"a shard is written 1/3, 2/3 or 3/3, not '{text[:20]}'", code="bad_shard")
    return Shard(index=index, count=count)


def in_shard(views: Sequence[Planned], shard: Shard | None) -> list[Planned]:
    """Those of one shard, by their names alone: the same on every machine."""
    return [
        view for view in views if shard is None or _shard(view.name, shard.count) == shard.index
    ]


def _shard(name: str, count: int) -> int:
    digest = hashlib.sha256(fold(name).encode()).digest()
    return int.from_bytes(digest[:8], "big") % count + 1
