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
from fcwseo_ontology.model import Concept, Label, Ontology
from fcwseo_ontology.terms.ranking import contrast, contrasts

FLOOR = 0.05  # least keyness of a known word, since 0 means unknown
NAMED = 2.0  # times the share of the documents that have a name, but at most 1, is its keyness worth
SMALL_NOUNS = ("en", "es", "fr", "it", "nl", "pt", "ru")  # languages that write only names with a capital
UNKNOWN = ("zh",)  # languages in which keyness is measured on web pages only
IN_CHINESE = 0.3  # the power of it there: more of it costs titles that are judged by the names in them


class Keyness:
    """The keyness of labels by a corpus.

    >>> from fcwseo_ontology.corpus.read import corpus_of_texts
    >>> keyness = Keyness(corpus_of_texts(["The catchment and the people", "People of the catchment"]))
    >>> keyness.of(Label("catchments")) > keyness.of(Label("people")) > keyness.of(Label("snow")) == FLOOR
    True
    >>> keyness.of(Label("流域", "zh"))
    0.0

    Keyness is unknown in Chinese texts without menus, where it did not distinguish the words of a topic from
    others. On Chinese pages with menus, which are compared with manuals too, it counts with a small power.
    """

    def __init__(self, corpus: Corpus) -> None:
        texts: defaultdict[str, list[list[str]]] = defaultdict(list)
        for document in corpus.documents:
            if corpus.menus or document.language not in UNKNOWN:
                text = f"{document.title}\n{document.text}"
                texts[document.language].append(words(text, document.language))
        tables = {language: background_of_terms(language, menus=corpus.menus) for language in texts}
        self._menus, self._documents = corpus.menus, len(corpus.documents)
        self._stems = {
            language: contrasts(texts[language], table) for language, table in tables.items() if table.rates
        }

    def stems(self, language: str) -> Mapping[str, float]:
        """The keyness of each stem of a language in the corpus; none where it is unknown."""
        return self._stems.get(language, {})

    def shown(self, concept: Concept) -> float:
        """The keyness of a concept by its first label; on web pages less the fewer of them have it.

        A page is long, and full of what stands on no other page of the topic; above all of names, which no
        table has, so that each seems to be of the domain.
        """
        label = concept.labels[0]
        keyness = self.of(label)
        if not self._menus or not keyness or not concept.frequency:
            return keyness
        spread = concept.frequency / (concept.frequency + 1)
        if label.language in SMALL_NOUNS and _is_name(label.text):
            spread *= min(1.0, NAMED * concept.frequency / self._documents)
        if label.language == "zh":
            keyness **= IN_CHINESE
        return max(FLOOR, keyness * spread)

    def of(self, label: Label) -> float:
        """The mean over the words of a label; 0 in a language that the corpus or the tables lack."""
        stems = self._stems.get(label.language)
        key = tuple(stem(word, label.language) for word in words(label.text, label.language))
        return max(FLOOR, contrast(key, stems)) if stems and key else 0.0


def _is_name(text: str) -> bool:
    """Whether all words have a capital.

    >>> _is_name("Peter Sadowski"), _is_name("Higgs boson")
    (True, False)
    """
    return all(word[0].isupper() for word in text.split())


def with_keyness(ontology: Ontology, keyness: Keyness) -> Ontology:
    """Return the ontology with the keyness of each concept, measured by its first label."""
    concepts = (replace(concept, keyness=round(keyness.shown(concept), 4)) for concept in ontology.concepts)
    return replace(ontology, concepts=tuple(concepts))
