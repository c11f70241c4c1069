"""Which candidates are noun phrases, in languages that no tagger reads here.

In Dutch, French, German, Italian, Portuguese and Spanish a noun often stands behind an article, and a verb, a
button or an entry of a menu seldom does. In German it is also written with a capital.
"""

import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence

from fcwseo_ontology.corpus.background import articles
from fcwseo_ontology.terms.candidates import Key, Unit, candidates_from, chunks

Accept = Callable[[Key, Sequence[Unit]], bool]

LEAST = 0.1  # of the occurrences of a noun phrase stand behind an article
RARE = 2  # occurrences of a word, of which none needs to
LONGEST = 3  # words of a phrase
PROSE = 0.05  # of all chunks stand behind an article in a text that has sentences
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


def behind_articles(texts: Iterable[Sequence[Unit]], language: str, case: Mapping[str, str]) -> Accept:
    """Accepts what stands behind an article often enough; ``case`` is how each word is mostly written."""
    known = articles(language)
    if not known:
        return anything
    found, all_of = _counts(texts, known, INFLECTED.get(language))
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
        return found[key] >= LEAST * all_of[key] if found[key] else all_of[key] <= RARE

    return accept


def _counts(
    texts: Iterable[Sequence[Unit]], known: Container[str], adjective: re.Pattern[str] | None
) -> tuple[Counter[Key] | None, Counter[Key]]:
    """How often each candidate stands behind an article, and how often in all; no first in lists of words."""
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
                    found.update(keys)
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
