"""``fcwseo crawl``, ``recrawl``, ``status``, ``repair`` and ``config``."""

import dataclasses
import os
import signal
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from fcwseo.crawling import repair as repairing
from fcwseo.crawling.engine import Stop
from fcwseo.crawling.fit import UNFIT
from fcwseo.crawling.plan import MOST_PAGES
from fcwseo.crawling.rehearsal import rehearsal_of
from fcwseo.crawling.run_directory.run_file import read_run_file
from fcwseo.crawling.run_directory.status import summary
from fcwseo.crawling.seeds import gather_seeds
from fcwseo.crawling.settings import POLITE_WIDTH, Settings, load_settings
from fcwseo.door.crawls import carry_out, live_only, refuse_nothing
from fcwseo.errors import InvalidInput, InvalidRun
from fcwseo.live.unexpected import NAME as ERRORS
from fcwseo.pages import Why
from fcwseo.relevance.topicality import stands_out
from fcwseo.uses.preview import first_links
from fcwseo.webs.opening import open_web
from fcwseo.webs.protocol import ClosedWeb
from fcwseo_cli.live_options import (
    AllowPrivate,
    ConnectTo,
    Contact,
    Delay,
    Latency,
    MaxTime,
    Rehearse,
    Width,
)
from fcwseo_cli.output import Ticker, escaped, print_json, print_table, say, say_skipped
from fcwseo_ontology.load import load_topic
from fcwseo_ontology.topic import Topic

_EXIT = {
    Stop.BUDGET: 0,
    Stop.EXHAUSTED: 0,
    Stop.INTERRUPTED: 11,
    Stop.FORCED: 13,
    Stop.SPACE: 3,
    Stop.SIZE: 14,
    Stop.TIME: 15,
}
_MOST_LOST = 5  # lost visits that a repair prints; --json has more

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
ConfigFile = Annotated[
    Path | None, typer.Option("--config", metavar="FILE.toml", help="Settings; options take precedence.")
]


