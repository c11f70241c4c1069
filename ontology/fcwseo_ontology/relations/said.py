"""All that is said of the terms of a corpus, before any of it is believed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fcwseo_ontology.corpus.documents import Corpus
from fcwseo_ontology.relations.features import Sayings, exemplified, said_of, whole_phrases
from fcwseo_ontology.relations.find import Known, chinese_kinds_said, find_sentences, same_meaning
from fcwseo_ontology.relations.statements import Names, Source, Statement
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


def what_is_said(
    terms: Sequence[Term],
    reading: Reading,
    corpus: Corpus,
    wordnet: WordNet | None,
    *,
    keyness: Mapping[str, float],
) -> Said:
    """What heads, sentences and WordNet say of the terms, kinds and synonyms as statements.

    ``keyness`` is that of English stems.
    """
    found = said_of(terms, reading.pairs, corpus, wordnet, keyness=keyness)
    known = Known(terms, corpus, find_sentences(terms, corpus), found.meanings, wordnet)
    statements = (*found.statements, *same_meaning(known), *chinese_kinds_said(known))
    phrases = whole_phrases(found.names.labels, corpus, known=_in_wordnet(found))
    phrases |= exemplified(reading.pairs, found.names)
    return Said(statements, found.names, phrases, known)


def _in_wordnet(said: Sayings) -> frozenset[str]:
    """What WordNet puts above a term without being one."""
    found = (one for one in said.statements if one.source is Source.WORDNET)
    above = {one.parent for one in found if said.names.is_term(one.child)}
    return frozenset(node for node in above if not said.names.is_term(node))
