"""Word counts of the documents of an ontology.

Words are counted in lower case and unstemmed, so that a reader of the counts may use any stemmer. Labels of
several words are counted too, in each written form, because the counts of single words do not show how often
they occur together. Apart from these labels, the order of the words is lost.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from fcwseo_ontology.corpus.documents import Corpus, Document, bare
from fcwseo_ontology.corpus.tokens import stem, written_words
from fcwseo_ontology.model import DocumentCounts, Ontology

Item = TypeVar("Item")

MOST_DOCUMENTS = 400  # counted documents of a corpus


def with_documents(ontology: Ontology, corpus: Corpus) -> Ontology:
    """Return the ontology with the word counts of at most 400 documents of the corpus, evenly spaced."""
    labels = {label.text for concept in ontology.concepts for label in (*concept.labels, *concept.synonyms)}
    some = evenly(corpus.documents, MOST_DOCUMENTS)
    return replace(ontology, documents=tuple(count_documents(some, labels)))


def evenly(documents: Sequence[Item], most: int) -> Sequence[Item]:
    """Return at most ``most`` of the documents, evenly spaced.

    >>> from fcwseo_ontology.corpus.read import corpus_of_texts
    >>> five = corpus_of_texts(["one", "two", "three", "four", "five"]).documents
    >>> [document.text for document in evenly(five, 3)]
    ['one', 'two', 'four']
    """
    total = len(documents)
    return documents if total <= most else [documents[n * total // most] for n in range(most)]


def count_documents(documents: Iterable[Document], labels: Collection[str]) -> Iterator[DocumentCounts]:
    """Yield the counts of the words of each document, and of the labels of several words in it.

    >>> flood = Document("d1", "", "Flash floods, and a flood")
    >>> dict(next(iter(count_documents([flood], ["flash flood"]))).counts)
    {'a': 1, 'and': 1, 'flash': 1, 'flash floods': 1, 'flood': 1, 'floods': 1}
    """
    phrases: dict[str, _Phrases] = {}
    for document in documents:
        language = document.language
        if language not in phrases:
            phrases[language] = _Phrases(labels, language)
        written = written_words(f"{document.title}\n{document.text}")
        counts = Counter(written)
        counts.update(phrases[language].found(written))
        name = (document.title or bare(document.id)).encode("utf-8", "replace").decode()
        yield DocumentCounts(name, language, dict(sorted(counts.items())))


class _Phrases:
    """Finds labels of several words in texts of one language."""

    def __init__(self, labels: Iterable[str], language: str) -> None:
        self._language = language
        self._stems: dict[str, str] = {}
        self._starts: defaultdict[str, set[tuple[str, ...]]] = defaultdict(set)
        for label in labels:
            stems = self._stemmed(written_words(label))
            if len(stems) > 1:
                self._starts[stems[0]].add(stems)

    def found(self, written: Sequence[str]) -> Iterator[str]:
        """Yield each occurrence of a label, as it is written in the text."""
        stems = self._stemmed(written)
        for start, first in enumerate(stems):
            for phrase in self._starts.get(first, ()):
                end = start + len(phrase)
                if stems[start:end] == phrase:
                    yield " ".join(written[start:end])

    def _stemmed(self, written: Iterable[str]) -> tuple[str, ...]:
        known, language = self._stems, self._language
        return tuple(known.get(word) or known.setdefault(word, stem(word, language)) for word in written)
