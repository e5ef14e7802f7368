"""Flags, environment and config file of `artifact-kit mcp`: one set of names."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click
import pytest

from artifact_kit.hosts.mcp import mcp
from artifact_kit.hosts.mcp.command import chosen
from tests import readme
from tests.hosts.command import kit

if TYPE_CHECKING:
    from pathlib import Path

    from artifact_kit.hosts.mcp.settings import Settings

TEXT = readme.README.read_text(encoding="utf-8")
FLAGS = [
    "--root", "memory://", "--mount", "data=memory://", "--read-only-mount", "lib=zip://lib.zip",
    "--limit", "actions=50", "--limit", "images=true", "--tools", "files", "--read-only",
    "--split", "--images", "omit", "--structured", "never", "--http", "[::1]:0",
    "--token", "secret", "--allow-host", "Kit.example", "--browser", "/opt/chromium",
    "--no-browser-install",
]  # fmt: skip
ENVIRONMENT = {
    "ROOT": "memory://", "MOUNT": "data=memory://", "READ_ONLY_MOUNT": "lib=zip://lib.zip",
    "LIMIT": "actions=50 images=true", "TOOLS": "files", "READ_ONLY": "1", "SPLIT": "true",
    "IMAGES": "omit", "STRUCTURED": "never", "HTTP": "[::1]:0", "TOKEN": "secret",
    "ALLOW_HOST": "Kit.example", "BROWSER": "/opt/chromium", "NO_BROWSER_INSTALL": "1",
}  # fmt: skip
FILE = """
root = "memory://"
tools = "files"
read-only = true
split = true
images = "omit"
structured = "never"
http = "[::1]:0"
token = "secret"
allow_host = ["Kit.example"]
browser = "/opt/chromium"
no-browser-install = true

[mount]
data = "memory://"

[read-only-mount]
lib = "zip://lib.zip"

[limit]
actions = 50
images = true
"""


def settings(*flags: str) -> Settings:
    given: dict[str, Any] = mcp.make_context("mcp", list(flags)).params
    return chosen(**given)


def test_the_same_is_said_by_flags_by_the_environment_and_by_a_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "kit.toml").write_text(FILE)
    by_flags = settings(*FLAGS)
    by_file = settings("--config", str(tmp_path / "kit.toml"))
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(f"ARTIFACT_KIT_{name}", value)
    assert by_flags == by_file == settings()
    assert by_flags.limits.actions == 50
    assert by_flags.limits.images is True
    assert by_flags.limits.read_chars == 60_000
    assert by_flags.http
    assert by_flags.http.is_loopback


def test_a_flag_counts_more_than_the_environment_and_that_more_than_the_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "kit.toml").write_text('root = "memory://file"\nimages = "omit"')
    monkeypatch.setenv("ARTIFACT_KIT_CONFIG", str(tmp_path / "kit.toml"))
    assert settings().root == "memory://file"
    monkeypatch.setenv("ARTIFACT_KIT_ROOT", "memory://environment")
    assert settings().root == "memory://environment"
    by_flag = settings("--root", "memory://flag")
    assert by_flag == replace(settings(), root="memory://flag")
    assert by_flag.images == "omit"


@pytest.mark.parametrize(
    "flags",
    [
        ("--limit", "fingers=5"),
        ("--limit", "actions=many"),
        ("--limit", "actions=0"),
        ("--limit", "images=5"),
        ("--mount", "data"),
        ("--tools", "nothing"),
        ("--http", "0.0.0.0:80"),
        ("--http", "example.com:80"),
    ],
)
def test_what_cannot_be_meant_is_told_of(flags: tuple[str, ...]) -> None:
    with pytest.raises(click.UsageError):
        settings(*flags)


@pytest.mark.parametrize("text", ["nonsense", "colour = 5", "config = 'x.toml'"])
def test_a_file_that_is_not_understood_ends_2(text: str, tmp_path: Path) -> None:
    (tmp_path / "kit.toml").write_text(text)
    done = kit("mcp", "--config", tmp_path / "kit.toml")
    assert done.returncode == 2
    assert "--config" in done.stderr


def test_a_workspace_that_cannot_be_opened_ends_2() -> None:
    done = kit("mcp", "--root", "nosuch://x")
    assert done.returncode == 2
    assert "workspace" in done.stderr


def test_other_commands_do_not_import_the_sdk_and_say_how_to_get_it() -> None:
    code = (
        "import sys\n"
        "import artifact_kit.hosts.cli\n"
        "assert 'mcp' not in sys.modules and 'uvicorn' not in sys.modules\n"
        "from artifact_kit.hosts.mcp import command\n"
        "command.find_spec = lambda name: None\n"
        "sys.argv = ['artifact-kit', 'mcp']\n"
        "artifact_kit.hosts.cli.main()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "pip install 'artifact-kit[mcp]'" in done.stderr


def test_the_lines_that_add_it_to_a_client_start_the_command() -> None:
    rows = re.findall(r"^\| (\w[\w ]*)(?:, in .+)? \| `(.*)` \|$", TEXT, re.MULTILINE)
    lines = {client: line for client, line in rows if "artifact-kit" in line}
    assert set(lines) == {"Claude Code", "Codex", "Cursor", "VS Code"}
    for client, line in lines.items():
        words = shlex.split(line) if not line.startswith("{") else [line]
        if words[-1].startswith("{"):
            found = json.loads(words[-1])
            server = found.get("mcpServers", {}).get("artifact-kit", found)
            words = ["--", server["command"], *server["args"]]
        assert words[words.index("--") + 1 :] == ["artifact-kit", "mcp"], client
