"""The README's blocks, and what they really put out. `python -m tests.readme` writes it anew."""

from __future__ import annotations

import ast
import asyncio
import inspect
import json
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, fields
from pathlib import Path

from artifact_kit import Limits, Toolkit, limits

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"

_FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_TABLE = re.compile(
    r"(?<=^\| limit \| default \| what it bounds \|\n\|---\|---\|---\|\n)(\|.*\n)*", re.MULTILINE
)
_ASKED = re.compile(r"^→ (\w+) (.*)$", re.MULTILINE)
_TYPED = re.compile(r"^\$ (.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """A fenced block of the README."""

    language: str
    body: str
    start: int
    """Where the body begins in the README."""

    @property
    def asks(self) -> bool:
        """Whether it is a conversation with the tools."""
        return self.language == "text" and self.body.startswith("→ ")


def blocks(text: str) -> list[Block]:
    """All fenced blocks, in order."""
    return [Block(m[1], m[2], m.start(2)) for m in _FENCE.finditer(text)]


def commands(text: str) -> list[str]:
    """The blocks of plain shell."""
    return [block.body.strip() for block in blocks(text) if block.language == "sh"]


def real(text: str) -> str:
    """The README with every output as it comes out now."""
    outputs = _outputs(text)
    for block in reversed(blocks(text)):
        if block.start in outputs:
            end = block.start + len(block.body)
            text = f"{text[: block.start]}{outputs[block.start]}{text[end:]}"
    return _TABLE.sub(lambda _: limits_table(), text)


def _outputs(text: str) -> dict[int, str]:
    """What each block with an output should hold, by where it begins."""
    found = blocks(text)
    outputs = {}
    asking = [block for block in found if block.asks]
    for block, answer in zip(asking, asyncio.run(_conversations(asking)), strict=True):
        outputs[block.start] = answer
    for block, following in zip(found, [*found[1:], None], strict=True):
        if block.language == "console":
            outputs[block.start] = _console(block.body)
        if block.language == "python" and following and following.language == "text":
            (outputs[following.start],) = _run([sys.executable, "-c", block.body])
    return outputs


async def _conversations(asking: list[Block]) -> list[str]:
    """All conversations, one after the other, over one workspace."""
    told = []
    async with Toolkit("memory://") as kit:
        for block in asking:
            said = []
            for tool, args in _ASKED.findall(block.body):
                outcome = await kit.call(tool, json.loads(args))
                said.append(f"→ {tool} {args}\n{outcome.text.rstrip()}\n")
            told.append("\n".join(said))
    return told


def _console(body: str) -> str:
    outputs = _run(*(["sh", "-c", typed] for typed in _TYPED.findall(body)))
    pairs = zip(_TYPED.findall(body), outputs, strict=True)
    return "\n".join(f"$ {typed}\n{output}" for typed, output in pairs)


def _run(*commands: list[str]) -> list[str]:
    """The outputs of commands in a folder that is empty but for the fixtures."""
    outputs = []
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "fixtures").symlink_to(ROOT / "fixtures")
        for command in commands:
            done = subprocess.run(
                command, cwd=folder, env=environment(), capture_output=True, timeout=80, check=False
            )
            assert b"Traceback" not in done.stderr, done.stderr.decode()
            outputs.append(done.stdout.decode())
    return outputs


def environment() -> dict[str, str]:
    """One in which `artifact-kit` is the one of this interpreter, at a developer's desk."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return {name: value for name, value in os.environ.items() if name != "CI"} | {"PATH": path}


def limits_table() -> str:
    """A row for each limit, with its docstring."""
    (declared,) = [
        node for node in ast.parse(inspect.getsource(limits)).body if isinstance(node, ast.ClassDef)
    ]
    said = {}
    for field, docstring in zip(declared.body, declared.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(docstring, ast.Expr):
            said[ast.unparse(field.target)] = ast.literal_eval(docstring.value)
    rows = []
    for each in fields(Limits):
        value = f"{each.default:,}" if type(each.default) is int else str(each.default)
        rows.append(f"| `{each.name}` | {value} | {' '.join(said[each.name].split())} |\n")
    return "".join(rows)


if __name__ == "__main__":
    README.write_text(real(README.read_text(encoding="utf-8")), encoding="utf-8")
