"""Options shared by the commands that use the live web."""

from typing import Annotated

import typer

Contact = Annotated[
    str | None,
    typer.Option(
        metavar="MAIL|URL", help="Your address, sent to servers so that their operators can reach you."
    ),
]
AllowPrivate = Annotated[
    bool | None, typer.Option("--allow-private", help="Also connect to private IP addresses.")
]
ConnectTo = Annotated[
    str | None, typer.Option(metavar="ADDR:PORT", help="Connect to this address for every host, without TLS.")
]
Delay = Annotated[float | None, typer.Option(min=0, help="Seconds between requests to a host.")]
MaxTime = Annotated[
    str | None, typer.Option(metavar="T", help="Stop after this time (90, 10m, 2h; 0: no limit).")
]
Width = Annotated[int | None, typer.Option(min=1, help="Number of concurrent fetches.  [default: 32]")]
Rehearse = Annotated[
    bool, typer.Option("--rehearse", help="Crawl the closed web politely, on a virtual clock.")
]
Latency = Annotated[
    float | None,
    typer.Option(min=0, help="Median response time of a rehearsal, in seconds.  [default: 0.2]"),
]
