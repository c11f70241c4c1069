"""Which candidates are terms of the domain: C-value, domain contrast, and their fusion over several rankings.

C-value: Frantzi, Ananiadou and Mima, "Automatic recognition of multi-word terms: the C-value/NC-value
method", International Journal on Digital Libraries 3, 2000. Fusion: Cormack, Clarke and Buettcher,
"Reciprocal rank fusion outperforms Condorcet and individual rank learning methods", SIGIR 2009.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from math import log, log2

from fcwseo_ontology.corpus.background import Background
from fcwseo_ontology.corpus.tokens import stem
from fcwseo_ontology.terms.candidates import Key

FUSION = 60  # the constant of reciprocal rank fusion, as in its paper
PIECE = 200  # words, about an abstract: longer documents are cut into such pieces before words are compared


def c_values(frequency: Mapping[Key, int]) -> dict[Key, float]:
    """C-value with ``log2(length + 1)``, so that single words stay.

    What is taken off a part of longer candidates is the frequency of the commonest of them, not their mean:
    the mean leaves fragments such as "neural" nearly all their occurrences where rare candidates have them.

    >>> c_values({("neural",): 9, ("neural", "network"): 8, ("deep", "neural", "network"): 2})[("neural",)]
    1.0
    """
    longer: defaultdict[Key, int] = defaultdict(int)
    for key, count in frequency.items():
        for part in _parts(key):
            if part in frequency:
                longer[part] = max(longer[part], count)
    return {key: log2(len(key) + 1) * (count - longer[key]) for key, count in frequency.items()}


def _parts(key: Key) -> Iterator[Key]:
    for length in range(1, len(key)):
        for start in range(len(key) - length + 1):
            yield key[start : start + length]


def contrasts(documents: Iterable[Sequence[str]], background: Background) -> dict[str, float]:
    """How much more often each stem stands in these documents than in other domains: log-odds, at least 0.

    All are 1 in a language without a background table.
    """
    pieces = [piece for words in documents for piece in _pieces(words)]
    found: Counter[str] = Counter()
    for piece in pieces:
        found.update(dict.fromkeys(piece, 1))
    variants: defaultdict[str, list[str]] = defaultdict(list)
    for word in found:
        variants[stem(word, background.language)].append(word)
    if not background.rates:
        return dict.fromkeys(variants, 1.0)
    length = sum(map(len, pieces)) / max(1, len(pieces))
    contrast = {}
    for root, forms in variants.items():
        share = _share(sum(found[word] for word in forms), len(pieces))
        contrast[root] = max(0.0, _log_odds(share) - _log_odds(background.expected(forms, length)))
    return contrast


def _pieces(words: Sequence[str]) -> Iterator[Sequence[str]]:
    """As few pieces as possible, all about as long."""
    count = max(1, round(len(words) / PIECE))
    size = max(1, -(-len(words) // count))
    for start in range(0, len(words), size):
        yield words[start : start + size]


def _share(count: int, total: int) -> float:
    return (min(count, total) + 0.5) / (total + 1)


def _log_odds(share: float) -> float:
    share = min(max(share, 1e-12), 0.999)
    return log(share / (1 - share))


def contrast(key: Key, stems: Mapping[str, float]) -> float:
    """The mean over the words of a phrase."""
    return sum(stems.get(word, 0.0) for word in key) / len(key)


def fuse(rankings: Collection[tuple[Sequence[Key], float]], *, share: float = 1.0) -> dict[Key, float]:
    """Reciprocal rank fusion of rankings with their weights, scaled to at most 1.

    ``share``: of the corpus, what these rankings come from; the smaller, the further down their ranks count.

    >>> fuse([([("a",), ("b",)], 1), ([("a",)], 1)])
    {('a',): 1.0, ('b',): 0.4919354838709677}
    """
    scores: defaultdict[Key, float] = defaultdict(float)
    for ranking, weight in rankings:
        for rank, key in enumerate(ranking, 1):
            scores[key] += weight / (FUSION + rank / share)
    most = sum(weight for _, weight in rankings) / (FUSION + 1)
    return {key: score / most for key, score in scores.items()}


def best_first(scores: Mapping[Key, float]) -> list[Key]:
    """The keys with a positive score; ties in the order of the keys."""
    return sorted((key for key, score in scores.items() if score > 0), key=lambda key: (-scores[key], key))
