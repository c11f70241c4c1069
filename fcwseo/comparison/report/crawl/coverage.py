"""Concept coverage: which branches of the ontology a crawl found pages for, and which it did not."""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

from fcwseo.comparison.report.crawl.reading import Crawl, where
from fcwseo.comparison.report.crawl.records import Records, anchor_id
from fcwseo.comparison.report.crawl.strips import Strip
from fcwseo.comparison.report.shell import section, table
from fcwseo.crawling.run_directory.log import Row
from fcwseo_ontology.topic import FeatureWord, Topic

_MOST_CONCEPTS, _MOST_BRANCHES = 400, 60
ITSELF, OTHERS = "the topic itself", "other words"


@dataclass
class Tally:
    """Kept pages with a concept, or with any concept of a branch."""

    strip: Strip
    pages: int = 0
    hosts: set[str] = field(default_factory=set)
    best: Row | None = None
    last: Row | None = None

    def add(self, row: Row) -> None:
        """Add a page; pages come in the order of the log."""
        self.pages += 1
        self.strip.add(row.step - 1, "kept")
        self.hosts.add(where(row))
        if self.best is None or row.relevance > self.best.relevance:
            self.best = row
        self.last = row


@dataclass(frozen=True)
class Branch:
    """A child of the topic and all concepts below it, or a word of a topic without ontology."""

    name: str
    relation: str
    words: frozenset[str]


@dataclass(frozen=True)
class Coverage:
    """The tallies of branches, by name, and of words."""

    branches: tuple[Branch, ...]
    of_branch: Mapping[str, Tally]
    of_word: Mapping[str, Tally]

    @property
    def branches_of(self) -> dict[str, list[str]]:
        """The names of the branches of each word."""
        return branches_of(self.branches)


def branches_of(found: Iterable[Branch]) -> dict[str, list[str]]:
    """The names of the branches of each word."""
    of: dict[str, list[str]] = {}
    for branch in found:
        for word in branch.words:
            of.setdefault(word, []).append(branch.name)
    return of


def branches(topic: Topic) -> tuple[Branch, ...]:
    """The branches of a topic. A concept with several parents is in the branch of each.

    >>> from fcwseo_ontology.topic import topic_of_words
    >>> [branch.name for branch in branches(topic_of_words("rain", {"rainstorm": 1.0, "flood": 0.5}))]
    ['rainstorm', 'flood']
    """
    ontology = topic.ontology
    if ontology is None:
        return tuple(Branch(word.word, "", frozenset([word.word])) for word in topic.words)
    words = {word.name: word.word for word in topic.words}
    below: dict[str, list[str]] = {}
    for edge in ontology.edges:
        below.setdefault(edge.parent, []).append(edge.child)
    kinds = {edge.child: str(edge.relation) for edge in ontology.edges if edge.parent == ontology.topic}
    found = [
        Branch(words.get(child, child), kind, _words(_reached(child, below, ontology.topic), words))
        for child, kind in kinds.items()
    ]
    covered = frozenset[str]().union(*(branch.words for branch in found))
    own = words.get(ontology.topic)
    rest = frozenset(word.word for word in topic.words) - covered - {own or ""}
    return (
        *([Branch(ITSELF, "", frozenset([own]))] if own else ()),
        *found,
        *([Branch(OTHERS, "", rest)] if rest else ()),
    )


def _reached(concept: str, below: Mapping[str, Sequence[str]], root: str) -> set[str]:
    reached, queue = {concept}, deque([concept])
    while queue:
        for child in below.get(queue.popleft(), ()):
            if child not in reached and child != root:
                reached.add(child)
                queue.append(child)
    return reached


def _words(names: Iterable[str], words: Mapping[str, str]) -> frozenset[str]:
    return frozenset(words[name] for name in names if name in words)


def coverage(crawl: Crawl, topic: Topic) -> Coverage:
    """Count the kept pages of each branch and of each word."""
    found, end = branches(topic), len(crawl.rows)
    of = branches_of(found)
    of_branch = {branch.name: Tally(Strip(end)) for branch in found}
    of_word = {word.word: Tally(Strip(end)) for word in topic.words}
    for row in crawl.rows:
        page = crawl.kept.get(row.url) if row.kept else None
        if page is None:
            continue
        known = [word for word in dict.fromkeys(page.concepts) if word in of_word]
        for word in known:
            of_word[word].add(row)
        for name in dict.fromkeys(name for word in known for name in of.get(word, ())):
            of_branch[name].add(row)
    return Coverage(found, of_branch, of_word)


