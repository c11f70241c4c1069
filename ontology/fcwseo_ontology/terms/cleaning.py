"""Which of the extracted terms are none, since they are verbs, and which are one, written in two ways."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from fcwseo_ontology.corpus.tagging import is_function_word
from fcwseo_ontology.corpus.tagging import uses as uses_elsewhere
from fcwseo_ontology.corpus.tokens import WORD
from fcwseo_ontology.terms.extract import Term
from fcwseo_ontology.terms.reading import Reading, Uses

VERBAL = 1.5  # times as often as a noun a word stands as a verb that is no term
VERBAL_BUT_NOUN = 4.0  # the same for a word that elsewhere is a noun, too
YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


def nouns_only(terms: Sequence[Term], reading: Reading) -> list[Term]:
    """The terms without those that are English, but no nouns.

    A compound must be a noun phrase somewhere ("spores stay" is none); a word must not mostly be a verb. What
    ends in -ing stays, and so does a word that two terms end in, and what an author gave. What is mostly a
    verb or an adjective is shown by the noun among its forms: "eat" as "eating".
    """
    heads = Counter(term.key.split()[-1] for term in terms if " " in term.key)
    return [
        _shown_as_noun(term, reading)
        for term in terms
        if term.language != "en" or term.keyword or heads[term.key] > 1 or is_noun(term, reading)
    ]


def is_noun(term: Term, reading: Reading) -> bool:
    """
    >>> from fcwseo_ontology.terms.reading import Uses
    >>> struck = Term("struck", "struck", ("struck",), "en", 0b11, 0.5)
    >>> is_noun(struck, Reading(uses={"struck": Uses(noun=1, verb=4)}))
    False
    """
    forms = dict.fromkeys((term.label, *term.variants))
    if len(WORD.findall(term.label)) > 1:
        return any(form.lower() in reading.phrases for form in forms)
    if is_function_word(term.label):
        return False
    if term.label.endswith("ing"):
        return True
    counts = [reading.uses[form] for form in dict.fromkeys(map(str.lower, forms)) if form in reading.uses]
    noun, verb = sum(one.noun for one in counts), sum(one.verb for one in counts)
    if not term.label.islower():
        return noun > 0
    factor = VERBAL_BUT_NOUN if any(uses_elsewhere(form)[0] for form in forms) else VERBAL
    return noun > 0 and verb < factor * noun


def _shown_as_noun(term: Term, reading: Reading) -> Term:
    label = term.label
    if term.language != "en" or term.keyword or not label.islower() or len(WORD.findall(label)) > 1:
        return term
    none = Uses(0, 0)
    own, elsewhere = reading.uses.get(label, none), uses_elsewhere(label)
    if own.verb <= VERBAL * own.noun and elsewhere[2] <= elsewhere[0]:
        return term
    nouns = {form: reading.uses.get(form, none) for form in term.variants if form.islower()}
    best = max(nouns, key=lambda form: (nouns[form].noun - nouns[form].verb, form == label), default=label)
    return replace(term, label=best) if nouns.get(best, none).noun > own.noun else term


def merged(terms: Sequence[Term]) -> list[Term]:
    """The terms; those that differ by hyphens, by British spelling or by a year only are one, the best.

    >>> two = [Term("pre-trained model", "pre train model", (), "en", 0b01, 0.5),
    ...        Term("pretrained model", "pretrain model", (), "en", 0b10, 0.4)]
    >>> [(term.label, term.variants, term.df) for term in merged(two)]
    [('pre-trained model', ('pre-trained model', 'pretrained model'), 2)]
    """
    groups: dict[tuple[str, str], list[Term]] = {}
    for term in terms:
        groups.setdefault((term.language, spelling(term)), []).append(term)
    return [_one(group) for group in groups.values()]


def spelling(term: Term) -> str:
    """What is alike in all spellings of a term."""
    if term.language == "zh":
        return term.key
    undated = YEAR.sub(" ", term.key).strip() or term.key
    letters = undated.replace(" ", "")
    return letters.replace("z", "s").replace("our", "or") if term.language == "en" else letters


def _one(group: Sequence[Term]) -> Term:
    first = group[0]
    if len(group) == 1:
        return first
    undated = next((term for term in group if not YEAR.search(term.label)), first)
    variants = dict.fromkeys(form for term in group for form in (term.label, *term.variants))
    documents = 0
    for term in group:
        documents |= term.documents
    return replace(
        undated,
        variants=tuple(variants),
        documents=documents,
        score=first.score,
        keyword=any(term.keyword for term in group),
    )
