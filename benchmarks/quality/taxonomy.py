"""How well a hierarchy of kinds is found when the terms are given: the classes of a gold hierarchy that the
corpus names. Compared are all pairs of a child and an ancestor.

"P judged" and "F judged" look only at children of which the gold names a parent among the terms, as it says
nothing of the others. "csc" is precision, recall and F over the common semantic cotopy.
"""

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path

from fcwseo_ontology.corpus.tokens import key
from fcwseo_ontology.model import Ontology, Relation
from quality.builds import build
from quality.checkouts import Checkout, Failed
from quality.data import Documents, Subject, stand_in, subjects
from quality.gold import GOLD, Gold, found_in, read
from quality.measures import Pair, Score, closure, cotopy_score, judgeable, share

HEAD = (
    "| gold, corpus | terms | pairs | commit | found | right | P | R | F | P judged | F judged "
    "| csc P | csc R | csc F | covered |\n|" + "---|" * 15
)


def table(data: Sequence[Path], checkouts: Sequence[Checkout], names: Sequence[str]) -> Iterator[str]:
    """The lines of the table of the named hierarchies."""
    yield HEAD
    for source in [one for one in GOLD if one.name in names]:
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
    """The pairs of a child and an ancestor that a version finds between the gold's terms by is-a.

    The terms are given as an expert gives them, so a version of any make can be asked. Raises Failed.
    """
    keys = {term.key for term in gold.terms}
    subject = Subject("given", stand_in(documents, keys), documents, whole=True)
    built = build(checkout, subject, 1, keep=[term.forms[0] for term in gold.terms])
    return pairs_of(built.ontology, keys)


def pairs_of(ontology: Ontology, terms: AbstractSet[str]) -> frozenset[Pair]:
    """Child and ancestor by is-a among terms, which are found by any label of a concept.

    >>> from fcwseo_ontology.model import Concept, Edge, Label
    >>> rain, water = (Concept(name, (Label(name),)) for name in ("rain", "water"))
    >>> whole = Ontology("water", (rain, water), (Edge("rain", "water", Relation.IS_A),))
    >>> sorted(pairs_of(whole, {"rain", "water"}))
    [('rain', 'water')]
    """
    borne = {
        concept.name: terms & {key(label.text) for label in (*concept.labels, *concept.synonyms)}
        for concept in ontology.concepts
    }
    edges = ((edge.child, edge.parent) for edge in ontology.edges if edge.relation is Relation.IS_A)
    between = ((one, other) for a, b in closure(edges) for one in borne[a] for other in borne[b])
    return frozenset(pair for pair in between if pair[0] != pair[1])


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
