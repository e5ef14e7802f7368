"""The pages of one toolkit: one preview call in, one complete answer out."""

from __future__ import annotations

import asyncio
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from artifact_kit.browser import Launcher, provide
from artifact_kit.contract import Outcome
from artifact_kit.errors import Failure, Refusal
from artifact_kit.preview.acting import check
from artifact_kit.preview.assets import PAGES, can_show, media_type
from artifact_kit.preview.camera import check_shot
from artifact_kit.preview.deadline import Deadline
from artifact_kit.preview.pictures import can_save, encoded, formats
from artifact_kit.preview.reply import Reply
from artifact_kit.preview.session import PageOver, Session
from artifact_kit.preview.sessions import Sessions, Slot
from artifact_kit.preview.stage import Builder, Stages
from artifact_kit.preview.views import view_of
from artifact_kit.text import clip

if TYPE_CHECKING:
    from collections.abc import Mapping

    from artifact_kit.browser import Confinement
    from artifact_kit.contract.outcome import Status
    from artifact_kit.limits import Limits
    from artifact_kit.preview.stage import Stage
    from artifact_kit.workspace import Workspace, WorkspacePath


class Pages:
    """The pages of one toolkit. The browser starts with the first `open`."""

    def __init__(
        self,
        workspace: Workspace,
        limits: Limits,
        *,
        browser: str | None = None,
        install: bool = True,
        confinement: Confinement | None = None,
    ) -> None:
        self._workspace = workspace
        self._limits = limits
        self._setting = browser
        self._install = install
        self._confinement = confinement
        self._sessions = Sessions(limits, self._dispose)
        self._launcher: Launcher | None = None
        self._stages: Stages | None = None
        self._starting: asyncio.Task[Stages] | None = None
        self._freeing: set[asyncio.Task[None]] = set()

    async def close(self) -> None:
        """Close every page and the browser."""
        if self._starting is not None and not self._starting.done():
            self._starting.cancel()
        if self._starting is not None:
            await asyncio.gather(self._starting, return_exceptions=True)
        self._sessions.close()
        if self._stages is not None:
            await self._stages.close()
        if self._launcher is not None:
            await self._launcher.close()
        self._launcher = self._stages = self._starting = None

    async def answer(self, arguments: Mapping[str, Any], conversation: str) -> Outcome:
        """Answer one call.

        Raises:
            Refusal: The call does not fit the state of things; nothing was done.
            Failure: The browser or the page is not there, or ended.
        """
        reply = Reply(data={})
        deadline = Deadline.after(self._limits.call_s - self._limits.grace_s)
        async with self._sessions.turn(conversation) as slot:
            try:
                async with asyncio.timeout(self._limits.call_s):
                    failed = await self._dispatch(arguments, slot, reply, deadline)
            except TimeoutError:
                self._end(slot, "the page did not answer in time and was ended", at_once=True)
                message = (
                    f"no answer within {self._limits.call_s:.0f} s; the page was ended. "
                    "Open it again."
                )
                raise Failure(message, code="deadline") from None
            except PageOver as over:
                self._end(slot, over.why, at_once=True)
                raise
            except asyncio.CancelledError:
                if slot.session is not None:
                    self._free(slot.session)
                raise
        return self._outcome(reply, failed)

    def _free(self, session: Session) -> None:
        """A script that a cancelled call left running must not hold up the next one."""
        task = asyncio.create_task(session.free())
        self._freeing.add(task)
        task.add_done_callback(self._freeing.discard)

    def _outcome(self, reply: Reply, failed: str) -> Outcome:
        status: Status = "failed" if failed else "ok"
        if failed:
            reply.result.append(f"Preview failed: {failed}")
            reply.data["code"] = "not_done"
        else:
            reply.data["code"] = "ok"
        text = reply.text(self._limits.reply_chars)
        return Outcome(status, text, tuple(reply.images), reply.data)

    async def _dispatch(
        self, arguments: Mapping[str, Any], slot: Slot, reply: Reply, deadline: Deadline
    ) -> str:
        op = arguments["op"]
        if op == "open":
            await self._open(arguments, slot, reply, deadline)
            return ""
        if op == "close":
            return self._close(slot, reply)
        session = self._session(slot, arguments.get("path"))
        with self._running().call():
            return await self._do(op, session, arguments, reply, deadline)

    async def _do(
        self,
        op: str,
        session: Session,
        arguments: Mapping[str, Any],
        reply: Reply,
        deadline: Deadline,
    ) -> str:
        if op == "act":
            actions = self._actions(arguments, session.stage.clock.virtual, deadline)
            return await session.act(actions, reply, deadline)
        if op == "read":
            await session.read(arguments.get("queries", []), reply, deadline)
        elif op == "eval":
            return await session.eval(self._code(arguments["code"]), reply, deadline)
        else:
            return await self._shoot(session, arguments, reply, deadline)
        return ""

    async def _shoot(
        self, session: Session, arguments: Mapping[str, Any], reply: Reply, deadline: Deadline
    ) -> str:
        check_shot(arguments, most_frames=self._limits.frames)
        path = await self._destination(arguments["save"]) if "save" in arguments else None
        taken = await session.shot(arguments, reply, deadline)
        if taken is None:
            return "no picture could be taken"
        if path is not None:
            await self._workspace.write(path, encoded(taken.picture, path.suffix))
            reply.result.append(f"saved as {path}")
            reply.data["saved"] = str(path)
        return ""

    def _actions(
        self, arguments: Mapping[str, Any], virtual: bool, deadline: Deadline
    ) -> list[dict[str, Any]]:
        real_s = deadline.left() - 2 * self._limits.grace_s
        budget_ms = (self._limits.virtual_s if virtual else real_s) * 1000
        return check(arguments["actions"], budget_ms=budget_ms, virtual=virtual)

    def _code(self, code: str) -> str:
        if len(code) > self._limits.code_chars:
            raise Refusal(
                f"code has {len(code)} characters; at most {self._limits.code_chars}. "
                "Nothing was run.",
                code="too_long",
            )
        return code

    async def _destination(self, raw: str) -> WorkspacePath:
        path = await self._workspace.locate(raw, most_chars=self._limits.path_chars)
        if not can_save(path.suffix):
            raise Refusal(
                f"save: {path} must end in {formats()}. Nothing was done.", code="bad_path"
            )
        return path

    async def _open(
        self, arguments: Mapping[str, Any], slot: Slot, reply: Reply, deadline: Deadline
    ) -> None:
        path = await self._page_path(arguments["path"])
        view = view_of(arguments)
        virtual = arguments.get("clock") == "virtual"
        if "seed" in arguments and not virtual:
            raise Refusal(
                'seed is for the virtual clock: add clock "virtual". Nothing was opened.',
                code="no_virtual_clock",
            )
        self._sessions.make_room(slot)
        stages = await self._started(deadline)
        if virtual:
            self._check_virtual()
        with stages.call():
            async with asyncio.timeout(deadline.left()):
                stage = await stages.take(self._leave(slot, stages), virtual=virtual)
            slot.session = Session(stage, self._workspace, path, self._limits)
            await slot.session.open({**arguments, "view": view}, reply, deadline)
        stages.prepare(virtual=virtual)

    def _check_virtual(self) -> None:
        """Refuse what the browser cannot do; time would pass all the same."""
        chromium = self._launcher.chromium if self._launcher is not None else None
        if chromium is not None and chromium.kind != "headless-shell":
            which = "a remote browser" if chromium.kind == "remote" else "a full Chromium"
            raise Refusal(
                f"the virtual clock needs Chromium's headless shell, and the browser in use is "
                f'{which}. Nothing was opened; open with clock "real", or have '
                "`artifact-kit browser --install` provide a headless shell.",
                code="no_virtual_clock",
            )

    def _leave(self, slot: Slot, stages: Stages) -> Stage | None:
        """End the open page; its browser is handed on when it has always answered."""
        old = self._sessions.release(slot)
        if old is not None and not old.sound:
            stages.dispose(old.stage)
            return None
        return old.stage if old is not None else None

    async def _page_path(self, raw: str) -> WorkspacePath:
        path = await self._workspace.locate(raw, most_chars=self._limits.path_chars)
        entry = await self._workspace.info(path)
        if entry is None:
            raise Refusal(await self._not_found(path), code="not_found")
        if entry.kind != "file":
            raise Refusal(f"{path} is a {entry.kind}; open an HTML file.", code="is_folder")
        if path.suffix not in PAGES and not can_show(path.suffix):
            kind = media_type(path.suffix)
            raise Refusal(
                f"{path} ({kind}) cannot be shown; open an HTML or SVG file.", code="bad_type"
            )
        return path

    async def _not_found(self, path: WorkspacePath) -> str:
        try:
            entries = await self._workspace.list(path.parent)
        except Failure:
            return f"{path} not found; its folder does not exist."
        names = [str(entry.path) for entry in entries]
        close = get_close_matches(str(path), names, n=1, cutoff=0.5)
        meant = f" Did you mean {close[0]}?" if close else ""
        files = f" Files here: {', '.join(names[:20])}" if names else " The folder is empty."
        return f"{path} not found.{meant}{clip(files, 600)}"

    def _close(self, slot: Slot, reply: Reply) -> str:
        if slot.session is None:
            raise Refusal(f"no page is open{_because(slot)}.", code="no_page")
        path = slot.session.path
        self._end(slot, "it was closed")
        reply.result.append(f"closed {path}")
        return ""

    def _session(self, slot: Slot, raw_path: str | None) -> Session:
        if slot.session is None:
            raise Refusal(
                f"no page is open{_because(slot)}. Call preview with op open and path first.",
                code="no_page",
            )
        if raw_path:
            path = self._workspace.path(raw_path, most_chars=self._limits.path_chars)
            if path != slot.session.path:
                raise Refusal(
                    f"path {path} is not the open page ({slot.session.path}); path is only for op "
                    "open. Nothing was done.",
                    code="other_page",
                )
        return slot.session

    def _end(self, slot: Slot, why: str, *, at_once: bool = False) -> None:
        if at_once and slot.session is not None and self._stages is not None:
            self._stages.dispose(slot.session.stage, at_once=True)
        self._sessions.end(slot, why)

    def _dispose(self, session: Session) -> None:
        if self._stages is not None:
            self._stages.dispose(session.stage)

    def _running(self) -> Stages:
        if self._stages is None:
            raise Failure("the browser is not running; open the page again.", code="no_browser")
        return self._stages

    async def _started(self, deadline: Deadline) -> Stages:
        """The stages, once the browser is found or provided; a slow installation goes on."""
        if self._starting is None or (self._starting.done() and self._failed_to_start()):
            self._starting = asyncio.create_task(self._start())
        done, _ = await asyncio.wait({self._starting}, timeout=deadline.left())
        if not done:
            raise Failure(
                "the browser is still being prepared (a first start may install it, which takes a "
                "minute or two). Nothing was opened; call open again.",
                code="starting",
            )
        return self._starting.result()

    def _failed_to_start(self) -> bool:
        task = self._starting
        return task is None or task.cancelled() or task.exception() is not None

    async def _start(self) -> Stages:
        chromium = await provide(self._setting, install=self._install)
        memory = self._limits.page_memory_bytes
        launcher = Launcher(chromium, memory_bytes=memory, confinement=self._confinement)
        await launcher.start()
        self._launcher = launcher
        self._stages = Stages(Builder(launcher, self._limits))
        return self._stages


def _because(slot: Slot) -> str:
    return f" ({slot.ended})" if slot.ended else ""
