"""The terms of an ontology: the topic, what an expert wants, the best of the corpus, and what these grow."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from fcwseo_ontology.bits import bits
from fcwseo_ontology.corpus.documents import Corpus
from fcwseo_ontology.corpus.tokens import key, language_of, words
from fcwseo_ontology.corpus.wordlists import singulars
from fcwseo_ontology.errors import InvalidInput
from fcwseo_ontology.terms.extract import Term, default_df, the_documents
from fcwseo_ontology.terms.focus import Topical, occurrences, topical_terms
from fcwseo_ontology.terms.grow import MOST, grow
from fcwseo_ontology.terms.reading import Reading, read

FEW_WITHOUT = 0.1  # of the documents: from there on those without a term are named
NAMES = 10  # of such documents


@dataclass(frozen=True, slots=True)
class Chosen:
    """The topic as first term, then the others; and in ``notes``, a sentence each, how they were chosen.

    ``corpus``: the documents on the topic, which are all unless it is a side issue.
    """

    terms: tuple[Term, ...]
    notes: tuple[str, ...]
    corpus: Corpus


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a user asks of the terms.

    ``minimum_df``: how many documents must have a term, without one as many as the corpus allows.
    ``whole_corpus``: take terms from all documents even if the topic is a side issue. ``keep``: the decisions
    of an expert, by label.
    """

    topic: str
    terms: int = 80
    minimum_df: int | None = None
    whole_corpus: bool = False
    keep: Mapping[str, bool] | None = None


def choose(corpus: Corpus, wishes: Wishes, *, reading: Reading | None = None) -> Chosen:
    """The topic, then the terms that the expert wants, then the best others, without those he does not want.

    ``wishes.terms`` counts what is neither the topic nor grown from sentences; an expert may want more.

    >>> from fcwseo_ontology.corpus.read import corpus_of_texts
    >>> texts = ["Bees live in a hive. Pests such as the wax moth harm the hive.", "The hive has pests."]
    >>> [term.label for term in choose(corpus_of_texts(texts), Wishes("bees", terms=2)).terms]
    ['bees', 'hive', 'pests', 'wax moth']
    """
    total = len(corpus.documents)
    if wishes.minimum_df is not None and wishes.minimum_df > total > 0:
        raise InvalidInput(
            f"--min-df is {wishes.minimum_df}, more than {the_documents(total)} of the corpus: lower it"
        )
    reading = reading or read(corpus)
    keep = wishes.keep or {}
    topical = topical_terms(
        corpus,
        wishes.topic,
        limit=wishes.terms + len(keep),
        minimum_df=wishes.minimum_df,
        whole_corpus=wishes.whole_corpus,
        reading=reading,
    )
    chosen = _decided(corpus, topical.terms, keep, wishes.terms)
    unwanted = [label for label, yes in keep.items() if not yes]
    grown = [term for term in grow(chosen, reading, corpus, limit=MOST) if not _is_named(term, unwanted)]
    grown = grown[: wishes.terms]
    notes = tuple(_notes(corpus, wishes, topical, chosen, grown))
    return Chosen((*chosen, *grown), notes, _on_topic(corpus, topical))


def _on_topic(corpus: Corpus, topical: Topical) -> Corpus:
    if not topical.side_issue:
        return corpus
    return replace(corpus, documents=tuple(corpus.documents[number] for number in bits(topical.apart)))


def _decided(corpus: Corpus, terms: Sequence[Term], keep: Mapping[str, bool], limit: int) -> list[Term]:
    """The topic, the terms to keep, and as many of the others as make ``limit``."""
    root, *others = terms
    unwanted = [label for label, yes in keep.items() if not yes]
    others = [term for term in others if not _is_named(term, unwanted)]
    found = {term.key: term for term in others}
    keeping = {_key(label): label for label, yes in keep.items() if yes and _key(label) != root.key}
    found |= _asked_for(corpus, {one: label for one, label in keeping.items() if one not in found})
    kept = [found[one] for one in keeping]
    undecided = [term for term in others if term.key not in keeping]
    return [root, *kept, *undecided[: max(0, limit - len(kept))]]


def _is_named(term: Term, labels: Iterable[str]) -> bool:
    """Whether one of the labels is that of a term, in the singular or plural.

    The stem alone does not tell: "pollinator" has that of "pollination".
    """
    alike = (label for label in labels if _key(label) == term.key)
    return any(term.language != "en" or _numbers(label) & _numbers(term.label) for label in alike)


def _numbers(label: str) -> set[str]:
    text = " ".join(words(label))
    return {text, *singulars(text)}


def _asked_for(corpus: Corpus, labels: Mapping[str, str]) -> dict[str, Term]:
    """Terms that were not among the candidates, by their keys."""
    languages = {one: language_of(label) for one, label in labels.items()}
    found: dict[str, int] = {}
    for language in dict.fromkeys(languages.values()):
        found |= occurrences(corpus, [one for one in labels if languages[one] == language], language)
    return {one: Term(label, one, (), languages[one], found[one], 0.0) for one, label in labels.items()}


def _key(label: str) -> str:
    return key(label, language_of(label))


def _notes(
    corpus: Corpus, wishes: Wishes, topical: Topical, chosen: Sequence[Term], grown: Sequence[Term]
) -> Iterator[str]:
    total = len(corpus.documents)
    naming = f"{topical.naming.bit_count()} of {the_documents(total)} name {wishes.topic!r}"
    if topical.side_issue:
        yield f"{naming} and differ from the others: terms are taken near it, not from the whole corpus"
    else:
        yield f"{naming}; terms are taken from the whole corpus"
    if total == 1:
        yield "the corpus is a single document: what is a term, and what is chance, is hard to tell from one"
    if len(chosen) - 1 < wishes.terms:
        yield f"{len(chosen) - 1} terms instead of {wishes.terms}: {_why_fewer(corpus, wishes, topical)}"
    yield f"{len(chosen) - 1} terms are chosen, and {len(grown)} come from sentences as kinds of them"
    if not topical.side_issue:
        yield from _without_terms(corpus, [*chosen, *grown])


def _why_fewer(corpus: Corpus, wishes: Wishes, topical: Topical) -> str:
    if topical.side_issue:
        return "no other phrase is so much commoner in the documents on the topic than elsewhere"
    least = wishes.minimum_df or default_df(len(corpus.documents))
    where = "a document" if least == 1 else f"{least} documents"
    said = f"no other noun phrase stands in {where} and is commoner there than in general language"
    return f"{said}; a lower --min-df allows more" if least > 1 else said


def _without_terms(corpus: Corpus, terms: Sequence[Term]) -> Iterator[str]:
    """The documents that have none of the terms, if they are many."""
    total = len(corpus.documents)
    having = 0
    for term in terms:
        having |= term.documents
    names = [corpus.documents[number].id for number in bits(~having & ((1 << total) - 1))]
    if len(names) > FEW_WITHOUT * total:
        some = ", ".join(names[:NAMES]) + (f" and {len(names) - NAMES} more" if len(names) > NAMES else "")
        yield f"{len(names)} of {the_documents(total)} have none of the terms: {some}"
