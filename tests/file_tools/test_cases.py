"""Every kind of call of the contract, on memory and on a local folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

import jsonschema
import pytest

from artifact_kit.limits import Limits
from tests.file_tools.cases_edit import EDIT
from tests.file_tools.cases_manage import MANAGE
from tests.file_tools.cases_misses import MISSES
from tests.file_tools.cases_read import READ
from tests.file_tools.cases_write import WRITE
from tests.file_tools.stage import Stage

if TYPE_CHECKING:
    from pathlib import Path

    from tests.file_tools.case import Case

CASES = [*WRITE, *READ, *EDIT, *MISSES, *MANAGE]


@pytest.mark.anyio
@pytest.mark.parametrize("kind", ["memory", "local"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.tool}: {case.name}")
async def test_a_call_answers_by_the_contract(case: Case, kind: str, tmp_path: Path) -> None:
    stage = Stage(
        kind,
        tmp_path,
        case.before,
        limits=Limits(**case.limits),
        failing=case.failing,
        host_root=case.host_root,
        strict=case.strict,
    )
    for step in case.steps:
        if isinstance(step, dict):
            stage.put(step)
        else:
            assert not (await stage.call(*step)).is_error
    expected = stage.files()
    for name, content in case.after.items():
        expected.pop(name, None)
        if content is not None:
            expected[name] = content.encode() if isinstance(content, str) else content

    outcome = await stage.call(case.tool, case.args)

    assert outcome.status == case.status, outcome.text
    assert stage.files() == expected
    for part in case.says:
        assert part.casefold() in outcome.text.casefold(), outcome.text
    for part in case.never:
        assert part.casefold() not in outcome.text.casefold(), outcome.text
    if case.code:
        assert outcome.data["code"] == case.code
    jsonschema.validate(outcome.data, stage.tools[case.tool].output_schema)


def test_case_names_are_unique() -> None:
    names = [(case.tool, case.name) for case in CASES]
    assert len(names) == len(set(names))
