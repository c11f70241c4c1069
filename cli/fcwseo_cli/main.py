"""The way in. The commands are imported inside, so that Ctrl-C is heard from the first moment on."""

import sys

INTERRUPTED = 11


def main() -> None:
    try:
        from fcwseo_cli.commands import run
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        sys.exit(INTERRUPTED)
    run()
