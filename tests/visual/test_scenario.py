"""What a scenario may say, and what its author is told when it says something else."""

from __future__ import annotations

import pytest

from artifact_kit.errors import Refusal
from artifact_kit.visual.documents import Document, parsed
from artifact_kit.visual.scenario import Act, Eval, Read, Scenario, Shot, scenario_of

WHOLE = """\
viewports: [desktop, phone, 800x600, {name: wide, width: 1920, height: 1080}]
schemes: light dark
steps:
  - op: act
    actions:
      - {type: tap, selector: "#go"}
      - {type: step, frames: 3}
  - {op: read, queries: [{css: "#score", expect: 3}, h1, {css: "#on", attr: checked, expect: true}]}
  - {op: eval, code: "return game", schema: {type: object}}
  - {op: eval, code: "return null", expect: null}
  - {op: shot, name: started, target: canvas, masks: ["#clock", {x: 1, y: 2, width: 3, height: 4}]}
  - {op: shot, name: ended, tolerance: {max_pixels: 12}}
masks: ".ad"
fail_on: [uncaught, console]
"""


def scenario(text: str, name: str = "snake.check.yaml") -> Scenario:
    return scenario_of(parsed(text.encode(), name))


def refused(text: str, name: str = "snake.check.yaml") -> str:
    with pytest.raises(Refusal) as caught:
        scenario(text, name)
    assert caught.value.code == "bad_scenario"
    return caught.value.message


def test_a_scenario_speaks_the_language_of_preview() -> None:
    act, read, schema, value, started, ended = scenario(WHOLE.replace('".ad"', '[".ad"]')).steps
    assert isinstance(act, Act)
    assert act.actions == ({"type": "click", "css": "#go"}, {"type": "step", "frames": 3})
    assert isinstance(read, Read)
    assert [query.expect for query in read.queries] == ["3", None, "true"]
    assert read.queries[2].query == {"css": "#on", "attr": "checked"}
    assert isinstance(schema, Eval)
    assert not schema.expects_a_value
    assert isinstance(value, Eval)
    assert value.expects_a_value
    assert isinstance(started, Shot)
    assert [mask.css for mask in started.masks] == ["#clock", ""]
    assert isinstance(ended, Shot)
    assert ended.tolerance is not None
    assert ended.tolerance.max_pixels == 12


def test_views_are_named_or_sized() -> None:
    found = scenario(WHOLE.replace('".ad"', "[]"))
    assert [view.label for view in found.viewports] == ["", "phone", "800x600", "wide"]
    assert found.viewports[1].mobile
    assert found.schemes == ("light", "dark")


def test_without_a_scenario_the_whole_page_is_taken_once() -> None:
    found = scenario_of(None)
    assert [(shot.name, shot.target) for shot in found.shots] == [("", "page")]
    assert (found.clock, found.fail_on) == ("virtual", ("errors",))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("viewport: phone", "snake.check.yaml:1: viewport: 'viewport' is no key here; did you mean"
         " viewports? Allowed: artifact, viewports, schemes, steps,"),
        ("seed: 1\nviewports:\n- tablett", "snake.check.yaml:3: viewports[0]: 'tablett' is none of"
         " desktop, phone, tablet or a size such as 800x600"),
        ("viewports: [{width: 5000, height: 9}]", ":1: viewports[0].width: input should be less"
         " than or equal to 4096 (got 5000)"),
        ("clock: slow", ":1: clock: 'slow' is not one of 'real', 'virtual'"),
        ("steps:\n- op: act\n  actions:\n  - {type: wait, ms: 1}\n  - {type: clik, css: a}",
         ":5: steps[0].actions[1]: actions[1].type 'clik' is not one of click, key, type,"),
        ("steps:\n- {op: read, queries: [{css: a, wrong: 1}]}", ":2: steps[0].queries[0]:"),
        ("steps:\n- {op: read}", ":2: steps[0].queries: it is missing"),
        ("steps:\n- {op: jump}", ":2: steps[0]: jump is not one of 'act', 'read', 'eval', 'shot'"),
        ("steps: [{css: a}]", ":1: steps[0]: a step needs op, one of act, read, eval, shot"),
        ("steps: [{op: eval, code: a, schema: {type: nub}}]", "steps[0].schema: it is no JSON"),
        ("steps: [{op: shot}, {op: shot}]", "steps[0]: one of several shots needs a name"),
        ("steps:\n- {op: shot, name: Home}\n- {op: shot, name: home}",
         ":3: steps[1].name: two shots are named 'home'"),
        ("masks: [{x: 1}]", "masks[0]: a mask needs css, or else x, y, width and height"),
        ("fail_on: [all]", "fail_on[0]: 'all' is not one of 'errors', 'uncaught',"),
        ("tolerance: {max_pixel: 1}", "tolerance.max_pixel: 'max_pixel' is no key here; did you"
         " mean max_pixels?"),
        ("tolerance: {max_share: 50}", "tolerance: value error, max_share is a part of all pixels,"
         " from 0 to 0.2"),
        ("clock: real\nsteps:\n- op: act\n  actions: [{type: step, ms: 5}]",
         ":4: steps[0].actions[0]: step moves the virtual clock"),
        ("viewports: []", "viewports: it needs at least one entry"),
        ("a: [1\nb: 2", "snake.check.yaml:2: it is not YAML:"),
        ("clock: real\nclock: virtual", "snake.check.yaml:2: 'clock' stands twice"),
        ("- 1", "snake.check.yaml: it must hold keys with values"),
        ("x: !!python/name:os.system a", "could not determine a constructor"),
        ("a: &a [*a]", "it is not YAML that can be used"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_its_place_and_what_is_allowed(text: str, said: str) -> None:
    assert said in refused(text)


def test_json_is_told_of_by_line_too() -> None:
    assert "s.check.json:3: masks[0]: a mask needs" in refused(
        '{\n\t"masks": [\n\t\t{"x": 1}]}', "s.check.json"
    )
    assert "s.check.json:2: it is not JSON" in refused('{\n"a": }', "s.check.json")
    assert "'a' stands twice" in refused('{"a": 1, "a": 2}', "s.check.json")


def test_words_that_yaml_1_takes_for_something_else_stay_words() -> None:
    document = parsed(b"a: on\nb: 12:30\nc: 2024-01-01\nd: 1_000\ne: 1e3", "s.check.yaml")
    assert document.values == {
        "a": "on",
        "b": "12:30",
        "c": "2024-01-01",
        "d": "1_000",
        "e": 1000.0,
    }


def test_aliases_of_aliases_are_refused_before_they_fill_the_memory() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]
    assert "more than 20000 values" in refused("\n".join(lines))


def test_a_projects_table_fills_what_a_scenario_leaves_out() -> None:
    shared = Document("pyproject.toml", {"schemes": ["dark"], "seed": 7}, {})
    found = scenario_of(parsed(b"seed: 3", "a.check.yaml"), shared, {"budget_seconds": 5})
    assert (found.schemes, found.seed, found.budget_seconds) == (("dark",), 3, 5)
    with pytest.raises(Refusal, match=r"^pyproject.toml: seed: "):
        scenario_of(None, Document("pyproject.toml", {"seed": "many"}, {}))
