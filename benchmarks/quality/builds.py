"""What built ontologies are like, and how long building takes: no gold is needed.

A concept is isolated if it only is ``related`` to others. Depth counts levels along the relations that order,
the topic's being 1. Weights are those that pages are judged with, the topic's own left out.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

from fcwseo.relevance.weights import judging_weights
from fcwseo_ontology.model import Concept, Edge, Label, Ontology, Relation
from fcwseo_ontology.relations.hierarchy import levels, ordering
from fcwseo_ontology.topic import FeatureWord, Topic
from quality.checkouts import Checkout, Failed
from quality.data import Documents, Subject, as_json, repeated, subjects
from quality.measures import percentile, share, variation

TERMS = 80
LARGE = 1000
LARGE_CORPORA = ("floods", "security", "ir")
HEAD = (
    "| corpus | commit | chosen | concepts | is-a | part-of | attribute-of | induce | related | is-a parent "
    "| isolated | depth | CV | 10th-90th | s | CPU s |\n|" + "---|" * 16
)
SPEED_HEAD = "| 1,000 abstracts of | commit | s | CPU s |\n|---|---|---|---|"


@dataclass(frozen=True, slots=True)
class Built:
    """An ontology that a version built; ``words`` with the weights that pages are judged with, heaviest
    first, without the topic.
    """

    subject: Subject
    ontology: Ontology
    words: tuple[tuple[str, float], ...]
    seconds: float
    cpu: float

    @property
    def chosen(self) -> list[str]:
        """The names of the terms chosen from the corpus, without the topic."""
        concepts = self.ontology.concepts
        return [one.name for one in concepts if one.source == "corpus" and one.name != self.ontology.topic]


def build(checkout: Checkout, subject: Subject, terms: int = TERMS, *, keep: Sequence[str] = ()) -> Built:
    """An ontology of so many terms, those to ``keep`` among them. Raises Failed."""
    documents = as_json(subject.documents)
    answer = checkout.ask(
        "build", documents=documents, topic=subject.topic, terms=terms, keep=keep, whole_corpus=subject.whole
    )
    ontology = as_ontology(answer)
    words = tuple(
        FeatureWord(word, weight, (word,), name=name, keyness=keyness)
        for word, weight, keyness, name in answer["words"]
    )
    others = heaviest_first(words, without=ontology.topic)
    return Built(subject, ontology, others, answer["seconds"], answer["cpu"])


def as_ontology(answer: Mapping[str, Any]) -> Ontology:
    concepts = (
        Concept(name, (Label(texts[0]),), tuple(map(Label, texts[1:])), source=source)
        for name, texts, source in answer["concepts"]
    )
    edges = (Edge(child, parent, Relation(relation)) for child, parent, relation in answer["edges"])
    return Ontology(answer["topic"], tuple(concepts), tuple(edges))


def heaviest_first(words: tuple[FeatureWord, ...], *, without: str) -> tuple[tuple[str, float], ...]:
    """Words with the weights that pages are judged with, without those of one concept.

    >>> words = (("flood", 1.0, 3.0), ("rain", 0.2, 1.0), ("hail", 0.2, 3.0))
    >>> topic = tuple(FeatureWord(word, ossc, (word,), name=word, keyness=k) for word, ossc, k in words)
    >>> [(word, round(weight, 3)) for word, weight in heaviest_first(topic, without="flood")]
    [('hail', 0.3), ('rain', 0.1)]
    """
    weights = judging_weights(Topic("", words)).tolist()
    found = [(one.word, weight) for one, weight in zip(words, weights, strict=True) if one.name != without]
    return tuple(sorted(found, key=lambda one: (-one[1], one[0])))


def isolated(ontology: Ontology) -> frozenset[str]:
    """The concepts without a relation that orders, to a parent or to a child; the topic is not counted."""
    ordered = {end for edge in ordering(ontology.edges) for end in (edge.child, edge.parent)}
    return frozenset({concept.name for concept in ontology.concepts} - ordered - {ontology.topic})


def table(data: Sequence[Path], checkouts: Sequence[Checkout], names: Sequence[str]) -> Iterator[str]:
    """The lines of the table of built ontologies."""
    yield HEAD
    for subject in subjects(data, names):
        for checkout in checkouts:
            try:
                cells = row(build(checkout, subject))
            except Failed as error:
                cells = f"failed: {error} |" + " |" * 13
            yield f"| {subject.name} | {checkout.name} | {cells}"


def row(built: Built) -> str:
    """The cells of an ontology."""
    ontology, chosen = built.ontology, built.chosen
    counts = {one: sum(edge.relation is one for edge in ontology.edges) for one in Relation}
    kinds = {edge.child for edge in ontology.edges if edge.relation is Relation.IS_A}
    alone = isolated(ontology)
    weights = [weight for _, weight in built.words]
    cells = [
        str(len(chosen)),
        str(len(ontology.concepts)),
        *(
            str(counts[one])
            for one in (
                Relation.IS_A,
                Relation.PART_OF,
                Relation.ATTRIBUTE_OF,
                Relation.INDUCE,
                Relation.RELATED,
            )
        ),
        f"{share(sum(name in kinds for name in chosen), len(chosen)):.2f}",
        f"{share(sum(name in alone for name in chosen), len(chosen)):.2f}",
        str(max(levels(ontology).values())),
        f"{variation(weights):.2f}",
        f"{percentile(weights, 0.1):.2f}-{percentile(weights, 0.9):.2f}",
        f"{built.seconds:.1f}",
        f"{built.cpu:.1f}",
    ]
    return " | ".join(cells) + " |"


def speed_table(data: Sequence[Path], checkouts: Sequence[Checkout]) -> Iterator[str]:
    """Corpora repeated to a thousand documents, and a thousand drawn of all of them together."""
    yield SPEED_HEAD
    found = subjects(data, LARGE_CORPORA)
    large = [replace(one, documents=repeated(one.documents, LARGE)) for one in found]
    together: Documents = tuple(document for one in found for document in one.documents)
    if len(together) >= LARGE:
        large.append(Subject("all three", found[-1].topic, tuple(Random(0).sample(together, LARGE))))
    for subject in large:
        for checkout in checkouts:
            try:
                built = build(checkout, subject)
                yield f"| {subject.name} | {checkout.name} | {built.seconds:.1f} | {built.cpu:.1f} |"
            except Failed as error:
                yield f"| {subject.name} | {checkout.name} | failed: {error} | |"
