"""How well a hierarchy of kinds is found when the terms are given: the classes of a gold hierarchy that the
corpus names. Compared are all pairs of a child and an ancestor.

"P judged" and "F judged" look only at children of which the gold names a parent among the terms, as it says
nothing of the others. "csc" is precision, recall and F over the common semantic cotopy.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from quality.checkouts import Checkout, Failed
from quality.data import Documents, as_json, subjects
from quality.gold import GOLD, Gold, found_in, read
from quality.measures import Pair, Score, among, cotopy_score, judgeable, share

HEAD = (
    "| gold, corpus | terms | pairs | commit | found | right | P | R | F | P judged | F judged "
    "| csc P | csc R | csc F | covered |\n|" + "---|" * 15
)


def table(data: Sequence[Path], checkouts: Sequence[Checkout]) -> Iterator[str]:
    """The lines of the table."""
    yield HEAD
    for source in GOLD:
        hierarchy = read(data, source)
        for subject in subjects(data, source.corpora) if hierarchy else ():
            assert hierarchy is not None
            gold = found_in(hierarchy, subject.documents)
            facts = f"| {source.name} in {subject.name} | {len(gold.terms)} | {len(gold.pairs)}"
            for checkout in checkouts:
                try:
                    found = kinds(checkout, gold, subject.documents)
                except Failed as error:
                    yield f"{facts} | {checkout.name} | failed: {error} |" + " |" * 10
                    continue
                yield f"{facts} | {checkout.name} | {row(gold, found)}"


def kinds(checkout: Checkout, gold: Gold, documents: Documents) -> frozenset[Pair]:
    """The pairs of a child and an ancestor that a version finds between the gold's terms by is-a."""
    given = [
        {"key": term.key, "forms": term.forms, "documents": f"{term.documents:x}"} for term in gold.terms
    ]
    edges = checkout.ask("relations", terms=given, documents=as_json(documents))
    pairs = [(child, parent) for child, parent, relation in edges if relation == "is-a"]
    return among(pairs, {term.key for term in gold.terms})


def row(gold: Gold, found: frozenset[Pair]) -> str:
    """The cells of a version.

    >>> row(Gold((), frozenset({("flood", "hazard")})), frozenset({("flood", "hazard"), ("a", "b")}))
    '2 | 1 | 0.500 | 1.000 | 0.667 | 1.000 | 1.000 | 0.500 | 1.000 | 0.667 | 0.000 |'
    """
    score = Score.of(found, gold.pairs)
    judged = Score.of(judgeable(found, gold.pairs), gold.pairs)
    covered = share(len({child for child, _ in found}), len(gold.terms))
    cells = [score.precision, score.recall, score.f, judged.precision, judged.f]
    cells += [*cotopy_score(found, gold.pairs), covered]
    return " | ".join([str(score.found), str(score.right), *(f"{cell:.3f}" for cell in cells)]) + " |"