def crawl(
    topic: Annotated[
        str,
        typer.Option(
            metavar="FILE", help="An ontology, a shipped topic (rainstorm), or a JSON file of weighted words."
        ),
    ],
    seeds: Annotated[
        list[str], typer.Option(metavar="FILE|URL", help="A seeds file or a seed URL; repeatable.")
    ],
    out: Annotated[Path, typer.Option(metavar="RUN", help="Run directory; an existing run is continued.")],
    web: Annotated[
        str | None,
        typer.Option(
            metavar="WEB",
            help="A folder, a .warc.gz, a .wacz, or generated-PAGES-SEED.  [default: the live web]",
        ),
    ] = None,
    max_pages: Annotated[
        int | None, typer.Option(min=1, max=MOST_PAGES, help="Number of pages to visit.  [default: 1000]")
    ] = None,
    strategy: Annotated[
        str | None, typer.Option(help="Name of a strategy, or FILE.py:NAME.  [default: fcwseo]")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of the random numbers.  [default: 0]")] = None,
    seed_set: Annotated[
        int | None,
        typer.Option(min=1, help="Number of the seed set, if the seeds file has several.  [default: 1]"),
    ] = None,
    width: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Number of concurrent fetches.  [default: 32 on the live web and in a rehearsal, on the "
            "archive of a crawl the same as there, else 1]",
        ),
    ] = None,
    patience: Annotated[
        float | None,
        typer.Option(
            min=0,
            max=1,
            help="From 0 (any host that may be asked) to 1 (only ever the best link), without --max-time.  "
            "[default: 0.8]",
        ),
    ] = None,
    eta: Annotated[
        float | None,
        typer.Option(min=0, max=1, help="Relevance from which a page is kept.  [default: running threshold]"),
    ] = None,
    relevance: Annotated[
        str | None,
        typer.Option(
            metavar="NAME|FILE.py:NAME", help="How the relevance of pages is judged.  [default: topical]"
        ),
    ] = None,
    text_extractor: Annotated[
        str | None,
        typer.Option(
            metavar="own|trafilatura", help="What makes the Markdown of kept pages.  [default: own]"
        ),
    ] = None,
    contact: Contact = None,
    allow_private: AllowPrivate = None,
    connect_to: ConnectTo = None,
    proxy: Annotated[
        str | None,
        typer.Option(metavar="URL", help="An HTTP proxy for all requests, as in http://HOST:3128."),
    ] = None,
    delay: Delay = None,
    rehearse: Rehearse = False,
    latency: Latency = None,
    same_domain: Annotated[
        bool | None,
        typer.Option("--same-domain", help="Fetch only pages of the domains of the seeds, without www."),
    ] = None,
    allowed_domain: Annotated[
        list[str] | None,
        typer.Option(metavar="D", help="Fetch only pages of this domain and its subdomains; repeatable."),
    ] = None,
    max_depth: Annotated[
        int | None, typer.Option(min=0, help="Follow no links of pages at this depth; seeds are at depth 0.")
    ] = None,
    include: Annotated[
        list[str] | None,
        typer.Option(metavar="RE", help="Fetch only URLs that match; repeatable."),
    ] = None,
    exclude: Annotated[
        list[str] | None,
        typer.Option(metavar="RE", help="Fetch no URL that matches; repeatable."),
    ] = None,
    max_time: MaxTime = None,
    max_bytes: Annotated[
        str | None, typer.Option(metavar="B", help="Stop after this many bytes (500M, 2G; 0: no limit).")
    ] = None,
    retry_failed: Annotated[
        bool,
        typer.Option(
            "--retry-failed",
            help="Continuing a live crawl, first ask again for links whose hosts did not answer.",
        ),
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="List the URLs that would be fetched first; fetch nothing.")
    ] = False,
    config: ConfigFile = None,
    json: Json = False,
) -> None:
    """Crawl a web for pages on a topic, or continue a crawl.

    The same command again continues an interrupted crawl. A larger --max-pages extends a finished one.
    """
    given = {
        "strategy": strategy,
        "max_pages": max_pages,
        "seed": seed,
        "seed_set": seed_set,
        "width": width,
        "patience": patience,
        "eta": eta,
        "relevance": relevance,
        "text_extractor": text_extractor,
        "max_depth": max_depth,
    }
    live = {
        "contact": contact,
        "allow_private": allow_private,
        "connect_to": connect_to,
        "proxy": proxy,
        "delay": None if rehearse else delay,
        "same_domain": same_domain,
        "allowed_domain": allowed_domain or None,
        "include": include or None,
        "exclude": exclude or None,
        "max_time": max_time,
        "max_bytes": max_bytes,
    }
    times = rehearsal_of(rehearse, delay=delay, latency=latency) or {}
    settings = load_settings(config, given={"crawl": given, "live": live, "rehearsal": times})
    if rehearse and web is None:
        raise InvalidInput("--rehearse needs a closed web: give --web, or omit --rehearse")
    if web is not None and (idle := live_only(live)):
        more = ", or give --rehearse" if idle == "delay" else ""
        option = idle.replace("_", "-")
        raise InvalidInput(f"--{option} applies to the live web only: omit it, or omit --web{more}")
    words = load_topic(topic)
    start = gather_seeds(seeds, seed_set=settings.crawl.seed_set)
    if dry_run:
        _preview(settings, words, start, out, json=json)
        return
    _end_at_second_interrupt(out)
    ticker = Ticker()
    closed = None if web is None else _open(web, ticker)
    result = carry_out(
        closed,
        settings,
        words,
        start,
        out,
        rehearse=rehearse,
        retry_failed=retry_failed,
        progress=lambda now: ticker(lambda: str(now), now.facts),
    )
    ticker.close()
    if result.counts["pages"] > settings.crawl.max_pages:
        say(f"{out} already has more than {settings.crawl.max_pages} pages, nothing to do: raise --max-pages")
    took = f"{result.seconds:.1f} {'virtual s' if rehearse else 's'}"
    say(
        f"stopped: {result.stop} after {result.counts['pages']:,} pages in {took}; {out}",
        {
            "event": "stop",
            "stop": str(result.stop),
            "seconds": result.seconds,
            "run": str(out),
            **result.counts,
        },
    )
    _print_summary(out, json=json)
    refuse_nothing(result, start, out)
    raise typer.Exit(_EXIT[result.stop])


def _end_at_second_interrupt(out: Path) -> None:
    """Let Ctrl-C end the process at once when it comes after the end of an interrupted crawl was written."""
    begun = time.time_ns()

    def end(number: int, frame: object) -> None:
        with suppress(OSError, InvalidRun):
            is_ours = (out / "run.json").stat().st_mtime_ns > begun
            if is_ours and read_run_file(out).stop in (Stop.INTERRUPTED, Stop.FORCED):
                os._exit(_EXIT[Stop.FORCED])
        raise KeyboardInterrupt

    with suppress(ValueError):  # in another thread, where no signal arrives
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, end)


def _open(name: str, ticker: Ticker) -> ClosedWeb:
    web = open_web(name, progress=lambda n: ticker(lambda: f"parsing {name} once: {n:,} pages"))
    say_skipped(web.problems)
    return web


def _preview(settings: Settings, topic: Topic, seeds: Sequence[str], out: Path, *, json: bool) -> None:
    """Print the URLs that a crawl would fetch first; for an existing run, print its status."""
    if (out / "run.json").exists():
        _print_summary(out, json=json)
        return
    links = first_links(settings, topic, seeds)
    if json:
        print_json([dataclasses.asdict(link) for link in links])
    else:
        print_table(("url", "refused"), [(link.url, link.refused) for link in links])


