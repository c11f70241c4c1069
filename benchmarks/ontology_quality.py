"""How good built ontologies are: keywords, kinds against gold, built ontologies, speed, and blind readings.

    python benchmarks/ontology_quality.py keywords [--before CHECKOUT]
    python benchmarks/ontology_quality.py taxonomy [GOLD...] [--before CHECKOUT]
    python benchmarks/ontology_quality.py builds [CORPUS...] [--before CHECKOUT]
    python benchmarks/ontology_quality.py speed [--before CHECKOUT]

    python benchmarks/ontology_quality.py sample NAME [--corpora CORPUS...] [--before CHECKOUT]
    python benchmarks/ontology_quality.py pages NAME [--before CHECKOUT]
    python benchmarks/ontology_quality.py read NAME READER READER

``--before`` measures another checkout of the project too, with its own ``.venv`` where it has one. ``sample``
writes a sheet of edges and its key, NAME.sheet.csv and NAME.key.csv, and ``pages`` one of words. A reader
copies the sheet to NAME.READER.csv and writes right, doubtful or wrong into the column ``verdict``, without
seeing the key. ``read`` joins the readers' files with the key.

A CORPUS is a name (``builds --help`` lists them), PATH=TOPIC, task:NAME for the pages that the topic of a
task in ``tasks.toml`` is built from, or label:WEB/LABEL=TOPIC for 25 pages with a label. What is not in the
folders of ``--data`` is left out, with a word about it. Seconds are of the build alone, in a process of its
own, with WordNet loaded before.
"""

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random

from quality import builds, keywords, pages, readings, taxonomy
from quality.checkouts import HERE, Checkout, Failed, checkouts
from quality.data import MAIN, SOURCES, subjects
from quality.gold import GOLD
from tasks import add_data_option

READINGS = HERE / "benchmarks" / "results" / "readings"


def main() -> None:
    given = arguments()
    if given.command == "read":
        show(read(given.folder, given.name, given.readers))
        return
    measured = checkouts(given.before)
    for checkout in measured:
        if not checkout.ask("about")["wordnet"]:
            print(f"{checkout.name} has no WordNet: FCWSEO_WORDNET may name its folder", file=sys.stderr)
    if given.command == "keywords":
        show(keywords.table(given.data, measured))
    elif given.command == "taxonomy":
        show(taxonomy.table(given.data, measured, given.gold))
    elif given.command == "builds":
        show(builds.table(given.data, measured, given.corpora))
    elif given.command == "speed":
        show(builds.speed_table(given.data, measured))
    elif given.command == "sample":
        show(sample(given, measured))
    else:
        found = list(pages.heaviest(given.data, measured))
        show(said(pages.write_words(given.folder, given.name, found, Random(given.seed))))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    named = {name: commands.add_parser(name) for name in ("keywords", "taxonomy", "builds", "speed")}
    written = {name: commands.add_parser(name) for name in ("sample", "pages", "read")}
    corpora = f"{', '.join(SOURCES)}, PATH=TOPIC, task:NAME or label:WEB/LABEL=TOPIC"
    named["builds"].add_argument("corpora", nargs="*", default=list(SOURCES), help=corpora)
    named["taxonomy"].add_argument(
        "gold", nargs="*", default=["ENVO"], help=f"of {', '.join(one.name for one in GOLD)} (ENVO)"
    )
    for name, command in written.items():
        command.add_argument("name", help="of the files")
        command.add_argument("--folder", type=Path, default=READINGS)
        if name != "read":
            command.add_argument("--seed", type=int, default=1)
    written["sample"].add_argument("--corpora", nargs="+", default=list(MAIN), help=corpora)
    written["sample"].add_argument("--edges", type=int, default=50, help="of this checkout (50)")
    written["sample"].add_argument("--others", type=int, default=25, help="of each other, and random (25)")
    written["sample"].add_argument("--terms", type=int, default=builds.TERMS)
    written["sample"].add_argument("--only", nargs="+", choices=readings.SHARES, default=[*readings.SHARES])
    written["sample"].add_argument("--unlike", nargs="*", default=[], help="sheets whose claims are left out")
    written["read"].add_argument("readers", nargs="+")
    for name, command in (named | written).items():
        if name != "read":
            add_data_option(command)
            command.add_argument("--before", nargs="*", type=Path, default=[], metavar="CHECKOUT")
    return parser.parse_args()


def show(lines: Iterable[str]) -> None:
    for line in lines:
        print(line, flush=True)


def sample(given: argparse.Namespace, measured: Sequence[Checkout]) -> Iterable[str]:
    """Draw claims of every version and random pairs, and write them mixed."""
    rng = Random(given.seed)
    drawn: list[readings.Drawn] = []
    related: list[readings.Claim] = []
    known = {one for name in given.unlike for one in readings.on_sheet(given.folder / f"{name}.sheet.csv")}
    for checkout in measured:
        try:
            made = [
                builds.build(checkout, subject, given.terms)
                for subject in subjects(given.data, given.corpora)
            ]
        except Failed as error:
            raise SystemExit(f"{checkout.name} builds nothing: {error}") from error
        claims = [claim for built in made for claim in readings.claims(built)]
        related += claims
        found = [claim for claim in claims if claim.stratum in given.only and claim not in known]
        number = given.edges if checkout is measured[-1] else given.others
        drawn += readings.sample(found, checkout.name, number, rng)
    like = [one.claim for one in drawn]
    if not like:
        raise SystemExit("there is nothing to read: no corpus is there, or no edge was found")
    drawn += readings.random_pairs(made, related, like, given.others, rng)
    return said(readings.write_sheet(given.folder, given.name, drawn, rng))


def said(paths: Iterable[Path]) -> list[str]:
    return [f"wrote {path}" for path in paths]


def read(folder: Path, name: str, readers: Sequence[str]) -> Iterable[str]:
    sheets = [folder / f"{name}.{reader}.csv" for reader in readers]
    return readings.report(*readings.read_sheets(folder / f"{name}.key.csv", sheets))


if __name__ == "__main__":
    main()
