"""What models send, and what the intake makes of it."""

from collections.abc import Mapping
from typing import Any

import pytest

from artifact_kit.contract import Field, Signature, input_schema, intake
from artifact_kit.errors import Refusal

STEP = Signature(
    "steps",
    (
        Field(
            "type",
            "enum",
            "tap needs x and y, or css. press needs key.",
            required=True,
            names=("action",),
            values=("tap", "press", "pause"),
            meanings={"hit": "tap", "key": "press", "sleep": "pause"},
        ),
        Field("css", "text", "tap: selector.", names=("selector",), only_for=("tap",)),
        Field("x", "number", "tap: x.", only_for=("tap",)),
        Field("y", "number", "tap: y.", only_for=("tap",)),
        Field("key", "text", "press: key name.", only_for=("press",)),
        Field("ms", "integer", "pause: milliseconds.", only_for=("pause",)),
    ),
    by="type",
    needs={"tap": (("x", "y"), ("css",)), "press": (("key",),), "pause": (("ms",),)},
)
LOOK = Signature("looks", (Field("css", "text", "Selector.", required=True),), bare="css")
ROBOT = Signature(
    "robot",
    (
        Field("op", "enum", "What to do.", required=True, values=("load", "play", "look")),
        Field("path", "path", "The file.", names=("file", "file_path")),
        Field("loud", "boolean", "Whether to talk."),
        Field("count", "integer", "How often.", names=("times",)),
        Field("words", "texts", "What to say."),
        Field("text", "text", "What to write.", names=("body",)),
        Field("steps", "objects", "Only for play.", only_for=("play",), item=STEP, most=3),
        Field("looks", "objects", "Only for look.", only_for=("look",), item=LOOK, most=2),
        Field("secret", "integer"),
    ),
    by="op",
    needs={"load": (("path",),), "play": (("steps",),)},
    hints={"repeat": "Send count."},
)


def refusal(raw: object) -> Refusal:
    with pytest.raises(Refusal) as caught:
        intake(ROBOT, raw)
    return caught.value


LOAD: dict[str, Any] = {"op": "load", "path": "a.html"}
PRESS: dict[str, Any] = {"type": "press", "key": "a"}


@pytest.mark.parametrize(
    ("raw", "understood"),
    [
        ('{"op": "load", "path": "a.html"}', LOAD),
        ('"{\\"op\\": \\"load\\", \\"path\\": \\"a.html\\"}"', LOAD),
        ({"arguments": LOAD}, LOAD),
        ({"input": '{"op": "load", "path": "a.html"}', "explanation": "x"}, LOAD),
        ({"name": "robot", "args": LOAD}, LOAD),
        ({"params": {"arguments": LOAD}}, LOAD),
        ({"op": "LOAD ", "PATH": "a.html"}, LOAD),
        ({"op": "load", "filePath": "a.html"}, LOAD),
        ({"op": "load", "path": "a.html", "file": "./a.html"}, LOAD),
        ({"op": "load", "path": "a.html", "file": ""}, LOAD),
        ({**LOAD, "loud": "", "count": None, "steps": [], "looks": "", "text": " "}, LOAD),
        ({**LOAD, "reason": "to see", "thought": "x", "_meta": {"a": 1}}, LOAD),
        ({**LOAD, "encoding": "UTF-8", "unheard": "", "unknown": None}, LOAD),
        ({**LOAD, "loud": "False", "count": "12"}, {**LOAD, "loud": False, "count": 12}),
        ({**LOAD, "loud": 1, "count": 12.0}, {**LOAD, "loud": True, "count": 12}),
        ({**LOAD, "times": "3.0", "secret": 4}, {**LOAD, "count": 3, "secret": 4}),
        ({**LOAD, "count": 3, "times": "3"}, {**LOAD, "count": 3}),
        ({**LOAD, "text": '{"a": 1}'}, {**LOAD, "text": '{"a": 1}'}),
        ({**LOAD, "text": "null"}, {**LOAD, "text": "null"}),
        ({**LOAD, "text": "\ud83d\ude00"}, {**LOAD, "text": "\U0001f600"}),
        ({**LOAD, "words": '["a", "b"]'}, {**LOAD, "words": ["a", "b"]}),
        ({**LOAD, "words": "[a"}, {**LOAD, "words": ["[a"]}),
        ({"op": "play", "steps": [PRESS]}, {"op": "play", "steps": [PRESS]}),
        ({"op": "play", "steps": PRESS}, {"op": "play", "steps": [PRESS]}),
        (
            {"op": "play", "steps": '[{"action": "key", "key": "a"}]'},
            {"op": "play", "steps": [PRESS]},
        ),
        (
            {"op": "play", "steps": ['{"type": "hit", "x": "1.5", "y": 2, "ms": 0, "key": ""}']},
            {"op": "play", "steps": [{"type": "tap", "x": 1.5, "y": 2}]},
        ),
        ({"op": "look"}, {"op": "look"}),
        ({"op": "look", "looks": "h1"}, {"op": "look", "looks": [{"css": "h1"}]}),
        ({"op": "look", "looks": ["h1"]}, {"op": "look", "looks": [{"css": "h1"}]}),
        (
            {"op": "look", "looks": "[data-x]"},
            {"op": "look", "looks": [{"css": "[data-x]"}]},
        ),
    ],
)
def test_a_plausible_spelling_is_understood(raw: object, understood: Mapping[str, Any]) -> None:
    assert dict(intake(ROBOT, raw)) == understood


