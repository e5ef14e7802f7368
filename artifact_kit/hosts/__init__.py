"""Where the kit is used: the command line, servers, tests."""


def main() -> None:
    """The `artifact-kit` command."""
    from artifact_kit.hosts import cli  # pytest's plugin does not need it

    cli.main()


__all__ = ("main",)
