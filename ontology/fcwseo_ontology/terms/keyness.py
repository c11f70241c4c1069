"""Keyness: how much more frequent a word is in a corpus than in general language.

It is the log-odds ratio of ``ranking.contrasts``, by which terms are chosen, stored with each concept. OSSC
measures how close a concept is to the topic; keyness measures how well its words distinguish the domain.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace

from fcwseo_ontology.corpus.background import background_of_terms
from fcwseo_ontology.corpus.documents import Corpus
from fcwseo_ontology.corpus.tokens import stem, words
from fcwseo_ontology.model import Label, Ontology
from fcwseo_ontology.terms.ranking import contrast, contrasts

FLOOR = 0.05  # least keyness of a known word, since 0 means unknown
UNKNOWN = ("zh",)  # languages in which keyness is not measured


class Keyness:
    """The keyness of labels by a corpus.

    >>> from fcwseo_ontology.corpus.read import corpus_of_texts
    >>> keyness = Keyness(corpus_of_texts(["The catchment and the people", "People of the catchment"]))
    >>> keyness.of(Label("catchments")) > keyness.of(Label("people")) > keyness.of(Label("snow")) == FLOOR
    True
    >>> keyness.of(Label("流域", "zh"))
    0.0

    Keyness is unknown in Chinese, where it did not distinguish the words of a topic from others.
    """

    def __init__(self, corpus: Corpus) -> None:
        texts: defaultdict[str, list[list[str]]] = defaultdict(list)
        for document in corpus.documents:
            if corpus.menus or document.language not in UNKNOWN:
                text = f"{document.title}\n{document.text}"
                texts[document.language].append(words(text, document.language))
        tables = {language: background_of_terms(language, menus=corpus.menus) for language in texts}
        self._stems = {
            language: contrasts(texts[language], table) for language, table in tables.items() if table.rates
        }

    def stems(self, language: str) -> Mapping[str, float]:
        """The keyness of each stem of a language in the corpus; none where it is unknown."""
        return self._stems.get(language, {})

    def of(self, label: Label) -> float:
        """The mean over the words of a label; 0 in a language that the corpus or the tables lack."""
        stems = self._stems.get(label.language)
        key = tuple(stem(word, label.language) for word in words(label.text, label.language))
        return max(FLOOR, contrast(key, stems)) if stems and key else 0.0


def with_keyness(ontology: Ontology, keyness: Keyness) -> Ontology:
    """Return the ontology with the keyness of each concept, measured by its first label."""
    concepts = (
        replace(concept, keyness=round(keyness.of(concept.labels[0]), 4)) for concept in ontology.concepts
    )
    return replace(ontology, concepts=tuple(concepts))
