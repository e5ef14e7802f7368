"""`artifact-kit browser`: which Chromium, and how it is confined."""

import anyio
import click

from artifact_kit.browser import Chromium, Launcher, Layer, provide
from artifact_kit.errors import Failure
from artifact_kit.hosts.exits import NoBrowser
from artifact_kit.hosts.options import which_browser
from artifact_kit.limits import Limits
from artifact_kit.preview.policy import LAYERS


@click.command()
@click.option("--install", is_flag=True, help="Install one where there is none.")
@which_browser
def browser(install: bool, setting: str | None) -> None:
    """Say which Chromium is used and how it is confined.

    Ends 3 when there is none, or when it does not start.
    """
    try:
        chromium, version, layers = anyio.run(_look, setting, install)
    except Failure as failure:
        raise NoBrowser(failure.message) from failure
    click.echo(f"{chromium.kind} {version} ({chromium.source})")
    click.echo(chromium.executable or chromium.endpoint)
    click.echo("\nconfinement:")
    for layer in layers:
        click.echo(_line(layer))


async def _look(setting: str | None, install: bool) -> tuple[Chromium, str, tuple[Layer, ...]]:
    chromium = await provide(setting, install=install)
    async with Launcher(chromium, memory_bytes=Limits().page_memory_bytes) as launcher:
        running = await launcher.launch()
        around = tuple(Layer(name, True, does) for name, does in LAYERS)
        return chromium, running.browser.version, (*launcher.layers(), *around)


def _line(layer: Layer) -> str:
    switch = click.style("on ", fg="green") if layer.on else click.style("off", fg="yellow")
    return f"  {switch}  {layer.name:<18}  {layer.detail}"
