"""Terms that the sentences of a corpus name as kinds or examples of terms: "pests such as the wax moth"."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from fcwseo_ontology.corpus.background import Kind, background, background_of_terms
from fcwseo_ontology.corpus.documents import Corpus
from fcwseo_ontology.corpus.tokens import words
from fcwseo_ontology.corpus.wordlists import is_listed
from fcwseo_ontology.terms.cleaning import is_noun, merged, spelling
from fcwseo_ontology.terms.extract import Term
from fcwseo_ontology.terms.focus import occurrences
from fcwseo_ontology.terms.ranking import contrast, contrasts
from fcwseo_ontology.terms.reading import Reading, SentencePair

LEAST_TRUST = 0.5
LEAST_CONTRAST = 1.5
LEAST_CONTRAST_OF_WORD = 2.0
LONGEST = 4  # words
MOST = 80


def grow(terms: Sequence[Term], reading: Reading, corpus: Corpus, *, limit: int = MOST) -> list[Term]:
    """What sentences name as a kind of a phrase that ends in one of the English terms, the surest first.

    It is also a phrase that is much commoner here than elsewhere, and does not end in an empty word.
    """
    said = _said(terms, reading)
    if not said or limit < 1:
        return []
    stems = contrasts(_words(corpus), background("en"))
    scores = {}
    for key, pairs in said.items():
        rarity = contrast(tuple(key.split()), stems)
        if rarity >= (LEAST_CONTRAST if " " in key else LEAST_CONTRAST_OF_WORD):
            scores[key] = rarity * max(pair.trust for pair in pairs)
    best = sorted(scores, key=lambda key: (-scores[key], key))
    masks = occurrences(corpus, best, "en")
    most = max(scores.values(), default=1.0)
    found = [_term(key, said[key], masks[key], scores[key] / most) for key in best]
    return _new(terms, [term for term in found if is_noun(term, reading)])[:limit]


def _said(terms: Sequence[Term], reading: Reading) -> Mapping[str, list[SentencePair]]:
    """The trusted pairs by the keys of their children, of those whose parent ends in a term."""
    keys = {term.key for term in terms if term.language == "en"}
    said: defaultdict[str, list[SentencePair]] = defaultdict(list)
    for pair in reading.pairs:
        if pair.trust >= LEAST_TRUST and _ends_in(pair.parent.key, keys) and _is_name(pair.child.text):
            said[pair.child.key].append(pair)
    return said


def _ends_in(phrase: str, keys: set[str]) -> bool:
    stems = phrase.split()
    return any(" ".join(stems[start:]) in keys for start in range(len(stems)))


def _is_name(text: str) -> bool:
    """Whether a phrase may name something: it is short, and its last word is not empty."""
    parts = words(text)
    if not parts or len(parts) > LONGEST or len("".join(parts)) < 3 or not parts[-1][0].isalpha():
        return False
    kinds = [background_of_terms("en").kind(part) for part in parts]
    if Kind.STOP in kinds or kinds[-1] is Kind.GENERIC:
        return False
    return not any(is_listed(parts[-1], name) for name in ("roles", "attributes", "light"))


def _words(corpus: Corpus) -> list[list[str]]:
    english = (document for document in corpus.documents if document.language == "en")
    return [words(f"{document.title}\n{document.text}") for document in english]


def _term(key: str, pairs: Sequence[SentencePair], documents: int, score: float) -> Term:
    """A grown term, written as most pairs have it."""
    forms = Counter(_as_inside(pair) for pair in pairs)
    label = max(forms, key=lambda form: (forms[form], form))
    return Term(label, key, tuple(forms), "en", documents, score, source="sentence")


def _as_inside(pair: SentencePair) -> str:
    """The child as it is written; a capital at the beginning of the sentence says nothing."""
    text = pair.child.text
    first = text.split()[0]
    known = first.lower() in background("en").rates or any(word.islower() for word in text.split())
    begins = pair.quote.startswith((text, f"A {text}", f"The {text}"))
    return text[0].lower() + text[1:] if begins and known and first.istitle() else text


def _new(terms: Sequence[Term], grown: Sequence[Term]) -> list[Term]:
    """The grown terms that are not, in another spelling, one of the terms."""
    known = {(term.language, spelling(term)) for term in terms}
    return merged([term for term in grown if (term.language, spelling(term)) not in known])
