"""Which candidates are noun phrases, in languages that no tagger reads here.

In Dutch, French, German, Italian, Portuguese and Spanish a noun often stands behind an article, and a verb, a
button or an entry of a menu seldom does. In German it is also written with a capital.
"""

import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence

from fcwseo_ontology.corpus.background import Kind, articles, bylines, institutions
from fcwseo_ontology.corpus.tokens import HAN
from fcwseo_ontology.terms.candidates import Key, Unit, candidates_from, chunks

Accept = Callable[[Key, Sequence[Unit]], bool]

LEAST = 0.1  # of the occurrences of a noun phrase stand behind an article
RARE = 2  # occurrences of a word, of which none needs to
LONGEST = 3  # words of a phrase
PROSE = 0.05  # of all chunks stand behind an article in a text that has sentences
COLONS = (":", "\uff1a")
HEADING = 0.5  # of the occurrences of a heading stand before a colon or number
SEVERAL = 3  # texts have a heading
NAME = 3  # words of a name
BYLINE = 0.25  # of the occurrences of a name stand behind a byline or rank
VERBAL = re.compile(
    r"(?:ются|ется|ётся|ится|ятся|[аяу]ет|[аяе]ёт|[аяу]ют|[бвглнрстш]ать|[влнршз]ить|ывать|йте|ите|уть)$"
)  # of Russian words
INFLECTED = {  # an adjective before a noun
    "de": re.compile(r".{2,}(?:e|en|er|es|em)$"),
    "nl": re.compile(r".{2,}e$"),
}
INFINITIVE = {
    "es": re.compile(r".{2,}[aei]r(?:se)?$"),
    "fr": re.compile(r".{2,}(?:er|ir|re)$"),
    "it": re.compile(r".{2,}(?:are|ere|ire|arsi|ersi|irsi)$"),
    "pt": re.compile(r".{2,}[aei]r$"),
}


def anything(key: Key, part: Sequence[Unit]) -> bool:
    """Accepts every candidate."""
    return True


def among(phrases: Container[str]) -> Accept:
    """Accepts what is one of the phrases, in lower case; of single words all."""
    return lambda key, part: len(part) == 1 or " ".join([unit.text for unit in part]).lower() in phrases


def behind_articles(
    texts: Iterable[Sequence[Unit]], language: str, case: Mapping[str, str], *, rare: int = RARE
) -> Accept:
    """Accepts what stands behind an article often enough; ``case`` is how each word is mostly written.

    A word with at most ``rare`` occurrences need not.
    """
    known = articles(language)
    if not known:
        return anything
    found, all_of = _counts(texts, known, language)
    if found is None:
        return anything

    def accept(key: Key, part: Sequence[Unit]) -> bool:
        if language == "de" and not _written_as_noun(part, case):
            return False
        if len(part) == 1:
            return is_noun(key)
        if len(part) > LONGEST or not 0 < LEAST * all_of[key] <= found[key]:
            return False
        ending = INFINITIVE.get(language)
        verbal = ending is None or ending.match(part[-1].text.lower())
        return not verbal or language == "de" or is_noun(part[-1].stems)

    def is_noun(key: Key) -> bool:
        return found[key] >= LEAST * all_of[key] if found[key] else all_of[key] <= rare

    return accept


def both(one: Accept, other: Accept) -> Accept:
    """Accepts what both accept."""
    return lambda key, part: one(key, part) and other(key, part)


def no_furniture(texts: Sequence[Sequence[Unit]], language: str) -> Accept:
    """Accepts what is no furniture of web pages.

    Rejected are headings in the text, which mostly stand before a colon or number ("Figure 3"); people who
    made the pages or work there, whose names stand behind a byline or rank ("Author: Jane Doe"); ranks and
    institutions; and what repeats a word.
    """
    staff = bylines(language) | institutions(language)
    headings, people = _headings(texts), _people(texts, bylines(language))

    def accept(key: Key, part: Sequence[Unit]) -> bool:
        staffed = key[-1] in people or part[-1].text.lower() in staff
        return key not in headings and not staffed and len({*key}) == len(key)

    return accept


