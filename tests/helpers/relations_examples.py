"""A little language for tests of relations: terms by their labels, corpora by their sentences."""

from collections.abc import Iterable, Sequence

from fcwseo_ontology.corpus.documents import Corpus, Document
from fcwseo_ontology.corpus.tokens import key, language_of, words
from fcwseo_ontology.fca.engines import concept_lattice
from fcwseo_ontology.fca.lattice import Lattice
from fcwseo_ontology.fca.order import introducer_order
from fcwseo_ontology.model import Edge
from fcwseo_ontology.relations.find import find_relations
from fcwseo_ontology.relations.kinds import Kinds, formal_context, kinds_of
from fcwseo_ontology.relations.said import what_is_said
from fcwseo_ontology.relations.statements import Names, believed
from fcwseo_ontology.relations.wordnet import WordNet
from fcwseo_ontology.terms.extract import Term
from fcwseo_ontology.terms.reading import Phrase, Reading, SentencePair


def corpus(*texts: str, title: str = "") -> Corpus:
    documents = (Document(str(at), title, text, (), language_of(text)) for at, text in enumerate(texts))
    return Corpus(tuple(documents))


def terms(*labels: str, where: Corpus | None = None) -> list[Term]:
    """Terms that stand in the documents of a corpus, if there is one."""
    return [_term(label, where) for label in labels]


def _term(label: str, where: Corpus | None) -> Term:
    language = language_of(label)
    found = 0
    for number, document in enumerate(where.documents if where else ()):
        text = f"{document.title} {document.text}"
        inside = label in text if language == "zh" else f" {key(label)} " in f" {key(text)} "
        found |= inside << number
    forms = (label,) if language == "zh" or len(words(label)) > 5 else (label, f"{label}s")
    return Term(label, key(label, language), forms, language, found, 1.0)


def hierarchy(
    some: Sequence[Term],
    where: Corpus,
    *,
    wordnet: WordNet | None = None,
    pairs: Iterable[SentencePair] = (),
) -> tuple[Kinds, Lattice, Names]:
    """The kinds of terms by the lattice of their formal context, with that lattice and the nodes' names."""
    said = what_is_said(some, Reading(tuple(pairs)), where, wordnet, keyness={})
    beliefs = believed(said.statements, where.documents)
    lattice = concept_lattice(formal_context(some, beliefs, phrases=said.phrases))
    return kinds_of(some, introducer_order(lattice), beliefs, said.names), lattice, said.names


def relations(
    some: Sequence[Term], where: Corpus, *, wordnet: WordNet | None = None, topic: str | None = None
) -> tuple[Edge, ...]:
    """The typed relations of terms beside what they are."""
    said = what_is_said(some, Reading(), where, wordnet, keyness={})
    beliefs = believed(said.statements, where.documents)
    return find_relations(said.known, beliefs=beliefs, topic=topic)


def pair(child: str, parent: str, *, document: int = 0, trust: float = 0.75) -> SentencePair:
    """What a sentence says: "storms such as gales"."""
    one, other = (Phrase(text, key(text), words(text)[-1]) for text in (child, parent))
    return SentencePair(one, other, trust, "such as", document, f"{parent} such as {child}")


def kinds(
    *labels: str,
    texts: Sequence[str] = ("Nothing.",),
    wordnet: WordNet | None = None,
    pairs: Iterable[SentencePair] = (),
) -> set[tuple[str, str, str]]:
    """The edges of the hierarchy of kinds, by labels."""
    where = corpus(*texts)
    found, _, names = hierarchy(terms(*labels, where=where), where, wordnet=wordnet, pairs=pairs)
    return {(names.labels[one.child], one.relation.value, names.labels[one.parent]) for one in found.edges}


def triples(edges: Iterable[Edge], some: Iterable[Term]) -> set[tuple[str, str, str]]:
    """The edges by labels: child, relation, parent."""
    labels = {term.key: term.label for term in some}
    return {(labels[edge.child], edge.relation.value, labels[edge.parent]) for edge in edges}


def weather_wordnet() -> WordNet:
    """A few synsets, in the words of their kind: enough for rain, storms, a pot and an election."""
    lines = [
        ("00000001 19 n 01 weather 0", ["~ 2", "~ 5"], "the state of the sky"),
        ("00000002 19 n 01 precipitation 0", ["@ 1", "~ 3", "~ 4"], "water falling to earth"),
        ("00000003 19 n 02 rain 0 rainfall 0", ["@ 2"], "water falling in drops"),
        ("00000004 19 n 01 snow 0", ["@ 2"], "water falling in flakes"),
        ("00000005 19 n 01 storm 0", ["@ 1", "~ 6"], "violent weather with wind and rain"),
        ("00000006 19 n 01 thunderstorm 0", ["@ 5"], "a storm with lightning and rain"),
        ("00000007 17 n 01 river 0", ["%p 8"], "a large stream"),
        ("00000008 17 n 01 mouth 0", ["#p 7"], "where a river ends"),
        ("00000009 11 n 01 landslide 0", [], "a great victory in an election"),
        ("00000010 11 n 01 landslide 0", [], "a slide of earth after rain in a storm"),
        ("00000011 06 n 01 engine 0", [], "a motor"),
        ("00000012 10 n 01 search_engine 0", [], "a program that finds pages"),
        ("00000013 10 n 02 query 0 question 0", [], "a sentence that asks"),
    ]
    data = [
        f"{head} {len(links):03d} "
        + " ".join(f"{link.split()[0]} {int(link.split()[1]):08d} n 0000" for link in links)
        + f" | {gloss}"
        for head, links, gloss in lines
    ]
    index: dict[str, list[str]] = {}
    for line in data:
        fields = line.split()
        for word in fields[4 : 4 + 2 * int(fields[3]) : 2]:
            index.setdefault(word, []).append(fields[0])
    return WordNet.of_lines(
        [f"{word} n {len(found)} 0 {len(found)} 0 {' '.join(found)}" for word, found in index.items()], data
    )
