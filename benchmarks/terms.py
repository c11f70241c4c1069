"""How many of the extracted terms did authors give as keywords, which are withheld from the extraction?

    python benchmarks/terms.py [CORPUS...]

Terms and keywords match by their stems. Precision is a lower bound, since a good term that no author listed
counts as wrong. Recurring keywords are those of two documents or more. Where hardly any is found there is
nothing to judge by, and the first terms are printed to be read.
"""

import argparse
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from fcwseo_ontology.corpus.documents import Corpus, Document
from fcwseo_ontology.corpus.read import read_corpus
from fcwseo_ontology.corpus.tokens import key
from fcwseo_ontology.terms.extract import extract_terms

SHARED = Path(__file__).parent.parent.parent / "shared" / "corpora"
NAMES = ("flash_floods_ccby", "information_retrieval_acl", "network_security_arxiv", "csl_zh")
TERMS = 1000


def main() -> None:
    parser = argparse.ArgumentParser(description="Judges term extraction by withheld author keywords.")
    parser.add_argument("corpora", nargs="*", type=Path, default=[SHARED / f"{name}.jsonl" for name in NAMES])
    for path in parser.parse_args().corpora:
        judge(path)


def judge(path: Path) -> None:
    corpus = read_corpus([path])
    withheld = tuple(replace(document, keywords=()) for document in corpus.documents)
    begin = time.perf_counter()
    terms = extract_terms(Corpus(withheld), limit=TERMS)
    seconds = time.perf_counter() - begin
    print(f"{path.stem}: {len(withheld)} documents, {len(terms)} terms in {seconds:.1f} s")
    gold = Counter(found for document in corpus.documents for found in keys(document))
    recurring = {found for found, count in gold.items() if count > 1}
    found = [term.key for term in terms]
    hits = len(recurring & {*found})
    if hits < 20:
        print(f"  only {hits} recurring keywords are among them; the first terms, to be read:")
        print("  " + ", ".join(term.label for term in terms[:60]))
        return
    print(f"  {len(gold)} keywords, {len(recurring)} of them recurring")
    print(f"  P@100 {precision(found[:100], gold):.2f}  P@300 {precision(found[:300], gold):.2f}")
    print(f"  recall of the recurring ones in the first {TERMS}: {hits / len(recurring):.2f}")


def keys(document: Document) -> set[str]:
    return {key(keyword, document.language) for keyword in document.keywords} - {""}


def precision(found: Iterable[str], gold: Counter[str]) -> float:
    hits = [term in gold for term in found]
    return sum(hits) / len(hits)


if __name__ == "__main__":
    main()
