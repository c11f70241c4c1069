"""``fcwseo compare``, ``demo`` and ``report``."""

import webbrowser
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from fcwseo.comparison.compare import Comparison, Progress, compare
from fcwseo.comparison.experiment import MOST_REPEATS, TELLING, Experiment, make_experiment, read_experiment
from fcwseo.comparison.measures import MEASURES, measure_names, written
from fcwseo.comparison.report import report_comparison, report_run
from fcwseo.comparison.report.names import mark_notes, marked
from fcwseo.comparison.report.tables import headline, interval
from fcwseo.comparison.results import Results
from fcwseo.crawling.plan import MOST_PAGES
from fcwseo.crawling.rehearsal import times_of
from fcwseo.errors import InvalidInput, InvalidRun
from fcwseo.uses.demo import run_demo
from fcwseo_cli.live_options import Delay, Latency, MaxTime, Rehearse
from fcwseo_cli.output import Ticker, print_json_bytes, print_table, say

_INTERRUPTED = 11
_SHOWN = ("harvest_rate", "recall", "average_relevance", "sd", "hosts")
_HEADS = {"harvest_rate": "HR", "average_relevance": "AR", "sd": "SD"}


def _list_measures(named: str | None) -> str | None:
    if named != "list":
        return named
    rows = [(name, measure.meaning, measure.reference) for name, measure in MEASURES.items()]
    print_table(("measure", "meaning", "reference"), rows)
    raise typer.Exit


def compare_(
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Comparison directory; an existing comparison is continued.")
    ],
    experiment: Annotated[
        Path | None,
        typer.Argument(metavar="[EXPERIMENT.toml]", help="Experiment to run; options take precedence."),
    ] = None,
    web: Annotated[
        str | None,
        typer.Option(metavar="WEB", help="A folder, a .warc.gz, a .wacz, or generated-PAGES-SEED."),
    ] = None,
    topic: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="An ontology, a shipped topic (rainstorm), or a JSON file of weighted words."
        ),
    ] = None,
    seeds: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE|URL", help="A seeds file with all its seed sets, or a seed URL; repeatable."
        ),
    ] = None,
    strategies: Annotated[
        str | None,
        typer.Option(
            metavar="A,B,...",
            help=f"Strategies; all: every one; oracle reads the labels.  [default: {', '.join(TELLING)}]",
        ),
    ] = None,
    strategy: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME|FILE.py:NAME", help="One more strategy, also your own; repeatable."),
    ] = None,
    max_pages: Annotated[
        int | None,
        typer.Option(min=1, max=MOST_PAGES, help="Number of pages of each crawl.  [default: 1000]"),
    ] = None,
    repeats: Annotated[
        int | None,
        typer.Option(
            min=1, max=MOST_REPEATS, help="Number of crawls for each strategy and seed set.  [default: 1]"
        ),
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of the random numbers.  [default: 0]")] = None,
    relevant: Annotated[
        list[str] | None,
        typer.Option(metavar="LABEL", help="Pages with this label are relevant; repeatable."),
    ] = None,
    judge_topic: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Topic that judges pages without labels; crawlers do not see it."),
    ] = None,
    judge_eta: Annotated[
        float | None,
        typer.Option(min=0, max=1, help="Relevance to --judge-topic from which a page is relevant."),
    ] = None,
    eta: Annotated[
        float | None,
        typer.Option(
            min=0, max=1, help="Relevance from which a crawler keeps a page.  [default: running threshold]"
        ),
    ] = None,
    relevance: Annotated[
        str | None,
        typer.Option(
            metavar="NAME|FILE.py:NAME",
            help="How all strategies judge the relevance of pages.  [default: topical]",
        ),
    ] = None,
    width: Annotated[
        int | None,
        typer.Option(min=1, help="Number of concurrent fetches.  [default: 32 in a rehearsal, else 1]"),
    ] = None,
    rehearse: Rehearse = False,
    delay: Delay = None,
    latency: Latency = None,
    max_time: MaxTime = None,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Number of processes.  [default: one for each core]")
    ] = None,
    measures: Annotated[
        str | None,
        typer.Option(
            metavar="list|A,B,...",
            is_eager=True,
            callback=_list_measures,
            help="Measures in the printed table; 'list' prints all measures.",
        ),
    ] = None,
    trec: Annotated[bool, typer.Option("--trec", help="Also write TREC run and qrels files.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print results.json.")] = False,
) -> None:
    """Compare strategies on the same web, topic and seeds.

    The same command again continues an interrupted comparison.
    """
    task = {
        "web": web,
        "topic": topic,
        "seeds": seeds or None,
        "relevant": relevant or None,
        "judge_topic": judge_topic,
        "judge_eta": judge_eta,
    }
    times = times_of(delay=delay, latency=latency)
    if times and not rehearse and experiment is None:
        raise InvalidInput(f"--{next(iter(times))} applies to a rehearsal only: omit it, or give --rehearse")
    chosen = {
        "max_pages": max_pages,
        "repeats": repeats,
        "seed": seed,
        "width": width,
        "eta": eta,
        "relevance": relevance,
        "rehearsal": times if rehearse else None,
        "max_time": max_time,
    }
    wanted = _experiment(experiment, _given(task), times, _given(chosen), _names(strategies, strategy or []))
    shown = measure_names(part.strip() for part in measures.split(",")) if measures else _SHOWN
    _carry_out(
        lambda say: compare(wanted, out, workers=workers, trec=trec, progress=say),
        out,
        shown=shown,
        json=json,
    )


