"""How much of the main text of a page we find, how much else, and at which cost, beside two libraries.

    python benchmarks/main_text.py [--gold ../shared/external/main-text] [--part development|held-out|all]
    python benchmarks/main_text.py --before CHECKOUT

The first part needs a folder with ``html/ID.html.gz`` and ``ground-truth.json``, {ID: {"articleBody": text}}:
the data of the article extraction benchmark (github.com/scrapinghub/article-extraction-benchmark). The second
part has pages of five other kinds with gold of our own (``main_text_pages``). Texts are compared as that
benchmark does it: a text is the multiset of its runs of four tokens; per page, true and false positives and
false negatives are shares of these; precision, recall and F1 come from their means, the deviation from a
bootstrap over pages. A token is a run of word characters; a Chinese character is a token.

A third of the articles, chosen by their ids, is held out: nothing was developed while looking at them.

trafilatura and resiliparse are compared if they are installed; the benchmark needs neither:
``pip install trafilatura resiliparse``. ``--before`` compares with the code of another checkout. Each
extractor runs in a process of its own; they take turns page by page, and times are CPU time. Each page is
extracted once, so that no cache of an extractor knows it.
"""

import argparse
import gzip
import json
import os
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from html import unescape
from importlib.util import find_spec
from pathlib import Path
from random import Random
from statistics import fmean, stdev
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
KINDS = ("docs", "forum", "shop", "wiki", "news")
TOKEN = re.compile(r"[\u4e00-\u9fff]|[^\W\u4e00-\u9fff]+")
TAG = re.compile(r"<[^>]+>")
SHINGLE = 4  # tokens


class Sample(NamedTuple):
    """A page with its gold."""

    name: str
    html: str
    gold: str


class Shares(NamedTuple):
    """True positives, false positives and false negatives of a page, as shares of its shingles."""

    tp: float
    fp: float
    fn: float


# --- pages ------------------------------------------------------------------------------------------------


def is_held_out(name: str) -> bool:
    return int(name, 16) % 3 == 0


def articles(folder: Path, part: str) -> list[Sample]:
    gold = json.loads((folder / "ground-truth.json").read_text(encoding="utf-8"))
    return [
        Sample(name, gzip.decompress(_html(folder, name).read_bytes()).decode(errors="replace"), text)
        for name, text in ((name, gold[name]["articleBody"]) for name in sorted(gold))
        if part == "all" or is_held_out(name) == (part == "held-out")
    ]


def _html(folder: Path, name: str) -> Path:
    return folder / "html" / f"{name}.html.gz"


def marked(name: str, lines: str) -> Sample:
    """A page of our own making: a line that begins with a plus is main text.

    >>> marked("x", "  <div>menu</div>\\n+ <p>Rain &amp; hail</p>\\n")
    Sample(name='x', html='<div>menu</div>\\n<p>Rain &amp; hail</p>', gold='Rain & hail')
    """
    rows = lines.splitlines()
    gold = (unescape(TAG.sub(" ", row[2:])).strip() for row in rows if row.startswith("+"))
    return Sample(name, "\n".join(row[2:] for row in rows), "\n".join(gold))


def own_pages(kind: str) -> list[Sample]:
    files = sorted((HERE / "main_text_pages").glob(f"{kind}-*.txt"))
    return [marked(file.stem, file.read_text(encoding="utf-8")) for file in files]


# --- measures ---------------------------------------------------------------------------------------------


def shingles(text: str) -> Counter[tuple[str, ...]]:
    """
    >>> sorted(shingles("a b c d e")), list(shingles("a b"))
    ([('a', 'b', 'c', 'd'), ('b', 'c', 'd', 'e')], [('a', 'b')])
    """
    tokens = TOKEN.findall(text)
    if not tokens:
        return Counter()
    return Counter(tuple(tokens[i : i + SHINGLE]) for i in range(max(1, len(tokens) - SHINGLE + 1)))


def shares(text: str, gold: str) -> Shares:
    """
    >>> shares("a b c d e", "a b c d")
    Shares(tp=0.5, fp=0.5, fn=0.0)
    """
    found, wanted = shingles(text), shingles(gold)
    tp = (found & wanted).total()
    fp, fn = found.total() - tp, wanted.total() - tp
    return Shares(*(part / max(1, tp + fp + fn) for part in (tp, fp, fn)))


def scores(pages: Sequence[Shares]) -> tuple[float, float, float]:
    """Precision, recall and F1."""
    tp, fp, fn = (fmean(column) for column in zip(*pages, strict=True))
    precision = tp / (tp + fp) if tp else 0.0
    recall = tp / (tp + fn) if tp else 0.0
    return precision, recall, 2 * tp / (2 * tp + fp + fn) if tp else 0.0


