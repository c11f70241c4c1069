"""The quality of *induce* edges: the causal edges of the UNDRR hazard profiles, compared with edges from
their texts.

    python benchmarks/relations.py [--profiles FILE.jsonl] [--gold hips.json] [--list]

The gold edges were drawn by experts who know more than the definitions contain. A pair is sayable if the
definition of one hazard names the other. Precision is a lower bound: a true cause that no expert listed
counts as wrong. A hazard is matched by its label only, or by its alternative labels as well.
"""

import argparse
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from fcwseo_ontology.corpus.documents import Corpus
from fcwseo_ontology.corpus.read import read_corpus
from fcwseo_ontology.corpus.tokens import key
from fcwseo_ontology.fca.engines import concept_lattice
from fcwseo_ontology.fca.order import introducer_order
from fcwseo_ontology.model import Edge, Relation
from fcwseo_ontology.relations.find import find_relations
from fcwseo_ontology.relations.kinds import formal_context, kinds_of
from fcwseo_ontology.relations.patterns import mentioned
from fcwseo_ontology.relations.said import what_is_said
from fcwseo_ontology.relations.statements import believed
from fcwseo_ontology.relations.wordnet import load_wordnet
from fcwseo_ontology.terms.extract import Term
from fcwseo_ontology.terms.keyness import Keyness
from fcwseo_ontology.terms.reading import read

Pairs = set[tuple[str, str]]


def main() -> None:
    shared = Path(__file__).resolve().parents[2] / "shared"
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--profiles", type=Path, default=shared / "corpora" / "hazard_profiles_undrr.jsonl")
    parser.add_argument("--gold", type=Path, default=shared / "ontologies" / "hips.json")
    parser.add_argument("--list", action="store_true", help="print every edge found")
    arguments = parser.parse_args()
    gold, names = read_gold(arguments.gold)
    corpus = read_corpus([arguments.profiles])
    reading, wordnet = read(corpus), load_wordnet()
    keyness = Keyness(corpus).stems("en")
    print(f"{len(names)} hazards, {len(gold)} causal edges, {len(corpus.documents)} definitions")
    print(f"precision by chance {len(gold) / (len(names) * (len(names) - 1)):.3f}")
    for kind, number in (("labels alone", 1), ("labels and alternative labels", None)):
        terms = hazards({one: some[:number] for one, some in names.items()})
        said = what_is_said(terms, reading, corpus, wordnet, keyness=keyness)
        beliefs = believed(said.statements, corpus.documents)
        order = introducer_order(concept_lattice(formal_context(terms, beliefs, phrases=said.phrases)))
        kinds = kinds_of(terms, order, beliefs, said.names)
        edges = [*kinds.edges, *find_relations(said.known, beliefs=beliefs)]
        report(kind, gold, terms, corpus, edges, listed=arguments.list)


def read_gold(path: Path) -> tuple[Pairs, dict[str, list[str]]]:
    """The pairs (cause, effect) of hazards by key, and all names of each hazard, the label first."""
    data = json.loads(path.read_text(encoding="utf-8"))
    names = {node["id"]: list(map(plain, (node["label"], *node["altLabels"]))) for node in data["nodes"]}
    keys = {number: key(some[0]) for number, some in names.items()}
    gold = {(keys[edge["source"]], keys[edge["target"]]) for edge in data["edges"]}
    return gold, {keys[number]: [name for name in some if name] for number, some in names.items()}


def plain(name: str) -> str:
    """A hazard's name as in a sentence: without brackets; empty for "Not identified"."""
    bare = " ".join(re.sub(r"\(.*?\)|[\u2018\u2019]", " ", name).lower().split())
    return "" if re.match(r"(not|none)\s+(identified|available)", bare) else bare


def hazards(names: Mapping[str, Sequence[str]]) -> list[Term]:
    return [Term(some[0], one, tuple(some[1:]), "en", 0, 0.0, True) for one, some in names.items()]


def report(
    kind: str, gold: Pairs, terms: Sequence[Term], corpus: Corpus, edges: Iterable[Edge], *, listed: bool
) -> None:
    named = in_one_definition(terms, corpus)
    sayable = gold & named
    edges = list(edges)
    said = {(edge.parent, edge.child) for edge in edges if edge.relation is Relation.INDUCE}
    print(f"\n{kind}: {len(sayable)} of the edges are sayable")
    print(f"{'':34}{'found':>6}{'right':>7}{'precision':>11}{'recall':>8}{'of sayable':>12}")
    row("both named in one definition", named, gold, sayable)
    row("induce, from the sentences", said, gold, sayable)
    row("and inherited by kinds", said | handed_down(said, edges), gold, sayable)
    for cause, effect in sorted(said) if listed else ():
        print(f"    {'right' if (cause, effect) in gold else '-':6}{cause} -> {effect}")


def row(method: str, found: Pairs, gold: Pairs, sayable: Pairs) -> None:
    right = len(found & gold)
    precision = right / len(found) if found else 0.0
    reached = len(found & sayable) / len(sayable) if sayable else 0.0
    print(f"{method:34}{len(found):6}{right:7}{precision:11.3f}{right / len(gold):8.3f}{reached:12.3f}")


def in_one_definition(terms: Sequence[Term], corpus: Corpus) -> Pairs:
    """Pairs of a hazard and one that its definition names, in both directions."""
    keys = [term.key for term in terms]
    found: Pairs = set()
    for document, named in zip(corpus.documents, mentioned(terms, corpus), strict=True):
        subject = key(plain(document.title))
        for other in named:
            if subject in keys and keys[other] != subject:
                found |= {(subject, keys[other]), (keys[other], subject)}
    return found


def handed_down(said: Pairs, edges: Iterable[Edge]) -> Pairs:
    """Add the edges that kinds inherit: a flash flood causes what a flood causes."""
    below: dict[str, list[str]] = {}
    for edge in edges:
        if edge.relation is Relation.IS_A:
            below.setdefault(edge.parent, []).append(edge.child)
    narrower = {(kind, effect) for cause, effect in said for kind in below.get(cause, ())}
    return narrower | {(cause, kind) for cause, effect in said for kind in below.get(effect, ())}


if __name__ == "__main__":
    main()
