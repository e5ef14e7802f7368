"""The command line as a whole, and what it says of the browser."""

from __future__ import annotations

import re

import pytest

from tests.hosts.command import kit

COMMANDS = ["approve", "browser", "check", "demo", "mcp", "merge", "open", "run", "shot"]


def test_help_names_the_commands_that_are_there() -> None:
    done = kit("--help")
    listed = done.stdout.partition("Commands:\n")[2]
    assert re.findall(r"^  (\w+)", listed, re.MULTILINE) == COMMANDS
    assert done.returncode == 0


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_explains_itself(command: str) -> None:
    done = kit(command, "-h")
    assert done.returncode == 0
    assert done.stdout.startswith(f"Usage: artifact-kit {command}")


def test_an_unknown_command_ends_2() -> None:
    assert kit("fly").returncode == 2


def test_the_version_is_the_package_version() -> None:
    assert re.fullmatch(r"artifact-kit \d+\.\d+\.\d+\n", kit("--version").stdout)


def test_the_browser_in_use_and_each_layer_around_it_are_named() -> None:
    done = kit("browser")
    assert done.returncode == 0
    assert re.match(r"(headless-shell|chromium) \d+\.\d+\.\d+\.\d+ \(.+\)\n/", done.stdout)
    layers = re.findall(r"^  (?:on |off)  (.{18})  \S", done.stdout, re.MULTILINE)
    assert [layer.strip() for layer in layers] == [
        "renderer sandbox",
        "unprivileged user",
        "network namespace",
        "file system",
        "launch switches",
        "tied to its parent",
        "memory cap",
        "own origin",
        "page policy",
        "interception",
    ]


def test_a_program_that_is_no_browser_ends_3() -> None:
    done = kit("browser", "--browser", "/bin/false")
    assert done.returncode == 3
    assert "does not start" in done.stderr
