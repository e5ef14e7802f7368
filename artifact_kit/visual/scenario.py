"""What a check does and allows: the format of `name.check.yaml` and of `[tool.artifact-kit]`."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from jsonschema import Draft202012Validator, SchemaError
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    JsonValue,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_core import PydanticCustomError

from artifact_kit.contract.intake import intake
from artifact_kit.errors import Refusal
from artifact_kit.limits import Limits
from artifact_kit.preview.arguments import ACTIONS, signature
from artifact_kit.preview.views import DEVICES
from artifact_kit.text import clip
from artifact_kit.visual.tolerance import Tolerance

if TYPE_CHECKING:
    from artifact_kit.visual.documents import Document, Loc

FailOn = Literal["errors", "uncaught", "rejection", "load", "blocked", "console", "blank", "none"]
"""`errors` is the four that follow it."""
Clock = Literal["real", "virtual"]
Scheme = Literal["light", "dark"]

_LARGEST = 4096
_SIZE = re.compile(r"(\d{1,5}) ?[x×] ?(\d{1,5})", re.I)
_BUDGET_S = 30.0
_MOST_BUDGET_S = 600.0


class Part(BaseModel):
    """A part of a scenario."""

    model_config = ConfigDict(frozen=True, arbitrary_types_allowed=True)

    @model_validator(mode="before")
    @classmethod
    def _knows_each_key(cls, given: Any) -> Any:
        if isinstance(given, Mapping):
            names = [field.alias or name for name, field in cls.model_fields.items()]
            _check_known(given, names)
        return given


def _check_known(given: Mapping[str, Any], known: list[str]) -> None:
    for key in given:
        if key not in known:
            near = difflib.get_close_matches(str(key), known, 1, 0.6)
            meant = f"; did you mean {near[0]}?" if near else "."
            raise _wrong(
                f"'{clip(str(key), 60)}' is no key here{meant} Allowed: {', '.join(known)}",
                (str(key),),
            )


class Viewport(Part):
    """How large the page is shown, in CSS pixels; `mobile` has touch and heeds the viewport tag."""

    name: str = ""
    width: Annotated[int, Field(ge=1, le=_LARGEST)]
    height: Annotated[int, Field(ge=1, le=_LARGEST)]
    scale: Annotated[float, Field(ge=0.5, le=4)] = 1
    """Device pixels of one CSS pixel, as the page is told; a picture has one pixel for each."""
    mobile: bool = False

    @property
    def label(self) -> str:
        """Its name or its size; empty for the view that a check has by default."""
        if self.model_copy(update={"name": ""}) == DESKTOP.model_copy(update={"name": ""}):
            return ""
        return self.name or f"{self.width}x{self.height}"


def _viewport(given: Any) -> Any:
    if not isinstance(given, str):
        return given
    if given in DEVICES:
        view = DEVICES[given]
        return {"name": given, **vars(view)}
    if found := _SIZE.fullmatch(given.strip()):
        return {"width": int(found[1]), "height": int(found[2])}
    raise _wrong(f"'{clip(given, 60)}' is none of {', '.join(DEVICES)} or a size such as 800x600")


DESKTOP = Viewport(name="desktop", **vars(DEVICES["desktop"]))


class Mask(Part):
    """What is painted over in the picture: every painted element of `css`, or a box."""

    css: str = ""
    x: Annotated[float, Field(ge=0)] = 0
    y: Annotated[float, Field(ge=0)] = 0
    width: Annotated[float, Field(ge=0)] = 0
    height: Annotated[float, Field(ge=0)] = 0

    @model_validator(mode="after")
    def _is_one_thing(self) -> Self:
        if bool(self.css) == bool(self.width and self.height):
            raise _wrong("a mask needs css, or else x, y, width and height")
        return self


def _mask(given: Any) -> Any:
    return {"css": given} if isinstance(given, str) else given


Masks = tuple[Annotated[Mask, BeforeValidator(_mask)], ...]


def _tolerance(given: Any) -> Any:
    if isinstance(given, Mapping):
        _check_known(given, [field.name for field in fields(Tolerance)])
    return given


Allowed = Annotated[Tolerance, BeforeValidator(_tolerance)]


class Act(Part):
    """Actions as `preview` takes them."""

    op: Literal["act"]
    actions: tuple[dict[str, Any], ...]

    @field_validator("actions", mode="before")
    @classmethod
    def _as_preview_takes_them(cls, given: Any) -> Any:
        return _taken({"op": "act", "actions": given})["actions"]


class Query(Part):
    """One query of `preview`, and the value that is expected; without one it must have any."""

    query: dict[str, Any]
    expect: str | None = None


class Read(Part):
    """Queries as `preview` takes them, each with what it expects."""

    op: Literal["read"]
    queries: tuple[Query, ...]

    @field_validator("queries", mode="before")
    @classmethod
    def _as_preview_takes_them(cls, given: Any) -> Any:
        entries = list(given) if isinstance(given, list | tuple) else [given]
        expected = [_expected(each) for each in entries]
        plain = [_without(each, "expect") for each in entries]
        queries = _taken({"op": "read", "queries": plain}).get("queries", [])
        if not queries:
            raise _wrong("a read needs queries")
        return [
            {"query": query, "expect": expect}
            for query, expect in zip(queries, expected, strict=True)
        ]


class Eval(Part):
    """Code as `preview` takes it, and what it must return: a value, or what a JSON Schema says."""

    model_config = ConfigDict(populate_by_name=True)

    op: Literal["eval"]
    code: str
    expect: JsonValue = None
    json_schema: dict[str, JsonValue] | bool = Field(default=True, alias="schema")

    @field_validator("code", mode="before")
    @classmethod
    def _as_preview_takes_it(cls, given: Any) -> Any:
        return _taken({"op": "eval", "code": given})["code"]

    @field_validator("json_schema", mode="after")
    @classmethod
    def _is_a_schema(cls, schema: Any) -> Any:
        try:
            Draft202012Validator.check_schema(schema)
        except SchemaError as error:
            raise _wrong(f"it is no JSON Schema: {clip(error.message, 200)}") from None
        return schema

    @property
    def expects_a_value(self) -> bool:
        """Whether `expect` was given, be it null."""
        return "expect" in self.model_fields_set


class Shot(Part):
    """A picture that is compared, of the whole page or of a target as `preview` takes it."""

    op: Literal["shot"] = "shot"
    name: str = ""
    target: str = "page"
    masks: Masks = ()
    tolerance: Allowed | None = None
    """In place of the scenario's."""


