"""What a test drives: a page that is opened, asked and compared."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Self, overload

from artifact_kit import visual
from artifact_kit.errors import Refusal
from artifact_kit.hosts.comparisons import ACCEPTED, message
from artifact_kit.hosts.studio import asked

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from artifact_kit.hosts.studio import Studio
    from artifact_kit.visual import Accept, Check, LivePage, PageError, Scheme

_MANY = (list, tuple)


class Artifact:
    """The pages of one test, one after the other.

    What a page can't do is an `AssertionError`, what is not understood a `ValueError`, and what
    can't be reached (the browser, a storage) a `RuntimeError`.
    """

    def __init__(self, studio: Studio, name: str, accept: Accept | None = None) -> None:
        self._studio = studio
        self._name = name
        self._accept = accept
        self._page: LivePage | None = None
        self._unseen: list[PageError] = []
        self.checks: list[Check] = []
        """Every comparison so far."""

    def open(
        self,
        path: str | os.PathLike[str],
        *,
        viewport: str | Mapping[str, Any] = "desktop",
        scheme: Scheme = "light",
        **options: Any,
    ) -> Self:
        """Open a file: one below `artifact_root`, whose other files it may load, or any by its
        absolute path, which may load those of its own folder.

        `viewport` is `desktop`, `phone`, `tablet`, a size such as `800x600`, or what a scenario
        has there; `scheme` is `light` or `dark`. `options` are other keys of a scenario: `clock`
        (`virtual`; with `real` the page's time passes by itself), `seed`, `fail_on`, `masks`,
        `tolerance` and `budget_seconds`.
        """
        __tracebackhide__ = True
        self._look_back()
        self.leave()
        wished = {"viewports": [viewport], "schemes": [scheme], **options}
        given = os.fspath(path).replace(os.sep, "/")
        self._page = self._studio.call(self._studio.open, given, self._name, wished)
        return self

    def act(self, *actions: Mapping[str, Any] | Sequence[Mapping[str, Any]]) -> list[str]:
        """Do actions as `preview` takes them, `{"type": "click", "css": "#go"}`; gives what each
        did. The first that can't be done fails the test."""
        __tracebackhide__ = True
        scenario = self._opened().view.artifact.scenario
        taken = _understood(visual.actions_of, _flat(actions), scenario)
        done: list[str] = self._ask("act", taken)
        return done

    @overload
    def read(self, query: str | Mapping[str, Any], /) -> str: ...

    @overload
    def read(
        self, first: str | Mapping[str, Any], second: str | Mapping[str, Any], /, *more: Any
    ) -> list[str]: ...

    def read(self, first: Any, /, *more: Any) -> str | list[str]:
        """What the page says: of one query its value, of several a list.

        A query is a CSS selector, whose text is meant, or as `preview` takes it:
        `{"css": "#note", "attr": "value"}`. One that nothing matches fails the test.
        """
        __tracebackhide__ = True
        values: list[str] = self._ask("read", _understood(visual.queries_of, [first, *more]))
        return values if more else values[0]

    def eval(self, code: str) -> Any:
        """What a function body returns in the page, as JSON has it; what it throws fails the
        test."""
        __tracebackhide__ = True
        return self._ask("evaluate", code)

    def shot(self, target: str = "page") -> bytes:
        """A PNG of the `page`, the `view`, the `canvas`, or the element of a CSS selector; it is
        compared with nothing."""
        __tracebackhide__ = True
        return bytes(self._ask("picture", target))

    @property
    def errors(self) -> list[PageError]:
        """What went wrong since the page was opened, each with `kind`, `place` (as
        `game.html:72:25`), `text` and `count`. A test that looks here answers for them itself:
        they fail nothing any more.
        """
        __tracebackhide__ = True
        found: list[PageError] = self._ask("listen")
        self._opened().settle()
        return found

    def assert_matches_baseline(
        self,
        name: str = "",
        *,
        target: str = "page",
        masks: Sequence[Any] = (),
        tolerance: Mapping[str, Any] | None = None,
    ) -> None:
        """Compare a picture with its baseline; `name` tells several of one test apart.

        `masks` are CSS selectors or boxes that are painted over, `tolerance` what may differ:
        `{"max_pixels": 20}`, and other names that a scenario has there. Without a baseline it
        fails, and it never writes one: the message says which command does. Errors of the page
        since the picture before fail it too.
        """
        __tracebackhide__ = True
        wished = {"name": name, "target": target, "masks": list(masks), "tolerance": tolerance}
        shot = _understood(visual.shot_of, **wished)
        self._studio.claim(self._opened().view.picture_name(shot), self._name, self)
        check: Check = self._ask("shoot", shot)
        self.checks.append(check)
        if check.outcome not in ACCEPTED[self._accept]:
            raise AssertionError(message(check, self._studio.places))

    def unseen(self) -> list[PageError]:
        """The errors that fail a test which neither looked at them nor compared a picture since;
        each is given once."""
        __tracebackhide__ = True
        self._look_back()
        found, self._unseen = self._unseen, []
        return found

    def leave(self) -> None:
        """Close the page that is open, if there is one."""
        page, self._page = self._page, None
        if page is not None:
            self._studio.call(self._studio.leave, page)

    def _look_back(self) -> None:
        __tracebackhide__ = True
        page = self._page
        if page is not None and page.session.sound:
            self._ask("listen")
        if page is not None:
            self._unseen += page.settle()

    def _ask(self, method: str, *arguments: Any) -> Any:
        __tracebackhide__ = True
        page = self._opened()
        try:
            return self._studio.call(asked, page, getattr(page, method), *arguments)
        finally:
            if page.session.over:
                self._unseen += page.settle()
                self.leave()

    def _opened(self) -> LivePage:
        __tracebackhide__ = True
        if self._page is None:
            raise RuntimeError("no page is open; call artifact.open first")
        return self._page


def _flat(given: Sequence[Any]) -> list[Any]:
    return [one for each in given for one in (each if isinstance(each, _MANY) else [each])]


def _understood(work: Callable[..., Any], *given: Any, **named: Any) -> Any:
    __tracebackhide__ = True
    try:
        return work(*given, **named)
    except Refusal as refusal:
        said = refusal.message.removesuffix("Nothing was done.").strip()
        raise ValueError(said) from None