def _print_summary(path: Path, *, json: bool) -> None:
    status = summary(path)
    facts = msgspec.to_builtins(status)
    if facts["counts"]["pages"] and not facts["average_relevance"]:
        say(f"no page is relevant to the topic {facts['topic']!r}: see what matches with `fcwseo topic test`")
    elif status["seeds"] is not None and not stands_out(status["seeds"]):
        say(UNFIT)
    if failed := facts["counts"].get(Why.INTERNAL):
        say(f"{failed} links failed by unexpected errors of fcwseo: please report {path / ERRORS}")
    if json:
        print_json(facts)
        return
    found = facts["calibration"]
    hosts = ", ".join(f"{name} ({links} links)" for name, links in facts["left_alone"].items())
    flat = {**facts, **facts["counts"], "eta": f"{found['eta']:.3f} ({found['method']})"}
    flat["left_alone"] = hosts or "no host"
    flat |= {name: str(status[name] or "no page") for name in ("seeds", "kept")}
    if "chosen_by" in facts:
        flat["chosen_by"] = ", ".join(f"{rule} ({pages} pages)" for rule, pages in facts["chosen_by"].items())
    if running := flat.pop("running"):
        flat["stop"] = f"not yet: {_running(running)}"
    elif flat["stop"] is None:
        flat["stop"] = "killed, or ended by an error"
    rows = [(key, value) for key, value in flat.items() if key not in ("counts", "calibration")]
    print_table(("run", str(path)), rows)


def _running(state: Mapping[str, Any]) -> str:
    """What a running crawl does, as one line."""
    if state["since"] is None:
        return "another process works on it"
    since = datetime.fromisoformat(state["since"]).astimezone().strftime("%Y-%m-%d %H:%M:%S")
    line = f"running since {since} (process {state['pid']}), {state['pages_a_minute']} pages a minute"
    if state["seconds_left"] is not None:
        line += f", about {timedelta(seconds=state['seconds_left'])} left"
    return f"{line}; {state['waiting_for']}" if state["waiting_for"] else line


def recrawl(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Run directory of a live crawl.")],
    out: Annotated[Path, typer.Option(metavar="AGAIN", help="Run directory of the recrawl.")],
    width: Width = None,
    contact: Contact = None,
    allow_private: AllowPrivate = None,
    connect_to: ConnectTo = None,
    delay: Delay = None,
    max_time: MaxTime = None,
    config: ConfigFile = None,
    json: Json = False,
) -> None:
    """Fetch the kept pages of a crawl again and list the changes."""
    from fcwseo.uses import recrawl  # imported here: other commands need no network client

    live = {
        "contact": contact,
        "allow_private": allow_private,
        "connect_to": connect_to,
        "delay": delay,
        "max_time": max_time,
    }
    settings = load_settings(config, given={"crawl": {"width": width}, "live": live})
    ticker = Ticker()
    result = recrawl.recrawl(
        run,
        out,
        settings.live,
        width=settings.crawl.width or POLITE_WIDTH,
        limits=settings.traps,
        progress=lambda run, web: ticker(lambda: f"{run.visits:,} pages requested; {web.why_waiting()}"),
    )
    ticker.close()
    found = recrawl.changes(run, out)
    if json:
        print_json([change._asdict() for change in found])
    else:
        print_table(("page", "since then"), [(change.url, change.change) for change in found])
    listed = ", ".join(f"{count} {change}" for change, count in recrawl.counted(found).items())
    say(f"stopped: {result.stop}; {listed or 'no page was requested'}")
    raise typer.Exit(_EXIT[result.stop])


def status(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Run directory.")], json: Json = False
) -> None:
    """Show how far a crawl is, why it stopped, and what is next."""
    _print_summary(run, json=json)


def repair(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Run directory.")],
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what is whole and what is lost; change nothing.")
    ] = False,
    json: Json = False,
) -> None:
    """Save what is whole of a damaged run.

    The log is cut back to the visit before the first damage, so that the same crawl command continues it.
    What is whole behind it is copied to RUN/saved.
    """
    found = repairing.repair(run, dry_run=dry_run)
    if json:
        print_json(msgspec.to_builtins(found))
        return
    saved = ", ".join(f"{count} {what}" for what, count in found.saved.items())
    rows = [
        ("whole", f"{found.visits} of {found.of} visits"),
        *(("damage", damage) for damage in found.damage),
        *([("saved", f"{saved} in {found.folder}")] if found.folder else []),
        *(("lost", where) for where in found.lost[:_MOST_LOST]),
        *([("lost visits", found.lost_visits)] if found.lost_visits else []),
    ]
    print_table(("run", str(run)), rows)
    if not found.damage and found.visits == found.of:
        say(f"{run} is whole: nothing to repair")
    elif dry_run:
        say(f"nothing was changed; without --dry-run, {run} goes on from visit {found.visits + 1}")
    else:
        say(f"the same crawl command continues {run} from visit {found.visits + 1}")


config_app = typer.Typer(no_args_is_help=True, help="Show the settings in force.")


@config_app.command("show")
def show(config: ConfigFile = None, json: Json = False) -> None:
    """Print the settings in force: defaults, file, environment.

    The output is a TOML file that --config reads.
    """
    settings = msgspec.to_builtins(load_settings(config))
    if json:
        print_json(settings)
        return
    for section, keys in settings.items():
        print(f"[{section}]")
        for key, value in keys.items():
            unset = "# " if value is None else ""  # TOML has no null
            print(f"{unset}{key} = {escaped(msgspec.json.encode(value).decode())}")


@config_app.callback()
def _config() -> None:
    """Show the settings in force."""
