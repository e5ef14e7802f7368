"""How far a run of checks has come: a bar on a terminal, a line for each check elsewhere."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Self

import click

from artifact_kit.text import plural

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType

    from artifact_kit.visual import Check, Planned


class Progress:
    """Tells of each check as it ends, for as long as the block lasts."""

    def __init__(self, views: Sequence[Planned], jobs: int) -> None:
        count = sum(len(view.shots) for view in views)
        self._bar: Any = None
        self._found = 0
        if sys.stdout.isatty() and count:
            self._bar = click.progressbar(length=count, label="checks", item_show_func=self._name)
        budgets = {view.artifact.scenario.budget_seconds for view in views}
        longest = f", each page at most {max(budgets):g} s" if budgets else ""
        at_once = min(jobs, len(views))
        click.echo(f"{plural(count, 'check')} in {plural(at_once, 'browser')}{longest}", err=True)

    def __enter__(self) -> Self:
        if self._bar is not None:
            self._bar.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.__exit__(kind, error, trace)

    def tell(self, check: Check) -> None:
        """A check has ended."""
        from artifact_kit.visual import flat, label

        if self._bar is not None:
            self._found += check.outcome != "match"
            self._bar.update(1, check)
        else:
            click.echo(flat(f"{label(check):<12} {check.name}  {check.seconds:.2f} s"))

    def _name(self, check: Check | None) -> str:
        from artifact_kit.visual import flat

        found = f"{self._found} to look at" if self._found else ""
        return "  ".join(filter(None, (flat(check.name) if check else "", found)))
