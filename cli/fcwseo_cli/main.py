"""The entry point. Commands are imported inside ``main``, so that Ctrl-C is also handled while they load."""

import sys

INTERRUPTED = 11


def main() -> None:
    """Run the command line."""
    try:
        from fcwseo_cli.commands import run
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        sys.exit(INTERRUPTED)
    run()
