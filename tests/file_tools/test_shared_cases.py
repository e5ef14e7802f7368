"""A shared table of cases, where it is at hand; the project's own are in test_cases.py."""

import json
from pathlib import Path
from typing import Any

import pytest

from artifact_kit.limits import Limits
from tests.file_tools.stage import Stage, as_bytes

SHARED = Path(__file__).parents[2].parent / "shared" / "cases" / "file_tools.json"
CASES: list[dict[str, Any]] = (
    json.loads(SHARED.read_text(encoding="utf-8")) if SHARED.exists() else []
)


def limits_of(config: dict[str, Any]) -> Limits:
    names = {"max_content": "content_chars", "max_read": "read_chars"}
    return Limits(**{names[key]: value for key, value in config.items() if key in names})


@pytest.mark.anyio
@pytest.mark.parametrize("kind", ["memory", "local"])
@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
async def test_the_case_answers_as_it_says(case: dict[str, Any], kind: str, tmp_path: Path) -> None:
    config = case.get("config", {})
    initial = {name: as_bytes(content) for name, content in case["initial"].items()}
    stage = Stage(
        kind,
        tmp_path,
        initial,
        limits=limits_of(config),
        failing=config.get("fail", {}),
        host_root=config.get("host_root"),
    )
    for step in case.get("setup", ()):
        if "external" in step:
            stage.put({name: as_bytes(content) for name, content in step["external"].items()})
        else:
            assert not (await stage.call(step["tool"], step["args"])).is_error
    expected = stage.files()
    for name, content in case["expected_file"].items():
        expected.pop(name, None)
        if content is not None:
            expected[name] = as_bytes(content) or b""

    outcome = await stage.call(case["tool"], case["args"])

    assert outcome.status == case["expect"], outcome.text
    assert stage.files() == expected
    for mention in case["message_must_mention"]:
        assert mention.casefold() in outcome.text.casefold(), outcome.text
    for mention in case.get("message_must_not_mention", ()):
        assert mention.casefold() not in outcome.text.casefold(), outcome.text