Step = Annotated[Act | Read | Eval | Shot, Field(discriminator="op")]


def _listed(given: Any) -> Any:
    return given.replace(",", " ").split() if isinstance(given, str) else given


def _some(given: tuple[Any, ...]) -> tuple[Any, ...]:
    if not given:
        raise _wrong("it needs at least one entry")
    return given


class Scenario(Part):
    """One artifact's check; what is left out is the default."""

    artifact: str = ""
    """The file, relative to the scenario's; by default the one beside it that has its name."""
    viewports: Annotated[
        tuple[Annotated[Viewport, BeforeValidator(_viewport)], ...], AfterValidator(_some)
    ] = (DESKTOP,)
    schemes: Annotated[tuple[Scheme, ...], BeforeValidator(_listed), AfterValidator(_some)] = (
        "light",
    )
    steps: tuple[Step, ...] = ()
    masks: Masks = ()
    tolerance: Allowed = Tolerance()
    fail_on: Annotated[tuple[FailOn, ...], BeforeValidator(_listed)] = ("errors",)
    clock: Clock = "virtual"
    seed: int = 1
    budget_seconds: Annotated[float, Field(gt=0, le=_MOST_BUDGET_S)] = _BUDGET_S
    """How long one page may take with all its steps."""

    @property
    def shots(self) -> tuple[Shot, ...]:
        """The pictures it gives; one of the page's end where it asks for none."""
        asked = tuple(step for step in self.steps if isinstance(step, Shot))
        return asked or (Shot(),)

    @model_validator(mode="after")
    def _steps_only_virtual_time(self) -> Self:
        for index, step in enumerate(self.steps):
            actions = step.actions if isinstance(step, Act) and self.clock == "real" else ()
            for at, action in enumerate(actions):
                if action["type"] == "step":
                    text = "step moves the virtual clock, and this check's clock is real; use wait"
                    raise _wrong(text, ("steps", index, "actions", at))
        return self

    @model_validator(mode="after")
    def _names_each_shot(self) -> Self:
        seen: set[str] = set()
        for index, step in enumerate(self.steps):
            if not isinstance(step, Shot) or len(self.shots) == 1:
                continue
            if not step.name:
                raise _wrong("one of several shots needs a name", ("steps", index))
            if step.name.casefold() in seen:
                raise _wrong(
                    f"two shots are named '{clip(step.name, 60)}'", ("steps", index, "name")
                )
            seen.add(step.name.casefold())
        return self


