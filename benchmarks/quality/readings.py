"""Blind reading of relations: sheets for readers, and what their verdicts say of the builds.

A sheet has edges of several builds and random pairs, shuffled, with nothing that tells them apart; the key
says which is which. An edge that several builds have stands there once. Edges are drawn by stratum, since
most edges of a build would be head nouns; so precision of is-a weighs each stratum by all edges that it has.

An edge is a head noun where the name of the child ends with the name of the parent ("flash flood" < "flood"),
whatever evidence a build gave for it.
"""

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from fcwseo_ontology.corpus.tokens import key, language_of
from fcwseo_ontology.files import write_table
from fcwseo_ontology.model import Relation
from quality.builds import Built
from quality.measures import agreement, mean, share, wilson

HEAD_NOUN, OTHER = "is-a, head noun", "is-a, other"
# The strata of a sample and the share of each; what one cannot fill, the next ones do.
SHARES = {OTHER: 0.4, HEAD_NOUN: 0.2, "induce": 0.16, "part-of": 0.12, "attribute-of": 0.12}
RANDOM = "random pairs"
STATEMENTS = {
    Relation.IS_A: "{child} is a kind of {parent}",
    Relation.PART_OF: "{child} is a part of {parent}",
    Relation.ATTRIBUTE_OF: "{child} is a property or measure of {parent}",
    Relation.INDUCE: "{parent} causes {child}",
}
VERDICTS = ("right", "doubtful", "wrong")
SHEET = ("id", "subject", "statement", "child", "relation", "parent", "verdict")
KEY = ("id", "source", "stratum", "population")


@dataclass(frozen=True, slots=True, order=True)
class Claim:
    """An edge by its labels, in a corpus on a subject."""

    subject: str
    child: str
    relation: str
    parent: str

    @property
    def statement(self) -> str:
        return STATEMENTS[Relation(self.relation)].format(child=self.child, parent=self.parent)

    @property
    def stratum(self) -> str:
        """Where it belongs in a sample.

        >>> Claim("", "urban flooding", "is-a", "floods").stratum, Claim("", "山洪", "is-a", "洪").stratum
        ('is-a, head noun', 'is-a, head noun')
        >>> Claim("", "tornado", "is-a", "storm").stratum, Claim("", "rain", "induce", "cloud").stratum
        ('is-a, other', 'induce')
        """
        if self.relation != Relation.IS_A:
            return self.relation
        child, parent = (key(label, language_of(label)) for label in (self.child, self.parent))
        between = "" if language_of(self.child) == "zh" else " "
        return HEAD_NOUN if child.replace("  ", " ").endswith(between + parent) else OTHER


@dataclass(frozen=True, slots=True)
class Drawn:
    """A claim of a source; ``population`` counts the claims of its stratum there."""

    claim: Claim
    source: str
    stratum: str
    population: int


def claims(built: Built) -> list[Claim]:
    """The edges of an ontology that state something; ``related`` and ``synonym`` are not read."""
    labels = {one.name: one.labels[0].text for one in built.ontology.concepts}
    found = {
        Claim(built.subject.topic, labels[edge.child], edge.relation.value, labels[edge.parent])
        for edge in built.ontology.edges
        if edge.relation in STATEMENTS
    }
    return sorted(found)


def on_sheet(path: Path) -> Iterator[Claim]:
    """The claims of a sheet."""
    for row in _rows(path, SHEET):
        yield Claim(row["subject"], row["child"], row["relation"], row["parent"])


def allocate(sizes: Mapping[str, int], number: int) -> dict[str, int]:
    """How many to draw of each stratum; those that are too small leave their share to the others.

    >>> allocate({"is-a, other": 50, "is-a, head noun": 50, "induce": 1}, 10)
    {'is-a, other': 7, 'is-a, head noun': 2, 'induce': 1, 'part-of': 0, 'attribute-of': 0}
    """
    taken = {name: min(sizes.get(name, 0), int(number * part)) for name, part in SHARES.items()}
    for name in SHARES:
        left = number - sum(taken.values())
        taken[name] += min(left, sizes.get(name, 0) - taken[name])
    return taken


def sample(found: Sequence[Claim], source: str, number: int, rng: Random) -> list[Drawn]:
    """So many claims of a source, or all where there are fewer."""
    strata: dict[str, list[Claim]] = {name: [] for name in SHARES}
    for claim in found:
        strata[claim.stratum].append(claim)
    wanted = allocate({name: len(some) for name, some in strata.items()}, number)
    return [
        Drawn(claim, source, name, len(some))
        for name, some in strata.items()
        for claim in rng.sample(some, wanted[name])
    ]


def random_pairs(
    builds: Sequence[Built], taken: Iterable[Claim], like: Sequence[Claim], number: int, rng: Random
) -> list[Drawn]:
    """Pairs of concepts of one ontology that no build relates, with the relations that others have."""
    related = {(claim.subject, *sorted((claim.child, claim.parent))) for claim in taken}
    relations = sorted(claim.relation for claim in like)
    found: dict[tuple[str, ...], Claim] = {}
    while len(found) < number:
        built = rng.choice(builds)
        child, parent = rng.sample([one.labels[0].text for one in built.ontology.concepts], 2)
        pair = (built.subject.topic, *sorted((child, parent)))
        if pair not in related and pair not in found:
            found[pair] = Claim(built.subject.topic, child, rng.choice(relations), parent)
    return [Drawn(claim, RANDOM, RANDOM, number) for claim in found.values()]


