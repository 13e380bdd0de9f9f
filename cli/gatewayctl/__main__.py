"""The command line: one module a subcommand, imported only when it is asked for."""

from __future__ import annotations

import os
import stat
import sys

_OBJECTS = 200_000
"""How many new objects there are before the first look for garbage: policies are large, and commands are short."""


def main() -> None:
    """Run the command line of this process."""
    arguments = sys.argv[1:]
    if arguments[:1] == ["hook"] and not _asks_for_help(arguments):
        try:
            _own_modules_only()
            from gatewayctl.supervisor import run

            run(arguments[1:])
        except BaseException:  # the exit code below is the one that no host takes for a pass
            os.write(2, b"The gateway failed to start, so the call was refused.\n")
        finally:
            os._exit(2)
    import gc

    from gatewayctl.commands import cli

    gc.set_threshold(_OBJECTS)
    cli.main(prog_name="gatewayctl")


def _asks_for_help(arguments: list[str]) -> bool:
    """Whether a person reads about the hook; a hook that is installed with `--help` answers its host all the same."""
    return arguments == ["hook", "--help"] or (arguments[-1] in ("--help", "-h") and _nobody_writes())


def _nobody_writes() -> bool:
    """Whether standard input is a terminal or `/dev/null`, and not what a host writes its message to."""
    try:
        return stat.S_ISCHR(os.fstat(0).st_mode)
    except OSError:
        return False


def _own_modules_only() -> None:
    """Import nothing from where the agent works: not from the working directory, nor from PYTHONPATH."""
    before = list(sys.path)
    try:
        foreign = {os.path.realpath(p) for p in (".", *os.environ.get("PYTHONPATH", "").split(os.pathsep))}
    except OSError:
        # The directory is gone, and nothing can be imported from it.
        return
    home = os.path.realpath(os.path.dirname(os.path.dirname(__file__)))  # noqa: PTH120
    sys.path[:] = [p for p in before if os.path.realpath(p) == home or os.path.realpath(p) not in foreign]
    from importlib.util import find_spec

    if find_spec("gateway") is None:
        # It is run from its own source, which lies there.
        sys.path[:] = before


if __name__ == "__main__":
    main()
