"""What a server is set up with: flags, environment and config file under the same names."""

from __future__ import annotations

import ipaddress
import tomllib
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit
from urllib.request import url2pathname

import click

from artifact_kit.errors import ToolError
from artifact_kit.limits import Limits
from artifact_kit.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

READ_CHARS = 60_000
"""Longest text of one read: clients cut a result at about 25,000 tokens."""

Group = Literal["files", "preview"]
Structured = Literal["auto", "always", "never"]


@dataclass(frozen=True)
class Address:
    """Where HTTP is served."""

    host: str
    port: int

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine reaches it."""
        return is_loopback(self.host)


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Everything that a server is told."""

    root: str = "."
    mounts: Mapping[str, str]
    read_only_mounts: Mapping[str, str]
    limits: Limits
    groups: frozenset[Group] = frozenset({"files", "preview"})
    read_only: bool = False
    split: bool = False
    images: Literal["include", "omit"] = "include"
    structured: Structured = "auto"
    http: Address | None = None
    token: str = ""
    hosts: frozenset[str] = frozenset()
    browser: str | None = None
    install: bool = True

    def workspace(self) -> Workspace:
        """The storage that these settings name.

        Raises:
            click.UsageError: It can't be opened.
        """
        places: dict[str, Any] = {"": (self.root, {"read_only": self.read_only})}
        places |= {name: (url, {"read_only": self.read_only}) for name, url in self.mounts.items()}
        places |= {name: (url, {"read_only": True}) for name, url in self.read_only_mounts.items()}
        try:
            return Workspace.mounted(places)
        except (ToolError, ValueError, ImportError, OSError) as error:
            raise click.UsageError(f"The workspace cannot be opened: {error}") from error

    @property
    def folder(self) -> Path | None:
        """The folder of this machine that is the workspace's root, when it is one."""
        return local_folder(self.root)


def local_folder(url: str) -> Path | None:
    """The folder that a path or a `file:` URL names; None for any other storage."""
    if "://" not in url and not url.startswith("file:"):
        return Path(url).resolve()
    parts = urlsplit(url)
    if parts.scheme != "file" or parts.netloc not in ("", "localhost"):
        return None
    return Path(url2pathname(parts.path)).resolve()


def is_loopback(host: str) -> bool:
    """Whether a host name or address is this machine's own, by its letters alone."""
    host = host.strip("[]")
    if host.casefold() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def address(text: str) -> Address:
    """`127.0.0.1:8765`, `[::1]:8765`, or a port alone, which is loopback.

    Raises:
        click.BadParameter: It is none of these.
    """
    host, colon, port = text.rpartition(":")
    host = host.strip("[]") if colon else "127.0.0.1"
    if not (host and port.isdecimal() and int(port) < 65536):
        raise click.BadParameter(f"{text!r} is not HOST:PORT.", param_hint="--http")
    return Address(host, int(port))


def mounts(given: Sequence[str], flag: str) -> dict[str, str]:
    """Mount point → URL.

    Raises:
        click.BadParameter: One is not NAME=URL.
    """
    return dict(_pairs(given, flag, "NAME=URL"))


def limits(given: Sequence[str]) -> Limits:
    """The limits in force, of which `given` names some.

    Raises:
        click.BadParameter: There is no such limit, or it cannot have this value.
    """
    kinds = {each.name: type(each.default) for each in fields(Limits)}
    chosen: dict[str, Any] = {"read_chars": READ_CHARS}
    for name, value in _pairs(given, "--limit", "NAME=NUMBER"):
        if name not in kinds:
            raise click.BadParameter(f"there is no limit {name!r}.", param_hint="--limit")
        try:
            chosen[name] = _limit(kinds[name], value)
            Limits(**chosen)
        except (ValueError, KeyError) as error:
            wrong = f"{name} cannot be {value!r}."
            raise click.BadParameter(wrong, param_hint="--limit") from error
    return Limits(**chosen)


def _limit(kind: type, value: str) -> object:
    if kind is bool:
        return {"true": True, "false": False}[value.lower()]
    return kind(value.replace("_", ""))


def _pairs(given: Sequence[str], flag: str, form: str) -> Iterator[tuple[str, str]]:
    for each in given:
        name, equals, value = each.partition("=")
        if not (name and equals and value):
            raise click.BadParameter(f"{each!r} is not {form}.", param_hint=flag)
        yield name.strip(), value.strip()


def read_config(context: click.Context, _: click.Parameter, path: Path | None) -> None:
    """Take what a config file says as the defaults of this command's options.

    Raises:
        click.BadParameter: It is not TOML, or has a name that no option has.
    """
    if path is None:
        return
    try:
        said = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise click.BadParameter(f"{path}: {error}", param_hint="--config") from error
    context.default_map = {**(context.default_map or {}), **_by_option(context.command, said)}


def _by_option(command: click.Command, said: Mapping[str, Any]) -> dict[str, Any]:
    options = {
        name.removeprefix("--"): option
        for option in command.params
        for name in option.opts
        if name.startswith("--")
    }
    found: dict[str, Any] = {}
    for name, value in said.items():
        option = options.get(name.replace("_", "-"))
        if option is None or option.name in (None, "config"):
            known = ", ".join(sorted(set(options) - {"config", "help"}))
            raise click.BadParameter(
                f"no option {name!r}; there are {known}", param_hint="--config"
            )
        found[str(option.name)] = _value(option, value)
    return found


def _value(option: click.Parameter, value: Any) -> Any:
    if isinstance(value, dict):
        return [f"{name}={each}" for name, each in value.items()]
    return [value] if option.multiple and not isinstance(value, list) else value
