"""All that is said of the terms of a corpus, before any of it is believed."""

from collections.abc import Sequence
from dataclasses import dataclass

from fcwseo_ontology.corpus.documents import Corpus
from fcwseo_ontology.relations.features import exemplified, said_of, whole_phrases
from fcwseo_ontology.relations.find import Known, chinese_kinds_said, find_sentences, same_meaning
from fcwseo_ontology.relations.statements import Names, Statement
from fcwseo_ontology.relations.wordnet import WordNet
from fcwseo_ontology.terms.extract import Term
from fcwseo_ontology.terms.reading import Reading


@dataclass(frozen=True, slots=True)
class Said:
    """``statements`` say what is what, in ``names``. ``known`` is what relations beside kinds are told by.

    ``phrases`` are the names that the corpus uses by themselves, or of which it names two kinds.
    """

    statements: tuple[Statement, ...]
    names: Names
    phrases: frozenset[str]
    known: Known


def what_is_said(terms: Sequence[Term], reading: Reading, corpus: Corpus, wordnet: WordNet | None) -> Said:
    """What heads, sentences and WordNet say of the terms, kinds and synonyms as statements."""
    found = said_of(terms, reading.pairs, corpus, wordnet)
    known = Known(terms, corpus, find_sentences(terms, corpus), found.meanings, wordnet)
    statements = (*found.statements, *same_meaning(known), *chinese_kinds_said(known))
    phrases = whole_phrases(found.names.labels, corpus) | exemplified(reading.pairs, found.names)
    return Said(statements, found.names, phrases, known)
