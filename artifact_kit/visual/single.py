"""One page in one view, asked for by itself: as a test does."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, Any

from artifact_kit.contract.intake import intake
from artifact_kit.errors import Refusal
from artifact_kit.limits import Limits
from artifact_kit.preview.acting import check
from artifact_kit.preview.arguments import signature
from artifact_kit.visual.discovery import Artifact
from artifact_kit.visual.documents import Document
from artifact_kit.visual.places import asked_for, place_of
from artifact_kit.visual.planning import Planned
from artifact_kit.visual.scenario import Scenario, Shot, scenario_of

if TYPE_CHECKING:
    from collections.abc import Sequence

_PATH_CHARS = 1_000


async def single(
    path: str, name: str, shared: Document | None, wished: dict[str, Any], *, root: str = ""
) -> Planned:
    """A page's only view, whose checks are named `name`; `wished` are keys of a scenario.

    It may load what is below `root` when it lies there itself, else what is in its own folder.

    Raises:
        Refusal: `bad_scenario`, or `bad_path`: it is no file.
        Failure: The storage can't be looked at.
    """
    asked = await asked_for(path)
    if asked.kind not in ("file", "missing"):
        raise Refusal(f"{path} is no file", code="bad_path")
    scenario = scenario_of(Document("open", wished, {}), shared)
    place, inside = place_of(asked, root)
    way = posixpath.join(inside, asked.name)
    entry = await place.workspace.info(place.workspace.path(way, most_chars=_PATH_CHARS))
    problem = "" if entry and entry.kind == "file" else f"there is no {asked.name}"
    artifact = Artifact(place, way, name, scenario, problem)
    return Planned(artifact, scenario.viewports[0], scenario.schemes[0], name)


def actions_of(actions: Sequence[Any], scenario: Scenario) -> Sequence[dict[str, Any]]:
    """Actions as `preview` understands them, on the scenario's clock.

    Raises:
        Refusal: One of them is none.
    """
    taken = _taken({"op": "act", "actions": list(actions)})["actions"]
    virtual = scenario.clock == "virtual"
    most_s = Limits().virtual_s if virtual else scenario.budget_seconds
    checked: Sequence[dict[str, Any]] = check(taken, budget_ms=most_s * 1000, virtual=virtual)
    return checked


def queries_of(queries: Sequence[Any]) -> list[dict[str, Any]]:
    """Queries as `preview` understands them.

    Raises:
        Refusal: One of them is none.
    """
    taken: list[dict[str, Any]] = _taken({"op": "read", "queries": list(queries)})["queries"]
    return taken


def _taken(call: dict[str, Any]) -> dict[str, Any]:
    taken: dict[str, Any] = intake(signature(Limits()), call)
    return taken


def shot_of(**wished: Any) -> Shot:
    """A picture to take: its name, target, masks and tolerance.

    Raises:
        Refusal: `bad_scenario`: what is wished for is not understood.
    """
    values = {"steps": [{"op": "shot", **wished}]}
    return scenario_of(Document("shot", values, {})).shots[0]