def _headings(texts: Iterable[Sequence[Unit]]) -> set[Key]:
    """What mostly stands before a colon or number, in several texts: "See also:", "Figure 3"."""
    found: Counter[Key] = Counter()
    total: Counter[Key] = Counter()
    having: Counter[Key] = Counter()
    for units in texts:
        own: set[Key] = set()
        for chunk, behind in _followed(units):
            parts = [key for key, part in _candidates(chunk)]
            total.update(parts)
            if behind in COLONS or behind.isdigit():
                ends = [key for key, part in _candidates(chunk) if part[-1] is chunk[-1]]
                found.update(ends)
                own.update(ends)
        having.update(own)
    return {key for key in found if having[key] >= SEVERAL and found[key] >= HEADING * total[key]}


def _people(texts: Iterable[Sequence[Unit]], ranks: Container[str]) -> set[str]:
    """The stems of words that stand behind a byline or rank often, with a capital or in Chinese."""
    found: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for units in texts:
        near = 0
        for unit in units:
            word = unit.text.lower()
            if word in ranks:
                near = NAME
            elif unit.words and (unit.text.istitle() or HAN.match(unit.text)):
                total.update(unit.stems)
                if near:
                    found.update(unit.stems)
                near = 0 if HAN.match(unit.text) else max(0, near - 1)
            else:
                total.update(unit.stems)
                near = near if unit.text in COLONS else 0
    return {stem for stem, count in found.items() if count >= BYLINE * total[stem]}


def _followed(units: Sequence[Unit]) -> Iterator[tuple[list[Unit], str]]:
    """The runs without a stop word or mark, and what stands behind each."""
    chunk: list[Unit] = []
    for unit in units:
        if unit.kind is not Kind.STOP:
            chunk.append(unit)
        elif chunk:
            yield chunk, unit.text
            chunk = []
    if chunk:
        yield chunk, ""


def _candidates(chunk: Sequence[Unit]) -> Iterator[tuple[Key, Sequence[Unit]]]:
    for start in range(len(chunk)):
        yield from candidates_from(chunk, start)


def no_verbs(key: Key, part: Sequence[Unit]) -> bool:
    """Accepts Russian phrases without a word that ends like a verb.

    >>> from fcwseo_ontology.corpus.background import background
    >>> from fcwseo_ontology.terms.candidates import Units
    >>> units = Units(background("ru")).read("фильтр создаёт")
    >>> no_verbs((), units[:1]), no_verbs((), units)
    (True, False)
    """
    return not any(VERBAL.search(unit.text.lower()) for unit in part)


def _counts(
    texts: Iterable[Sequence[Unit]], known: Container[str], language: str
) -> tuple[Counter[Key] | None, Counter[Key]]:
    """How often each candidate stands behind an article, and how often in all; no first in lists of words."""
    adjective = INFLECTED.get(language)
    found: Counter[Key] = Counter()
    all_of: Counter[Key] = Counter()
    total = behind = 0
    for units in texts:
        for chunk, before in chunks(units):
            article = _is_article(before, known)
            total += 1
            behind += article
            for start in range(len(chunk)):
                keys = [key for key, _ in candidates_from(chunk, start)]
                all_of.update(keys)
                if article and (start == 0 or (start == 1 and adjective and adjective.match(chunk[0].text))):
                    inflected = start < len(chunk) - 1 and adjective and adjective.match(chunk[start].text)
                    found.update(keys[1:] if inflected and language == "nl" else keys)
    return (found if behind >= PROSE * total else None), all_of


def _is_article(before: Sequence[Unit], known: Container[str]) -> bool:
    """Whether an article ends there; of "l'asse" and "dell'acqua" it is parted by a mark."""
    words = [unit.text.lower() for unit in before]
    if words and words[-1] in ("'", "\u2019"):
        words = words[:-1]
    return bool(words) and words[-1] in known


def _written_as_noun(part: Sequence[Unit], case: Mapping[str, str]) -> bool:
    """Whether the last word has a capital, and so have the others that are not inflected as adjectives."""
    forms = [case.get(unit.words[0], unit.text) if unit.words else unit.text for unit in part]
    *others, last = forms
    return last[:1].isupper() and all(form[:1].isupper() or INFLECTED["de"].match(form) for form in others)
