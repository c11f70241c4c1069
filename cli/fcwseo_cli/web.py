"""``fcwseo web``: what a web holds, and making, importing and serving one."""

from pathlib import Path
from typing import Annotated

import typer

from fcwseo.webs.generated import GeneratedWeb
from fcwseo.webs.opening import describe, import_web, make_web, open_web
from fcwseo.webs.serve import logged, make_server
from fcwseo_cli.output import Ticker, print_json, print_table, say, say_passed_over

app = typer.Typer(no_args_is_help=True, help="Look at, make, import and serve webs.")

WebName = Annotated[
    str, typer.Argument(metavar="WEB", help="A folder, a .warc.gz, a .wacz, or generated-PAGES-SEED.")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.command()
def info(web: WebName, json: Json = False) -> None:
    """Say how many pages, hosts, links and labels a web has."""
    ticker = Ticker()
    opened = open_web(web, progress=lambda n: ticker(lambda: f"parsing {web} once: {n:,} pages"))
    facts = describe(opened, progress=lambda n: ticker(lambda: f"reading {web}: {n:,} pages"))
    ticker.close()
    say_passed_over(opened.problems)
    if json:
        print_json(facts)
        return
    print_table(("what", "count"), [(key, f"{facts[key]:,}") for key in ("pages", "hosts", "links")])
    print_table(
        ("label", "pages"), [(label, f"{count:,}") for label, count in list(facts["labels"].items())[:20]]
    )


@app.command()
def make(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The folder to write.")],
    pages: Annotated[int, typer.Option(min=14, help="How many pages.")] = 10_000,
    seed: Annotated[int, typer.Option(help="The same seed gives the same web.")] = 0,
) -> None:
    """Write a generated web as a frozen one."""
    ticker = Ticker()
    make_web(GeneratedWeb(seed, pages), out, progress=lambda n: ticker(lambda: f"{n:,} of {pages:,} pages"))
    ticker.close()
    say(f"wrote {pages:,} pages to {out}")


@app.command("import")
def import_(
    source: Annotated[
        Path, typer.Argument(metavar="SRC", help="A .warc.gz, a .wacz, a folder of HTML, a mirror.")
    ],
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The folder to write.")],
    base: Annotated[
        str | None, typer.Option(help="The address that the files of a folder lie below.")
    ] = None,
) -> None:
    """Make a frozen web of an archive, a folder of HTML files or the mirror of a site."""
    ticker = Ticker()
    problems = import_web(source, out, base=base, progress=lambda n: ticker(lambda: f"{n:,} records"))
    ticker.close()
    say_passed_over(problems)
    say(f"wrote {out}; passed over {len(problems)}")


@app.command()
def serve(
    web: WebName,
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes any free one.")] = 8000,
    log: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Append a line of JSON for each request.")
    ] = None,
) -> None:
    """Serve a web as real HTTP on 127.0.0.1; hosts are told apart by the Host header."""
    with logged(log) as tell, make_server(open_web(web), port, log=tell) as server:
        say(f"serving {web} on http://127.0.0.1:{server.server_port} (Ctrl-C ends it)")
        server.serve_forever()
