"""The command line: one file for each command."""

import io
import sys

import click

from artifact_kit.hosts.approve import approve
from artifact_kit.hosts.browser import browser
from artifact_kit.hosts.check import check
from artifact_kit.hosts.demo import demo
from artifact_kit.hosts.mcp import mcp
from artifact_kit.hosts.merge import merge
from artifact_kit.hosts.open import open_page
from artifact_kit.hosts.run import run
from artifact_kit.hosts.shot import shot


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="artifact-kit", message="%(prog)s %(version)s")
def commands() -> None:
    """A workspace for AI agents, and eyes on the web pages they make."""


for command in (demo, run, mcp, open_page, shot, check, approve, merge, browser):
    commands.add_command(command)


def main() -> None:
    """The `artifact-kit` command."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal may not know every character
            stream.reconfigure(errors="replace")
    commands(prog_name="artifact-kit")
