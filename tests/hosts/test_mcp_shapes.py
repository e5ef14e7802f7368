"""What is published is accepted everywhere, and what is sent is understood or refused by name."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.hosts.mcp_peer import MEMORY, PAGE, Raw, raw

if TYPE_CHECKING:
    from collections.abc import Iterator

# Keywords that some provider's API or some client refuses, drops or rewrites.
NOT_PORTABLE = {
    "$defs", "$ref", "additionalProperties", "allOf", "anyOf", "const", "default", "definitions",
    "exclusiveMaximum", "exclusiveMinimum", "examples", "format", "if", "maxItems", "maxLength",
    "maximum", "minItems", "minLength", "minimum", "not", "nullable", "oneOf", "pattern",
    "patternProperties", "prefixItems", "uniqueItems",
}  # fmt: skip
TYPES = {"object", "array", "string", "integer", "number", "boolean"}
ONE, DONE = "page.html", "saved page.html"
P = PAGE.format("one")
OPEN = {"op": "open", "path": ONE}
KEY = {"type": "key", "key": "a"}

# tool, arguments as a model might send them, and words of the answer.
UNDERSTOOD: list[tuple[str, Any, str]] = [
    ("write_file", json.dumps({"path": ONE, "content": P}), "page.html ("),
    ("write_file", {"arguments": {"path": ONE, "content": P}}, "page.html ("),
    ("write_file", {"input": json.dumps({"path": ONE, "content": P})}, "page.html ("),
    ("write_file", {"file_path": f"./{ONE}", "content": P}, "page.html ("),
    ("write_file", {"filePath": f"/{ONE}", "content": P, "encoding": "utf-8"}, "page.html ("),
    ("write_file", {"path": f"/workspace/{ONE}", "content": P, "reason": "why"}, "page.html ("),
    ("write_file", {"path": f"'{ONE}' ", "content": P, "mode": None}, "page.html ("),
    ("write_file", {"path": "a.json", "content": {"a": 1}}, "a.json ("),
    ("write_file", {"path": "t.txt", "content": '{"a": 1}'}, "t.txt ("),
    ("write_file", {"path": "f.html", "content": f"```html\n{P}\n```"}, "removed the code fence"),
    ("write_file", {"path": "g.html", "content": f"{P}\n</content>"}, "stray tool-call tag"),
    ("read_file", {"path": ONE, "startLine": "1", "endLine": 1.0}, "page.html (63 chars"),
    ("read_file", {"path": ONE, "start_line": "", "endLine": None}, "page.html ("),
    ("read_file", {"path": "a\\..\\page.html"}, "page.html ("),
    ("read_file", None, "path is missing"),
    ("edit_file", {"path": ONE, "old_string": "<p>one", "new_str": "<p>two"}, "edited page.html"),
    (
        "edit_file",
        {"path": ONE, "oldText": "two", "newText": "one", "replace_all": "TRUE"},
        "edited",
    ),
    ("manage_file", {"operation": "RENAME", "source": "t.txt", "destination": "u.txt"}, "moved"),
    ("manage_file", {"op": "rm", "path": "u.txt", "recursive": "false"}, "deleted u.txt"),
    ("preview", {"op": "navigate", "url": ONE}, "page: page.html"),
    ("preview", {"op": "act", "actions": json.dumps([KEY])}, "pressed a"),
    ("preview", {"op": "act", "actions": KEY}, "pressed a"),
    ("preview", {"op": "act", "actions": [{"action": "press", "key": "a"}]}, "pressed a"),
    ("preview", {"op": "act", "actions": [{"type": "tap", "x": "5", "y": "5"}]}, "clicked "),
    ("preview", {"op": "act", "actions": [{"type": "sleep", "ms": "5"}]}, "waited 5 ms"),
    ("preview", {"op": "read", "queries": ["p"], "code": "", "actions": []}, 'p: "one"'),
    ("preview", {"op": "evaluate", "script": "return 6 * 7"}, "42"),
]
REFUSED: list[tuple[str, Any, str]] = [
    ("write_file", {"path": ONE, "content": None}, "content is missing"),
    ("write_file", {"path": ONE}, "output limit"),
    ("write_file", {"path": ONE, "content": P, "mode": "w"}, "does not take 'mode'"),
    ("write_file", {"path": ONE, "filePath": "other.html", "content": P}, "different values"),
    ("write_file", {"path": "a.txt", "content": {"a": 1}}, "content must be one string"),
    ("write_file", {"path": "../up.txt", "content": "x"}, "outside the workspace"),
    ("write_file", {"path": "C:\\x.html", "content": "x"}, "outside the workspace"),
    ("write_file", {"path": "s.txt", "content": "a\ud83d"}, "lone surrogate U+D83D) at line 1"),
    ("write_file", {"path": "n.txt", "content": "a\x00b"}, "U+0000"),
    ("write_file", ["page.html", "text"], "write_file does not take"),
    ("write_file", '{"path": "page.html", "content": "cut', "not valid JSON"),
    ("write_file", {"path": ONE, "content": "// ... rest of the code unchanged"}, "placeholder"),
    ("read_file", {"path": ONE, "startLine": "two"}, "must be a whole number (got 'two')"),
    ("read_file", {"path": ONE, "startLine": True}, "must be a whole number"),
    ("edit_file", {"path": ONE, "oldText": 42, "newText": "x"}, "oldText must be a string"),
    ("edit_file", {"path": ONE, "oldText": "p", "newText": "q", "replaceAll": "maybe"}, "true or"),
    ("manage_file", {"op": "copy", "path": ONE}, "is not one of move, delete"),
    ("preview", {"op": "fly"}, "is not one of open, act"),
    ("preview", {"op": "act", "actions": [KEY, {"type": "jump"}]}, "actions[1].type 'jump'"),
    ("preview", {"op": "act", "actions": [{"type": "click"}]}, "actions[0]: click needs"),
    ("preview", {"op": "read", "code": "return 1"}, "code is only for op eval"),
    ("preview", {"op": "act", "actions": [KEY] * 33}, "at most 32"),
]  # fmt: skip


@pytest.fixture(scope="module")
def client() -> Iterator[Raw]:
    with raw(*MEMORY) as client:
        yield client


def keywords(schema: Any) -> Iterator[tuple[str, Any]]:
    """Every keyword in a schema; the names of properties are none."""
    if isinstance(schema, list):
        for each in schema:
            yield from keywords(each)
    elif isinstance(schema, dict):
        yield from schema.items()
        for key, value in schema.items():
            inner = list(value.values()) if key == "properties" else value
            yield from keywords(inner)


def test_a_keyword_that_is_not_portable_is_noticed_wherever_it_stands() -> None:
    schema = {"properties": {"default": {"items": {"anyOf": [{"const": 1}]}}}}
    assert {key for key, _ in keywords(schema)} & NOT_PORTABLE == {"anyOf", "const"}


@pytest.mark.parametrize("options", [(), ("--split",), ("--split", "--read-only")])
def test_every_published_schema_is_portable(options: tuple[str, ...]) -> None:
    with raw(*MEMORY, *options) as client:
        client.send({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
        tools = client.read()["result"]["tools"]
    assert len(tools) > 5
    for tool in tools:
        for schema in (tool["inputSchema"], tool["outputSchema"]):
            assert schema["type"] == "object"
            assert set(schema.get("required", ())) <= set(schema["properties"])
            for keyword, value in keywords(schema):
                assert keyword not in NOT_PORTABLE, (tool["name"], keyword)
                assert keyword != "type" or value in TYPES
        for keyword, value in keywords(tool["inputSchema"]):
            assert keyword != "enum" or all(isinstance(each, str) for each in value)
        for each in tool["inputSchema"]["properties"].values():
            assert each["description"]
            assert each["type"] != "array" or each["items"]["type"] in TYPES


def test_calls_of_many_shapes_are_understood_or_refused_with_one_next_step(client: Raw) -> None:
    assert len(UNDERSTOOD) + len(REFUSED) > 40
    assert client.ask("write_file", {"path": ONE, "content": P})["isError"] is False
    for name, arguments, words in UNDERSTOOD:
        result = client.ask(name, arguments)
        assert words in result["text"], (name, arguments, result["text"])
        assert result["isError"] is (arguments is None), (name, arguments, result["text"])
    for name, arguments, words in REFUSED:
        result = client.ask(name, arguments)
        assert words in result["text"], (name, arguments, result["text"])
        assert result["isError"] is True, (name, arguments)
        assert result["text"].startswith("Refused: ")
        assert result["structuredContent"]["code"]
    read = client.ask("read_file", {"path": ONE})
    assert read["text"].endswith(P), "a refused call changed the page"
