"""``fcwseo crawl``, ``status``, ``demo`` and ``config``."""

import dataclasses
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from fcwseo.config import load_settings
from fcwseo.crawling import run_crawl
from fcwseo.demo import run_demo
from fcwseo.engine import Stop
from fcwseo.errors import InvalidInput
from fcwseo.frozen import FrozenWeb
from fcwseo.runlog import Run, summary
from fcwseo.seeds import gather_seeds
from fcwseo.webs import open_web
from fcwseo_cli.output import Ticker, print_json, print_table, say, say_passed_over
from fcwseo_ontology.load import load_topic

_EXIT = {Stop.BUDGET: 0, Stop.EXHAUSTED: 0, Stop.INTERRUPTED: 11, Stop.FORCED: 13}

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
ConfigFile = Annotated[
    Path | None, typer.Option("--config", metavar="FILE.toml", help="Settings; options count more.")
]


def crawl(
    topic: Annotated[
        str,
        typer.Option(
            metavar="FILE", help="An ontology, a shipped topic (rainstorm), or a JSON file of weighted words."
        ),
    ],
    seeds: Annotated[list[str], typer.Option(metavar="FILE|URL", help="Where to start; may be repeated.")],
    out: Annotated[
        Path, typer.Option(metavar="RUN", help="The run directory; one that exists is continued.")
    ],
    web: Annotated[
        str | None,
        typer.Option(metavar="WEB", help="A folder, a .warc.gz, a .wacz, or generated-PAGES-SEED."),
    ] = None,
    max_pages: Annotated[
        int | None, typer.Option(min=1, help="How many pages to visit.  [default: 1000]")
    ] = None,
    strategy: Annotated[str | None, typer.Option(help="How to choose links.  [default: fcwseo]")] = None,
    seed: Annotated[int | None, typer.Option(help="Of all chance.  [default: 0]")] = None,
    seed_set: Annotated[
        int | None, typer.Option(min=1, help="Which of a file's alternative seed sets.")
    ] = None,
    width: Annotated[int | None, typer.Option(min=1, help="Fetches in flight.  [default: 1]")] = None,
    eta: Annotated[
        float | None,
        typer.Option(min=0, max=1, help="Relevance from which a page is kept; without it, found on the way."),
    ] = None,
    config: ConfigFile = None,
    json: Json = False,
) -> None:
    """Crawl a web for a topic. The same command again continues the crawl; a larger budget extends it."""
    given = {"strategy": strategy, "max_pages": max_pages, "seed": seed, "seed_set": seed_set, "width": width}
    settings = load_settings(config, given={"crawl": given | {"eta": eta}}).crawl
    if web is None:
        raise InvalidInput("a crawl needs --web: crawling the live web is not there yet")
    words = load_topic(topic)
    start = gather_seeds(seeds, seed_set=settings.seed_set)
    ticker = Ticker()
    opened = open_web(web, progress=lambda n: ticker(lambda: f"parsing {web} once: {n:,} pages"))
    say_passed_over(opened.problems if isinstance(opened, FrozenWeb) else ())
    result = run_crawl(
        opened,
        words,
        start,
        out,
        max_pages=settings.max_pages,
        strategy=settings.strategy,
        seed=settings.seed,
        width=settings.width,
        eta=settings.eta,
        progress=lambda run: ticker(lambda: _progress(run, settings.max_pages)),
    )
    ticker.close()
    if result.counts["pages"] > settings.max_pages:
        say(f"{out} has more pages than --max-pages {settings.max_pages} already: nothing was done")
    say(f"stopped: {result.stop} after {result.counts['pages']:,} pages in {result.seconds:.1f} s; {out}")
    _print_summary(out, json=json)
    raise typer.Exit(_EXIT[result.stop])


def _progress(run: Run, budget: int) -> str:
    pages, relevant = run.counts["pages"], run.counts["relevant"]
    left = run.seconds / pages * (budget - pages) if pages else 0.0
    rate = relevant / pages if pages else 0.0
    return f"{pages:,} of {budget:,} pages, {relevant:,} relevant ({rate:.3f}), about {left:.0f} s left"


def _print_summary(path: Path, *, json: bool) -> None:
    facts = msgspec.to_builtins(summary(path))
    if json:
        print_json(facts)
        return
    found = facts["calibration"]
    flat = {**facts, **facts["counts"], "eta": f"{found['eta']:.3f} ({found['method']})"}
    rows = [(key, value) for key, value in flat.items() if key not in ("counts", "calibration")]
    print_table(("run", str(path)), rows)


def status(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A run directory.")], json: Json = False
) -> None:
    """Say how far a crawl is, why it stopped, and what continuing it would do."""
    _print_summary(run, json=json)


def demo(
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the runs go.")] = Path("demo"),
    json: Json = False,
) -> None:
    """Build an ontology, crawl the built-in web for rainstorms with each strategy, and compare."""
    rows = [dataclasses.asdict(row) for row in run_demo(out, progress=say)]
    if json:
        print_json(rows)
    else:
        columns = ("strategy", "pages", "relevant", "HR", "area", "recall", "AR", "SD", "hosts", "s")
        print_table(columns, [tuple(row.values()) for row in rows])
    say(f"relevance was judged by the labels of the web, which no crawler sees; the runs lie in {out}/,")
    say(f"the ontology that was built in {out}/ontology.html")


config_app = typer.Typer(no_args_is_help=True, help="Look at the settings.")


@config_app.command("show")
def show(config: ConfigFile = None, json: Json = False) -> None:
    """Print the settings in force: defaults, file, environment."""
    settings = msgspec.to_builtins(load_settings(config))
    if json:
        print_json(settings)
        return
    for section, keys in settings.items():
        print(f"[{section}]")
        for key, value in keys.items():
            unset = "# " if value is None else ""  # TOML has no word for nothing
            print(f"{unset}{key} = {msgspec.json.encode(value).decode()}")


@config_app.callback()
def _config() -> None:
    """Look at the settings."""