def _carry_out(
    comparing: Callable[[Progress], Comparison], out: Path, *, shown: Sequence[str] = _SHOWN, json: bool
) -> Results:
    """Run a comparison with a progress line; print the results, or how much is left."""
    ticker = Ticker()
    try:
        found = comparing(lambda text: ticker(lambda: text))
    except (
        KeyboardInterrupt
    ):  # before the first crawl or after the last: webs are opened, or crawls are measured
        found = None
    finally:
        ticker.close()
    if found is None or found.results is None:
        done = f"{found.done} of {found.crawls} crawls are done; " if found else ""
        say(f"interrupted: {done}run the same command to continue")
        raise typer.Exit(_INTERRUPTED)
    _print(found, found.results, out, shown=shown, json=json)
    return found.results


def demo(
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder for all output.")] = Path("demo"),
    max_pages: Annotated[
        int, typer.Option(min=1, max=MOST_PAGES, help="Number of pages of each crawl.")
    ] = 1000,
    json: Annotated[bool, typer.Option("--json", help="Print results.json.")] = False,
) -> None:
    """Build an ontology, crawl the built-in web, and compare.

    The ontology is built from the shipped corpus on rainstorms. FCWSEO is compared with the baselines.
    """
    results = _carry_out(
        lambda say: run_demo(out, max_pages=max_pages, progress=say), out / "comparison", json=json
    )
    rates = {row.strategy: f"{row.measures['harvest_rate']:.1%}" for row in results.summary}
    say(f"pages on the topic of {max_pages} visited: fcwseo {rates['fcwseo']}, bfs {rates['bfs']}")
    say(f"open {out / 'report.html'} for the report and {out / 'ontology.html'} for the ontology")


def _given(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _names(strategies: str | None, more: list[str]) -> dict[str, Any]:
    names = [name.strip() for name in (strategies or "").split(",") if name.strip()] + more
    if strategies is not None and not names:
        raise InvalidInput("--strategies is empty: give names separated by commas, or omit it")
    return {"strategies": names} if names else {}


def _experiment(
    file: Path | None,
    task: dict[str, Any],
    times: dict[str, float],
    chosen: dict[str, Any],
    strategies: dict[str, Any],
) -> Experiment:
    if file is not None:
        if task:
            option = next(iter(task)).replace("_", "-")
            raise InvalidInput(f"--{option} conflicts with {file}, which defines the tasks: omit one of them")
        return read_experiment(file, times, **chosen, **strategies)
    missing = [name for name in ("web", "topic", "seeds") if name not in task]
    if missing:
        raise typer.BadParameter(
            f"missing --{missing[0]}: give --web, --topic and --seeds, or an EXPERIMENT.toml"
        )
    return make_experiment({"tasks": [task], **chosen, **strategies}, where="the command line")


def _print(found: Comparison, results: Results, out: Path, *, shown: Sequence[str], json: bool) -> None:
    if json:
        print_json_bytes((out / "results.json").read_bytes())
    else:
        heads = (_HEADS.get(name, name.replace("_", " ")) for name in shown)
        print_table(
            ("strategy", "area", "95 %", *heads),
            [
                (
                    marked(row.strategy),
                    row.harvest_area,
                    interval(row),
                    *(written(name, row.measures.get(name)) for name in shown),
                )
                for row in results.summary
            ],
        )
    say(headline(results))
    for note in (*results.notes, *mark_notes(row.strategy for row in results.summary)):
        say(note)
    if found.others:
        say(f"{found.others} crawls in {out} belong to earlier comparisons and are not in these tables")
    say(f"{found.crawls} crawls; the report is {out / 'report.html'}")


def report(
    path: Annotated[Path, typer.Argument(metavar="RUN|COMPARISON", help="Run or comparison directory.")],
    open_: Annotated[bool, typer.Option("--open", help="Open the report in the browser.")] = False,
) -> None:
    """Write the HTML report of a crawl or a comparison.

    The report is one self-contained page; its path is printed.
    """
    if (path / "results.json").exists():
        page = report_comparison(path)
    elif (path / "run.json").exists():
        page = report_run(path)
    else:
        raise InvalidRun(
            f"{path} has neither run.json nor results.json: give the directory of a run or a comparison"
        )
    print(page)
    if open_:
        webbrowser.open(page.resolve().as_uri())
