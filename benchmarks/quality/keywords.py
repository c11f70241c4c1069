"""How many of the terms did authors give as keywords, which are withheld from the extraction, and how many of
the keywords are found?

Terms and keywords match by their stems. Precision is a lower bound, since a good term that no author listed
counts as wrong. Recall is that of keywords that stand in the texts; no other can be found. Only documents
with keywords are drawn for the small corpora.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from fcwseo_ontology.corpus.documents import Corpus
from fcwseo_ontology.corpus.tokens import key
from fcwseo_ontology.terms.focus import occurrences
from quality.builds import TERMS, build
from quality.checkouts import Checkout, Failed
from quality.data import Documents, Subject, main_language, stand_in, subjects, without_keywords
from quality.measures import Score, mean

DRAWS = 6
SMALL = 15
CORPORA = ("floods", "hazards", "education-zh")
TITLES = {"floods": "floods", "hazards": "hazards", "education-zh": "csl_zh"}
HEAD = (
    "| corpus | documents | commit | terms | P | R | R of recurring keywords |\n|---|---|---|---|---|---|---|"
)


@dataclass(frozen=True, slots=True)
class Row:
    terms: float
    precision: float
    recall: float
    recurring: float


def table(data: Sequence[Path], checkouts: Sequence[Checkout]) -> Iterator[str]:
    """The lines of the table. Small corpora are drawn by generators with the seeds 0 to 5."""
    yield HEAD
    for subject in subjects(data, CORPORA):
        documents = subject.documents
        given = [document for document in documents if document.keywords]
        drawn = [tuple(Random(seed).sample(given, SMALL)) for seed in range(DRAWS)]
        for title, corpora in ((str(len(documents)), [documents]), (f"{SMALL}, {DRAWS} draws", drawn)):
            for checkout in checkouts:
                try:
                    row = judge(checkout, corpora)
                except Failed as error:
                    yield f"| {TITLES[subject.name]} | {title} | {checkout.name} | failed: {error} | | | |"
                    continue
                yield (
                    f"| {TITLES[subject.name]} | {title} | {checkout.name} | {row.terms:.0f} "
                    f"| {row.precision:.3f} | {row.recall:.3f} | {row.recurring:.3f} |"
                )


def judge(checkout: Checkout, corpora: Sequence[Documents]) -> Row:
    """The means over the corpora. Raises Failed."""
    rows = [score(terms(checkout, documents), documents) for documents in corpora]
    return Row(
        mean([row.terms for row in rows]),
        mean([row.precision for row in rows]),
        mean([row.recall for row in rows]),
        mean([row.recurring for row in rows]),
    )


def terms(checkout: Checkout, documents: Documents) -> list[str]:
    """The terms that a build chooses of the documents, whatever the topic."""
    avoid = {keyword for document in documents for keyword in _keys(document.keywords, document.language)}
    topic = stand_in(documents, avoid)
    built = build(checkout, Subject("withheld", topic, without_keywords(documents), whole=True), TERMS)
    labels = {concept.name: concept.labels[0].text for concept in built.ontology.concepts}
    return [labels[name] for name in built.chosen]


def score(labels: Sequence[str], documents: Documents) -> Row:
    """Labels of terms against the keywords of the documents; recurring ones are given by two or more.

    >>> from fcwseo_ontology.corpus.documents import Document
    >>> one, two = (Document(name, "Floods", "Hail fell.", ("Flood", name)) for name in ("snow", "hail"))
    >>> score(["flood", "model", "fall"], (one, two))
    Row(terms=3, precision=0.3333333333333333, recall=0.5, recurring=1.0)
    """
    gold = Counter(one for document in documents for one in _keys(document.keywords, document.language))
    language = main_language(documents)
    terms = {key(label, language) for label in labels}
    found = occurrences(Corpus(without_keywords(documents)), gold, language)
    in_texts = {keyword for keyword, places in found.items() if places}
    recurring = {keyword for keyword, count in gold.items() if count > 1}
    return Row(
        len(terms),
        Score.of(terms, gold.keys()).precision,
        Score.of(terms, in_texts).recall,
        Score.of(terms, recurring).recall,
    )


def _keys(keywords: Sequence[str], language: str) -> set[str]:
    return {key(keyword, language) for keyword in keywords} - {""}