def write_sheet(folder: Path, name: str, drawn: Sequence[Drawn], rng: Random) -> tuple[Path, Path]:
    """Write the sheet for readers and its key."""
    order = sorted({one.claim for one in drawn})
    rng.shuffle(order)
    numbers = {claim: number for number, claim in enumerate(order, 1)}
    rows = [
        (number, claim.subject, claim.statement, claim.child, claim.relation, claim.parent, "")
        for claim, number in numbers.items()
    ]
    keys = sorted((numbers[one.claim], one.source, one.stratum, one.population) for one in drawn)
    folder.mkdir(parents=True, exist_ok=True)
    sheet, answers = folder / f"{name}.sheet.csv", folder / f"{name}.key.csv"
    write_table(sheet, SHEET, rows)
    write_table(answers, KEY, keys)
    return sheet, answers


@dataclass(frozen=True, slots=True)
class Read:
    """A claim of the key with the verdict of each reader."""

    source: str
    stratum: str
    population: int
    verdicts: tuple[str, ...]

    @property
    def rights(self) -> tuple[bool, ...]:
        return tuple(verdict == "right" for verdict in self.verdicts)


def read_sheets(answers: Path, sheets: Sequence[Path]) -> tuple[list[Read], list[dict[str, str]]]:
    """The key joined with the verdicts, and the verdicts of each reader by number."""
    verdicts = [_verdicts(sheet) for sheet in sheets]
    found = []
    for row in _rows(answers, KEY):
        missing = [sheet for sheet, some in zip(sheets, verdicts, strict=True) if row["id"] not in some]
        if missing:
            raise SystemExit(f"{missing[0]} has no verdict on {row['id']}, which is in {answers}")
        given = tuple(some[row["id"]] for some in verdicts)
        found.append(Read(row["source"], row["stratum"], int(row["population"]), given))
    return found, verdicts


def _verdicts(sheet: Path) -> dict[str, str]:
    rows = _rows(sheet, ("id", "verdict"))
    found = {row["id"]: row["verdict"].strip().lower() for row in rows}
    for number, verdict in found.items():
        if verdict not in VERDICTS:
            raise SystemExit(f"{sheet}, id {number}: the verdict is {verdict!r}; write {', '.join(VERDICTS)}")
    return found


def _rows(path: Path, columns: Sequence[str]) -> list[dict[str, str]]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            table = csv.DictReader(file)
            missing = [name for name in columns if name not in (table.fieldnames or ())]
            if missing:
                raise SystemExit(f"{path} has no column {missing[0]!r}")
            return list(table)
    except OSError as error:
        raise SystemExit(f"cannot read {path}: {error.strerror}") from error


def report(found: Sequence[Read], verdicts: Sequence[Mapping[str, str]]) -> Iterator[str]:
    """The lines of the tables: precision by source and stratum, and how far the readers agree."""
    readers = [f"reader {number}" for number in range(1, len(verdicts) + 1)]
    yield "| source | stratum | read | of | " + " | ".join(readers) + " | mean | 95 % | all say right |"
    yield "|" + "---|" * (7 + len(readers))
    for source in dict.fromkeys(one.source for one in found):
        own = [one for one in found if one.source == source]
        present = {one.stratum: None for one in own}
        strata = [name for name in (*SHARES, *sorted(present)) if name in present]
        for stratum in dict.fromkeys(strata):
            yield line(source, stratum, [one for one in own if one.stratum == stratum])
        yield from _of_kinds(source, own, len(readers))
    if len(verdicts) == 2:
        one, other = ([some[number] for number in verdicts[0]] for some in verdicts)
        same, kappa = agreement(one, other)
        yield f"\nThe readers agree on {100 * same:.0f} % of {len(one)}, kappa {kappa:.2f}"
        same, kappa = agreement(*([verdict == "right" for verdict in some] for some in (one, other)))
        yield f"(right or not: {100 * same:.0f} %, kappa {kappa:.2f})."


def line(source: str, stratum: str, some: Sequence[Read]) -> str:
    """A row of the table.

    >>> line("main", "induce", [Read("main", "induce", 9, ("right", "wrong"))])
    '| main | induce | 1 | 9 | 1.00 | 0.00 | 0.50 | 0.05-0.95 | 0.00 |'
    """
    rates = [mean([one.rights[reader] for one in some]) for reader in range(len(some[0].rights))]
    low, high = wilson(mean(rates) * len(some), len(some))
    sizes = {one.stratum: one.population for one in some}
    cells = [*(f"{rate:.2f}" for rate in (*rates, mean(rates))), f"{low:.2f}-{high:.2f}"]
    unanimous = mean([all(one.rights) for one in some])
    facts = f"| {source} | {stratum} | {len(some)} | {sum(sizes.values())}"
    return f"{facts} | {' | '.join(cells)} | {unanimous:.2f} |"


def _of_kinds(source: str, own: Sequence[Read], readers: int) -> Iterator[str]:
    """Precision of all is-a: head nouns and others count as often as the build has them."""
    kinds = [[one for one in own if one.stratum == name] for name in (HEAD_NOUN, OTHER)]
    kinds = [some for some in kinds if some]
    if kinds:
        rates = [precision(kinds, reader) for reader in range(readers)]
        read, total = sum(map(len, kinds)), sum(some[0].population for some in kinds)
        cells = " | ".join(f"{rate:.2f}" for rate in (*rates, mean(rates)))
        yield f"| {source} | is-a, weighted | {read} | {total} | {cells} | | |"


def precision(strata: Sequence[Sequence[Read]], reader: int) -> float:
    """Of one reader, each stratum weighed by its population.

    >>> one, two = Read("", HEAD_NOUN, 30, ("right",)), Read("", OTHER, 10, ("wrong",))
    >>> precision([[one], [two]], 0)
    0.75
    """
    weighed = [some[0].population * mean([one.rights[reader] for one in some]) for some in strata]
    return share(sum(weighed), sum(some[0].population for some in strata))
