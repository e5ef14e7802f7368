"""`artifact-kit mcp`: the tools as a server of the Model Context Protocol."""

from __future__ import annotations

import logging
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from artifact_kit.hosts.mcp import settings
from artifact_kit.hosts.mcp.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable

_PREFIX = "ARTIFACT_KIT_"


def _option(
    name: str, *parameters: str, **options: Any
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """An option that the environment also sets, under the same name."""
    variable = _PREFIX + name.removeprefix("--").replace("-", "_").upper()
    return click.option(name, *parameters, envvar=variable, **options)


@click.command(short_help="Serve the tools to an agent over MCP.")
@click.option(
    "--config",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    envvar=f"{_PREFIX}CONFIG",
    is_eager=True,
    expose_value=False,
    callback=settings.read_config,
    help="A TOML file whose names are those of the options below.",
)
@_option("--root", default=".", show_default=True, metavar="URL", help="The workspace.")
@_option(
    "--mount", "mounts", multiple=True, metavar="NAME=URL", help="A storage as a folder of it."
)
@_option(
    "--read-only-mount",
    "read_only_mounts",
    multiple=True,
    metavar="NAME=URL",
    help="The same, for reading only.",
)
@_option(
    "--limit",
    "limits",
    multiple=True,
    metavar="NAME=NUMBER",
    help="A number of the README's table. [default: read_chars=60000]",
)
@_option(
    "--tools",
    "groups",
    multiple=True,
    type=click.Choice(["files", "preview"]),
    help="Only these tools. [default: all]",
)
@_option("--read-only", is_flag=True, help="No tool that writes; the workspace is not writable.")
@_option(
    "--split",
    is_flag=True,
    help="One tool for each operation, for clients that approve by the name of a tool.",
)
@_option(
    "--images",
    type=click.Choice(["include", "omit"]),
    default="include",
    show_default=True,
    help="Whether pictures are part of an answer, or only told of.",
)
@_option(
    "--structured",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    help="Whether answers have a structured part: auto leaves it out for clients that would "
    "show it to the model in place of the text.",
)
@_option(
    "--http",
    metavar="HOST:PORT",
    help="Serve streamable HTTP at /mcp there, in place of standard input and output.",
)
@_option(
    "--token",
    metavar="TOKEN",
    help="Ask for it as a bearer token. A must when HOST is not this machine's loopback.",
)
@_option(
    "--allow-host",
    "hosts",
    multiple=True,
    metavar="NAME",
    help="Another name under which HTTP clients may reach the server.",
)
@_option(
    "--browser", "setting", metavar="PATH|URL", help="A Chromium, or a remote one's CDP address."
)
@_option(
    "--no-browser-install",
    "no_install",
    is_flag=True,
    help="Never install a browser where there is none.",
)
def mcp(**given: Any) -> None:
    """Serve the tools over MCP, on standard input and output or over HTTP.

    The environment (ARTIFACT_KIT_ROOT, …) and a config file set the same names; a flag counts more
    than the environment, and the environment more than the file.
    """
    told = chosen(**given)
    if find_spec("mcp") is None:
        raise click.ClickException("The MCP SDK is missing: pip install 'artifact-kit[mcp]'")
    # It takes longer to import than everything else together.
    from artifact_kit.hosts.mcp.serving import serve

    logging.basicConfig(format="artifact-kit: %(message)s", level=logging.WARNING)
    raise SystemExit(serve(told))


def chosen(
    *,
    mounts: Any,
    read_only_mounts: Any,
    limits: Any,
    groups: Any,
    http: str | None,
    token: str | None,
    hosts: Any,
    setting: str | None,
    no_install: bool,
    **plain: Any,
) -> Settings:
    """The settings that the options mean.

    Raises:
        click.UsageError: They mean nothing.
    """
    address = settings.address(http) if http else None
    if address and not address.is_loopback and not token:
        raise click.UsageError(
            f"{address.host} is not loopback: others may reach it, so --token is needed."
        )
    return Settings(
        mounts=settings.mounts(mounts, "--mount"),
        read_only_mounts=settings.mounts(read_only_mounts, "--read-only-mount"),
        limits=settings.limits(limits),
        groups=frozenset(groups or ("files", "preview")),
        http=address,
        token=token or "",
        hosts=frozenset(name.casefold() for name in (*hosts, *([address.host] if address else ()))),
        browser=setting,
        install=not no_install,
        **plain,
    )
