"""Time to derive weighted feature words from ontologies, and to compare all pairs of 500 concepts.

    python benchmarks/ontologies.py [FOLDER]

FOLDER contains the ENVO subsets, the beAWARE ontology and SWEET; missing files are skipped.
"""

import argparse
import logging
import time
from pathlib import Path
from random import Random

from fcwseo_ontology.model import Concept, Edge, Label, Ontology, Relation
from fcwseo_ontology.ossc import matrix, topic_of
from fcwseo_ontology.owl.ontologies import read_owl

TOPICS = [
    ("envo-process-hierarchy.owl", "flooding"),
    ("envo-environmental_hazards.owl", "flooding"),
    ("beaware.owl", "natural disaster"),
    ("sweet_all.nt.gz", "precipitation"),
    ("sweet_all.nt.gz", "phenomena"),
]


def weigh(path: Path, label: str) -> None:
    start = time.perf_counter()
    topic = topic_of(read_owl(path, topic=label))
    seconds = time.perf_counter() - start
    print(f"{path.name}, {label}: {len(topic.words)} words in {seconds:.2f} s")


def all_pairs(size: int, rng: Random) -> None:
    """A tree whose concepts have a parent among the 60 before them, every third two parents."""
    names = [f"c{i}" for i in range(size)]
    pairs = {(i, rng.randrange(max(0, i - 60), i)) for i in range(1, size) for _ in range(1 + (i % 3 == 0))}
    edges = tuple(Edge(names[i], names[j], rng.choice(list(Relation))) for i, j in sorted(pairs))
    whole = Ontology("c0", tuple(Concept(name, (Label(name),)) for name in names), edges)
    start = time.perf_counter()
    matrix(whole)
    print(f"all pairs of {size} concepts, {len(edges)} edges: {time.perf_counter() - start:.2f} s")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, nargs="?", default=Path("../shared/ontologies"))
    folder = parser.parse_args().folder
    logging.basicConfig(format="%(message)s")
    for name, label in TOPICS:
        if (folder / name).exists():
            weigh(folder / name, label)
    all_pairs(500, Random(1))


if __name__ == "__main__":
    main()