def coverage_section(crawl: Crawl, records: Records) -> str:
    """The branches with their pages, those without any, and all concepts."""
    if crawl.topic is None:
        return section("Concepts", note="The topic of this run cannot be read, so concepts are not counted.")
    found = coverage(crawl, crawl.topic)
    order = sorted(found.branches, key=lambda branch: -found.of_branch[branch.name].pages)
    met = [branch for branch in order if found.of_branch[branch.name].pages]
    words = sorted(crawl.topic.words, key=lambda word: (-found.of_word[word.word].pages, -word.weight))
    records.concepts.update(word.word for word in words[:_MOST_CONCEPTS])
    rows = [_branch_row(branch, found, records) for branch in met[:_MOST_BRANCHES]]
    heads = ("Branch", "Over the crawl", "Pages", "Hosts", "Concepts found", "Best page", "Last page")
    what = "branches of the ontology" if crawl.topic.ontology else "words of the topic"
    cut = f" The {_MOST_BRANCHES} with most pages are shown." if len(met) > _MOST_BRANCHES else ""
    note = (
        f"{len(met):,} of {len(order):,} {what} occur on {len(crawl.kept):,} kept pages. A page counts for "
        f"each branch that it names, and a concept for each branch that it belongs to.{cut}"
    )
    body = table(heads, rows, kind="named strips") if rows else ""
    return section(
        "Concepts", body, _missing(order, met), _concepts(words, found, records), note=note, wide=True
    )


def _branch_row(branch: Branch, found: Coverage, records: Records) -> list[str]:
    tally = found.of_branch[branch.name]
    assert tally.best is not None and tally.last is not None
    met = sum(found.of_word[word].pages > 0 for word in branch.words)
    kind = f"<small>{escape(branch.relation)}</small>" if branch.relation else ""
    return [
        f"{records.concept(branch.name)}{kind}",
        tally.strip.drawn(f"Kept pages of {branch.name} over the crawl"),
        f"{tally.pages:,}",
        f"{len(tally.hosts):,}",
        f"{met} of {len(branch.words)}",
        records.link(tally.best, f"{tally.best.relevance:.3f}"),
        records.link(tally.last, f"visit {tally.last.step:,}"),
    ]


def _missing(order: Sequence[Branch], met: Sequence[Branch]) -> str:
    without = [branch.name for branch in order if branch not in met]
    if not without:
        return '<p class="note">Nothing is missing: every branch has a page.</p>'
    names = ", ".join(map(escape, sorted(without)[:_MOST_BRANCHES]))
    more = f" and {len(without) - _MOST_BRANCHES:,} more" if len(without) > _MOST_BRANCHES else ""
    return f'<p class="warning">Nothing was found for: {names}{more}.</p>'


def _concepts(words: Sequence[FeatureWord], found: Coverage, records: Records) -> str:
    of, shown = found.branches_of, words[:_MOST_CONCEPTS]
    rows = []
    for word in shown:
        tally = found.of_word[word.word]
        rows.append(
            [
                escape(word.word),
                f"{word.weight:.3f}",
                escape(", ".join(of.get(word.word, ()))),
                f"{tally.pages:,}",
                f"{len(tally.hosts):,}",
                records.link(tally.best, f"{tally.best.relevance:.3f}") if tally.best else "-",
                records.link(tally.last, f"visit {tally.last.step:,}") if tally.last else "-",
            ]
        )
    heads = ("Concept", "Weight", "Branch", "Pages", "Hosts", "Best page", "Last page")
    said = (
        f"{len(shown):,} of {len(words):,} concepts"
        if len(shown) < len(words)
        else f"All {len(words):,} concepts"
    )
    ids = [anchor_id("concept", word.word) for word in shown]
    return f"<details><summary>{said}</summary>{table(heads, rows, kind='named', ids=ids)}</details>"