def deviation(pages: Sequence[Shares]) -> float:
    """The standard deviation of F1, by bootstrap over pages."""
    rng = Random(0)
    return stdev(scores(rng.choices(pages, k=len(pages)))[2] for _ in range(400))


# --- extractors, each in a process of its own ---------------------------------------------------------------


def extractor(name: str) -> Callable[[str], str]:
    """The function from HTML to the main text."""
    if name == "trafilatura":
        from trafilatura import extract

        return lambda html: extract(html, include_comments=False) or ""
    if name == "resiliparse":
        from resiliparse.extract.html2text import extract_plain_text

        return lambda html: str(
            extract_plain_text(html, main_content=True, alt_texts=False, list_bullets=False, comments=False)
        )
    from fcwseo.pages.parse import parse

    return lambda html: parse(html, "http://example.org/page.html").text


def work(name: str) -> None:
    """Extract from a page a line, until the input ends."""
    extract = extractor(name)
    extract("<p>Imports and tables are loaded before any time is taken.</p>")
    for line in sys.stdin:
        html = json.loads(line)
        start = time.process_time_ns()
        text = extract(html)
        print(json.dumps([text, (time.process_time_ns() - start) / 1e6]), flush=True)


class Process:
    """An extractor in its process."""

    def __init__(self, name: str, checkout: Path) -> None:
        path = os.pathsep.join(str(checkout / part) for part in (".", "ontology", "cli"))
        self._process = subprocess.Popen(
            [sys.executable, __file__, "--worker", name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": path},
            text=True,
        )

    def extract(self, html: str) -> tuple[str, float]:
        """The main text, and the CPU milliseconds."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps(html) + "\n")
        self._process.stdin.flush()
        text, cost = json.loads(self._process.stdout.readline())
        return text, cost

    def end(self) -> None:
        self._process.communicate()


def processes(before: Path | None) -> dict[str, Process]:
    found = {"fcwseo": Process("fcwseo", HERE.parent)}
    if before is not None:
        found["before"] = Process("before", before.resolve())
    libraries = [name for name in ("trafilatura", "resiliparse") if find_spec(name)]
    return found | {name: Process(name, HERE.parent) for name in libraries}


def measure(
    pages: Iterable[Sample], extractors: Mapping[str, Process]
) -> dict[str, list[tuple[Shares, float]]]:
    """Shares and milliseconds per page."""
    results: dict[str, list[tuple[Shares, float]]] = {name: [] for name in extractors}
    for page in pages:
        for name, process in extractors.items():
            text, cost = process.extract(page.html)
            results[name].append((shares(text, page.gold), cost))
    return results


# --- printing -----------------------------------------------------------------------------------------------


def print_articles(pages: Sequence[Sample], part: str, extractors: Mapping[str, Process]) -> None:
    results = measure(pages, extractors)
    print(f"{len(pages)} article pages ({part})")
    print(f"  {'':12} {'P':>6} {'R':>6} {'F1':>6} {'+-':>6} {'ms a page':>10}")
    costs = {name: fmean(cost for _, cost in rows) for name, rows in results.items()}
    for name, rows in results.items():
        found = [shares for shares, _ in rows]
        values = " ".join(f"{value:6.3f}" for value in (*scores(found), deviation(found)))
        print(f"  {name:12} {values} {costs[name]:10.2f}")
    if "before" in costs:
        print(f"  time, fcwseo to before: {costs['fcwseo'] / costs['before']:.2f}")


def print_kinds(extractors: Mapping[str, Process]) -> None:
    print(f"pages of our own making, F1\n  {'':12} " + " ".join(f"{kind:>6}" for kind in KINDS))
    by_kind = [measure(own_pages(kind), extractors) for kind in KINDS]
    for name in extractors:
        values = (scores([shares for shares, _ in results[name]])[2] for results in by_kind)
        print(f"  {name:12} " + " ".join(f"{value:6.3f}" for value in values))


def main() -> None:
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("--gold", type=Path, default=HERE.parent.parent / "shared/external/main-text")
    arguments.add_argument("--part", choices=("development", "held-out", "all"), default="all")
    arguments.add_argument("--before", type=Path, help="a checkout of other code")
    arguments.add_argument("--worker", help=argparse.SUPPRESS)
    options = arguments.parse_args()
    if options.worker:
        return work(options.worker)
    extractors = processes(options.before)
    if (options.gold / "ground-truth.json").exists():
        print_articles(articles(options.gold, options.part), options.part, extractors)
    else:
        print(f"no articles in {options.gold}: only pages of our own making are measured")
    print_kinds(extractors)
    for process in extractors.values():
        process.end()
    return None


if __name__ == "__main__":
    main()
