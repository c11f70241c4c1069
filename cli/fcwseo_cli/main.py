"""The way in. The commands are imported inside, so that Ctrl-C is heard from the first moment on."""

import sys
from typing import NoReturn

_INTERRUPTED = 11


def main() -> None:
    try:
        from fcwseo_cli.commands import run
    except KeyboardInterrupt:
        interrupted()
    run()


def interrupted() -> NoReturn:
    print("interrupted", file=sys.stderr)
    sys.exit(_INTERRUPTED)