@pytest.mark.parametrize(
    ("raw", "code", "words"),
    [
        (None, "missing_argument", ["op is missing", "load, play, look"]),
        ([LOAD], "bad_argument", ["one JSON object", "array"]),
        ("hello", "bad_json", ["not valid JSON"]),
        ('{"op": "load", "path": "a.ht', "bad_json", ["output limit"]),
        ("[" * 100_000, "bad_json", ["not valid JSON"]),
        ({"op": "load"}, "missing_argument", ["load needs path"]),
        ({"op": "play", "steps": []}, "missing_argument", ["play needs steps"]),
        ({"op": "fly"}, "bad_argument", ["op 'fly' is not one of load, play, look"]),
        ({"op": 3}, "bad_argument", ["op must be one of", "number 3"]),
        ({**LOAD, "count": "12px"}, "bad_argument", ["count", "whole number", "'12px'"]),
        ({**LOAD, "count": "1e3"}, "bad_argument", ["'1e3'"]),
        ({**LOAD, "count": True}, "bad_argument", ["boolean true"]),
        ({**LOAD, "count": 1.5}, "bad_argument", ["1.5"]),
        ({**LOAD, "count": float("nan")}, "bad_argument", ["nan"]),
        ({**LOAD, "count": 10**5000}, "bad_argument", ["many digits"]),
        ({**LOAD, "loud": "maybe"}, "bad_argument", ["loud must be true or false", "'maybe'"]),
        ({**LOAD, "text": 42}, "bad_argument", ["text must be a string (got number 42)"]),
        ({**LOAD, "text": ["a"]}, "bad_argument", ["text must be one string (got array)"]),
        ({**LOAD, "path": {"a": 1}}, "bad_argument", ["path", "object"]),
        ({**LOAD, "text": "a\nb\ud83d"}, "surrogate", ["U+D83D", "line 2"]),
        ({**LOAD, "file": "b.html"}, "conflicting_arguments", ["both path and file", "only path"]),
        ({**LOAD, "pth2": 1, "zz": 2}, "unknown_argument", ["'pth2' and 'zz'", "Accepted: op,"]),
        ({**LOAD, "cuont": 3}, "unknown_argument", ["Did you mean count?"]),
        ({**LOAD, "repeat": 3}, "unknown_argument", ["Send count."]),
        ({**LOAD, "encoding": "latin-1"}, "unknown_argument", ["encoding"]),
        ({**LOAD, "steps": [PRESS]}, "not_for_op", ["steps is only for op play"]),
        ({"op": "play", "steps": [PRESS] * 4}, "bad_argument", ["steps has 4", "at most 3"]),
        ({"op": "play", "steps": "go"}, "bad_argument", ["steps must be an array (got 'go')"]),
        ({"op": "play", "steps": [5]}, "bad_argument", ["steps[0] must be an object (got number"]),
        (
            {"op": "play", "steps": [PRESS, {"type": "drag"}]},
            "bad_argument",
            ["steps[1].type 'drag' is not one of tap, press, pause"],
        ),
        (
            {"op": "play", "steps": [{"type": "tap", "x": 3}]},
            "missing_argument",
            ["steps[0]: tap needs x and y, or css"],
        ),
        (
            {"op": "play", "steps": [{**PRESS, "ms": 5}]},
            "not_for_op",
            ["steps[0].ms is only for type pause"],
        ),
        ({"op": "play", "steps": [{"key": "a"}]}, "missing_argument", ["steps[0].type is missing"]),
        ({"op": "play", "steps": [{**PRESS, "foo": 5}]}, "unknown_argument", ["steps[0]", "foo"]),
        ({"op": "look", "looks": [{}]}, "missing_argument", ["looks[0].css is missing"]),
    ],
)
def test_a_mistake_is_refused_by_name(raw: object, code: str, words: list[str]) -> None:
    refused = refusal(raw)
    assert refused.code == code
    for word in words:
        assert word in refused.message
    assert refused.message.endswith("Nothing was done.")
    assert len(refused.message) < 600


def test_the_schema_shows_described_fields_only() -> None:
    schema = input_schema(ROBOT)
    assert "secret" not in schema["properties"]
    assert schema["required"] == ["op"]
    assert schema["properties"]["steps"]["items"]["required"] == ["type"]
    assert schema["properties"]["op"] == {
        "type": "string",
        "enum": ["load", "play", "look"],
        "description": "What to do.",
    }
