"""Options that all commands share that use the live web."""

from typing import Annotated

import typer

Contact = Annotated[
    str | None, typer.Option(metavar="MAIL|URL", help="Who you are, for the operators of servers.")
]
AllowPrivate = Annotated[bool | None, typer.Option("--allow-private", help="Dial private addresses too.")]
ConnectTo = Annotated[
    str | None, typer.Option(metavar="ADDR:PORT", help="Dial this for every host, in plain HTTP.")
]
Delay = Annotated[float | None, typer.Option(min=0, help="Seconds between requests to a host.")]
MaxTime = Annotated[
    str | None, typer.Option(metavar="T", help="End after this time (90, 10m, 2h; 0: no limit).")
]
Width = Annotated[int | None, typer.Option(min=1, help="Fetches in flight.  [default: 1]")]