def scenario_of(
    own: Document | None,
    shared: Document | None = None,
    wished: Mapping[str, Any] | None = None,
) -> Scenario:
    """The scenario of a file; a project's table fills what it leaves out, a run's wishes win.

    Raises:
        Refusal: `bad_scenario`: the file, its line or key, and what is allowed there.
    """
    values = {**(shared.values if shared else {}), **(own.values if own else {}), **(wished or {})}
    try:
        return Scenario.model_validate(values)
    except ValidationError as error:
        problems = error.errors(include_url=False)
        raise Refusal(
            "\n".join(_problem(problem, own, shared) for problem in problems[:5]),
            code="bad_scenario",
        ) from None


def _problem(problem: Any, own: Document | None, shared: Document | None) -> str:
    loc: Loc = problem["loc"]
    if len(loc) > 2 and loc[0] == "steps":
        loc = (*loc[:2], *loc[3:])  # without the name of the step's model
    loc = (*loc, *problem.get("ctx", {}).get("inner", ()))
    mine = own is not None and (not loc or loc[0] in own.values)
    document = own if mine else shared
    place = document.place(loc) if document else ""
    return f"{place}: {_words(problem)}"


def _words(problem: Any) -> str:
    kind, given, context = problem["type"], problem["input"], problem.get("ctx", {})
    if kind == "kit":
        return str(problem["msg"])
    if kind == "missing":
        return "it is missing"
    got = clip(repr(given), 60)
    if kind in ("literal_error", "union_tag_invalid"):
        expected = context.get("expected") or context["expected_tags"]
        shown = context.get("tag") or got
        said = f"{shown!s} is not one of {str(expected).replace(' or ', ', ')}"
        if kind == "union_tag_invalid" and str(shown) in ACTIONS:
            said += f"; an action is a part of act: {{op: act, actions: [{{type: {shown}, …}}]}}"
        return said
    if kind == "union_tag_not_found":
        return "a step needs op, one of act, read, eval, shot"
    return f"{problem['msg'][0].lower()}{problem['msg'][1:]} (got {got})"


def _wrong(text: str, inner: Loc = ()) -> PydanticCustomError:
    return PydanticCustomError("kit", "{text}", {"text": text, "inner": inner})


def _taken(call: dict[str, Any]) -> dict[str, Any]:
    """The arguments as `preview` understands them."""
    from artifact_kit.preview.acting import check

    try:
        taken: dict[str, Any] = intake(signature(Limits()), call)
        if "actions" in taken:
            most_ms = _MOST_BUDGET_S * 1000
            taken["actions"] = check(taken["actions"], budget_ms=most_ms, virtual=True)
    except Refusal as refusal:
        text = refusal.message.removesuffix("Nothing was done.").strip()
        argument = str(refusal.facts.get("argument", ""))
        raise _wrong(text, _loc(argument.partition(".")[0])) from None
    return taken


def _loc(argument: str) -> Loc:
    """Where in its own list an entry stands: of `actions[3]` it is 3."""
    found = re.search(r"\[(\d+)\]$", argument)
    return (int(found[1]),) if found else ()


def _expected(entry: Any) -> str | None:
    """What a page's text would say: pages hold only texts."""
    if not isinstance(entry, Mapping) or entry.get("expect") is None:
        return None
    value = entry["expect"]
    return str(value).lower() if isinstance(value, bool) else str(value)


def _without(entry: Any, key: str) -> Any:
    return {k: v for k, v in entry.items() if k != key} if isinstance(entry, Mapping) else entry
