"""The command line: one module a subcommand, imported only when it is asked for."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run the command line of this process."""
    arguments = sys.argv[1:]
    if arguments[:1] == ["hook"] and "--help" not in arguments:
        try:
            from gatewayctl.supervisor import run

            run(arguments[1:])
        except BaseException:  # the exit code below is the one that no host takes for a pass
            os.write(2, b"The gateway failed to start, so the call was refused.\n")
        finally:
            os._exit(2)
    from gatewayctl.commands import cli

    cli.main(prog_name="gatewayctl")


if __name__ == "__main__":
    main()
