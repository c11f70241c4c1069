"""How much the documents that name a topic stand apart from the rest of a corpus.

Documents on a side issue are more like each other than like the rest. Where the topic is what all documents
are about, those that name it are not, since naming it is chance then.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from fcwseo_ontology.corpus.documents import Corpus
from fcwseo_ontology.corpus.tokens import stem, words

Vector = Mapping[str, float]


def likeness(vectors: Sequence[Vector], naming: int) -> float:
    """How many times as alike the documents of a bit mask are among themselves as to the others.

    It is the ratio of the mean cosines of vectors of words, each with its count times the square of its idf:
    rare words tell topics apart. It is 1 where there are not two on one side, and one on the other.

    >>> from fcwseo_ontology.corpus.read import corpus_of_texts
    >>> texts = ["honey of bees", "wax of bees", "cars on roads", "cars on ice"]
    >>> vectors = vectors_of(corpus_of_texts(texts))
    >>> likeness(vectors, 0b0011) > 2 > 1 > likeness(vectors, 0b0101)
    True
    """
    some = [vector for place, vector in enumerate(vectors) if naming >> place & 1]
    others = [vector for place, vector in enumerate(vectors) if not naming >> place & 1]
    if len(some) < 2 or not others:
        return 1.0
    inside, outside = _sum(some), _sum(others)
    own = sum(value * value for vector in some for value in vector.values())
    within = (_product(inside, inside) - own) / (len(some) * (len(some) - 1))
    across = _product(inside, outside) / (len(some) * len(others))
    return within / across if across > 0 else math.inf


def vectors_of(corpus: Corpus) -> list[Vector]:
    """The documents as vectors of length 1."""
    counts = [
        Counter(stem(word, document.language) for word in words(text, document.language))
        for document in corpus.documents
        for text in (f"{document.title}\n{document.text}",)
    ]
    documents = Counter(word for count in counts for word in count)
    rarity = {word: math.log(len(counts) / found) ** 2 for word, found in documents.items()}
    return [_unit({word: n * rarity[word] for word, n in count.items()}) for count in counts]


def _unit(vector: Vector) -> Vector:
    length = math.sqrt(sum(value * value for value in vector.values()))
    return {word: value / length for word, value in vector.items()} if length else {}


def _sum(vectors: Iterable[Vector]) -> Vector:
    total: defaultdict[str, float] = defaultdict(float)
    for vector in vectors:
        for word, value in vector.items():
            total[word] += value
    return total


def _product(one: Vector, other: Vector) -> float:
    return sum(value * other.get(word, 0.0) for word, value in one.items())
