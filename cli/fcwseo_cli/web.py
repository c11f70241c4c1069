"""``fcwseo web``: describe, make, import and serve webs."""

from pathlib import Path
from typing import Annotated

import typer

from fcwseo.webs.generated import GeneratedWeb
from fcwseo.webs.opening import describe, import_web, make_web, open_web
from fcwseo.webs.serve import logged, make_server
from fcwseo_cli.output import Ticker, print_json, print_table, say, say_skipped

app = typer.Typer(no_args_is_help=True, help="Describe, make, import and serve webs.")

WebName = Annotated[
    str, typer.Argument(metavar="WEB", help="A folder, a .warc.gz, a .wacz, or generated-PAGES-SEED.")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.command()
def info(web: WebName, json: Json = False) -> None:
    """Count the pages, hosts, links and labels of a web."""
    ticker = Ticker()
    opened = open_web(web, progress=lambda n: ticker(lambda: f"parsing {web} once: {n:,} pages"))
    facts = describe(opened, progress=lambda n: ticker(lambda: f"reading {web}: {n:,} pages"))
    ticker.close()
    say_skipped(opened.problems)
    if json:
        print_json(facts)
        return
    print_table(("what", "count"), [(key, f"{facts[key]:,}") for key in ("pages", "hosts", "links")])
    print_table(
        ("label", "pages"), [(label, f"{count:,}") for label, count in list(facts["labels"].items())[:20]]
    )


@app.command()
def make(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="Folder to write.")],
    pages: Annotated[int, typer.Option(min=14, help="Number of pages.")] = 10_000,
    seed: Annotated[
        int, typer.Option(help="Seed of the random numbers; the same seed gives the same web.")
    ] = 0,
) -> None:
    """Generate a web and store it as a frozen web."""
    ticker = Ticker()
    make_web(GeneratedWeb(seed, pages), out, progress=lambda n: ticker(lambda: f"{n:,} of {pages:,} pages"))
    ticker.close()
    say(f"wrote {pages:,} pages to {out}")


@app.command("import")
def import_(
    source: Annotated[
        Path,
        typer.Argument(metavar="SRC", help="A .warc.gz, a .wacz, a folder of HTML files, or a site mirror."),
    ],
    out: Annotated[Path, typer.Argument(metavar="OUT", help="Folder to write.")],
    base: Annotated[
        str | None, typer.Option(metavar="URL", help="URL that the files of a folder are relative to.")
    ] = None,
) -> None:
    """Import an archive, HTML files or a site mirror as a frozen web."""
    ticker = Ticker()
    problems = import_web(source, out, base=base, progress=lambda n: ticker(lambda: f"{n:,} records"))
    ticker.close()
    say_skipped(problems)
    say(f"wrote {out}; skipped {len(problems)} records")


@app.command()
def serve(
    web: WebName,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port to listen on; 0 picks a free one.")
    ] = 8000,
    log: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Append a line of JSON for each request.")
    ] = None,
) -> None:
    """Serve a web over HTTP on 127.0.0.1.

    The Host header of a request selects the host.
    """
    with logged(log) as tell, make_server(open_web(web), port, log=tell) as server:
        say(f"serving {web} on http://127.0.0.1:{server.server_port} (Ctrl-C stops it)")
        server.serve_forever()
