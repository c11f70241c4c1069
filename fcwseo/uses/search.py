"""Full-text search over the kept pages of a crawl, expanded by the ontology of its topic; an index of
SQLite's FTS5.

A part of a query that is a label of a concept also matches its other labels and, with less weight, narrower
and broader concepts. The index is stored beside the pages and rebuilt when these have changed.
"""

import os
import re
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing
from math import log, log1p
from pathlib import Path
from typing import NamedTuple

import snowballstemmer

from fcwseo.crawling.run_directory.run_file import read_run_file
from fcwseo.crawling.run_directory.status import scale_of
from fcwseo.crawling.run_directory.topic import read_topic
from fcwseo.errors import InvalidInput
from fcwseo.uses.export import kept_pages
from fcwseo_ontology.corpus.tokens import SOFT_HYPHEN
from fcwseo_ontology.model import Ontology, Relation
from fcwseo_ontology.topic import Topic

_SAME, _NARROWER, _BROADER = 1.0, 0.5, 0.25
_ASKED = 2.0  # weight of the words of the query itself
_MOST_WORDS = 100  # words of a query
_FORMAT = "2"  # version of the index
_CHARACTER = re.compile(r"([\u3040-\u30ff\u3400-\u9fff])")
_WIDE = r"\u3000-\u30ff\u3400-\u9fff\uff00-\uffef"
_MET, _END = "\x02", "\x03"  # around matches in a page
_MARKS = f"[{_MET}{_END}]*"
_GAP = re.compile(rf"([{_WIDE}]{_MARKS}) +(?={_MARKS}[{_WIDE}\]\[])|([\]\[]{_MARKS}) +(?={_MARKS}[{_WIDE}])")
_UNMARKED = dict.fromkeys(map(ord, (_MET, _END)))
_PIECE = re.compile(r"\S{1,40}\s*")  # a word, or a part of text without blanks
_TOKEN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W\u3040-\u30ff\u3400-\u9fff]+")
_SNIPPET, _BEFORE = 30, 5  # words of a snippet, and words before its first match
_QUOTED = re.compile(r'"([^"]*)"')

Part = dict[str, float]  # phrases that match a part of a query, with their weights


class Hit(NamedTuple):
    """A page found; matching words are in brackets in the snippet."""

    id: str
    url: str
    title: str
    score: float
    relevance: float
    snippet: str
    percentile: float | None = None
    topicality: str = ""


def search(run: Path, query: str, *, limit: int = 10) -> list[Hit]:
    """The kept pages of a run that match a query best: pages that match all its parts, or else any part."""
    read_run_file(run)
    words = len(_TOKEN.findall(query))
    if not words:
        raise InvalidInput(f"{query!r} contains no word to search for")
    if words > _MOST_WORDS:
        raise InvalidInput(f"the query has {words:,} words: use at most {_MOST_WORDS}")
    parts = expanded(query, read_topic(run))
    with closing(_index(run)) as index:
        scores = _scores(index, parts)
        best = sorted(scores, key=lambda row: (-scores[row], row))
        everything = " OR ".join(_phrase(text) for part in parts for text in part)
        hits = [_hit(index, row, scores[row], everything) for row in _first_ones(index, best)[:limit]]
    scale = scale_of(run)
    readings = [scale.of_kept(hit.relevance) for hit in hits]
    return [
        hit._replace(percentile=reading.percentile, topicality=str(reading.topicality))
        for hit, reading in zip(hits, readings, strict=True)
    ]


# --- the query --------------------------------------------------------------------------------------------


def expanded(query: str, topic: Topic) -> list[Part]:
    """The parts of a query: quoted phrases, the longest labels of concepts, and other words.

    >>> from fcwseo_ontology.load import load_topic
    >>> part, other = expanded("inundations Zhengzhou", load_topic("rainstorm"))
    >>> part["inundations"] > part["flood"] > part["flash flood"] > 0, other
    (True, {'Zhengzhou': 2.0})
    """
    concepts, query = _Concepts(topic), query.replace(SOFT_HYPHEN, "")
    parts: list[Part] = [{text: _ASKED} for text in _QUOTED.findall(query) if _TOKEN.search(text)]
    tokens = list(_TOKEN.finditer(_QUOTED.sub(" ", query)))
    words = [token.group() for token in tokens]
    position = 0
    while position < len(words):
        length, found = concepts.longest(words[position:])
        if not found:
            length = _characters(tokens[position:], words[position:], concepts)
        asked = " ".join(words[position : position + length])
        parts.append(
            {asked: _ASKED}
            | {text: weight for text, weight in found.items() if text.lower() != asked.lower()}
        )
        position += length
    folded = [{text.lower(): weight for text, weight in part.items()} for part in parts]
    return [part for place, part in enumerate(parts) if folded[place] not in folded[:place]]


def _characters(tokens: Sequence[re.Match[str]], words: Sequence[str], concepts: "_Concepts") -> int:
    """The number of tokens from the first on that form one word: adjacent characters, up to a concept."""
    length = 1
    while (
        length < len(tokens)
        and tokens[length].start() == tokens[length - 1].end()
        and not concepts.longest(words[length:])[1]
    ):
        length += 1
    return length


class _Concepts:
    """The concepts of a topic by the stems of their labels."""

    def __init__(self, topic: Topic) -> None:
        self._stem = snowballstemmer.stemmer("english").stemWord
        self._labels = _labels(topic)
        self._near = _neighbours(topic.ontology) if topic.ontology is not None else {}
        self._by_stems: dict[tuple[str, ...], list[str]] = {}
        for name, labels in self._labels.items():
            for label in labels:
                self._by_stems.setdefault(self._stems(_TOKEN.findall(label)), []).append(name)
        self._longest = max(map(len, self._by_stems), default=1)

    def _stems(self, words: Sequence[str]) -> tuple[str, ...]:
        return tuple(self._stem(word.lower()) for word in words)

    def longest(self, words: Sequence[str]) -> tuple[int, Part]:
        """The number of leading words that form a label, at least one, and the names of its concepts."""
        stems = self._stems(words[: self._longest])
        for length in range(len(stems), 0, -1):
            if names := self._by_stems.get(stems[:length]):
                return length, self._called(names)
        return 1, {}

    def _called(self, names: Sequence[str]) -> Part:
        part: Part = {}
        near = dict.fromkeys(names, _SAME)
        for name in names:
            for other, weight in self._near.get(name, {}).items():
                near[other] = max(weight, near.get(other, 0.0))
        for name, weight in near.items():
            for label in self._labels.get(name, ()):
                part[label] = max(weight, part.get(label, 0.0))
        return part


def _labels(topic: Topic) -> dict[str, tuple[str, ...]]:
    if topic.ontology is None:
        return {word.word: word.labels for word in topic.words}
    return {
        concept.name: tuple(label.text for label in (*concept.labels, *concept.synonyms))
        for concept in topic.ontology.concepts
    }


def _neighbours(ontology: Ontology) -> dict[str, Part]:
    """The labels of each concept, and its narrower and broader concepts."""
    same: dict[str, dict[str, None]] = {concept.name: {concept.name: None} for concept in ontology.concepts}
    narrower: dict[str, list[str]] = {}
    broader: dict[str, list[str]] = {}
    for edge in ontology.edges:
        if edge.relation is Relation.SYNONYM:
            same[edge.child][edge.parent] = None
            same[edge.parent][edge.child] = None
        elif edge.relation is Relation.IS_A:
            narrower.setdefault(edge.parent, []).append(edge.child)
            broader.setdefault(edge.child, []).append(edge.parent)
    near: dict[str, Part] = {}
    for name, others in same.items():
        part = {wide: _BROADER for other in others for wide in broader.get(other, ())}
        part |= {narrow: _NARROWER for other in others for narrow in narrower.get(other, ())}
        near[name] = part | dict.fromkeys(others, _SAME)
    return near


# --- the index --------------------------------------------------------------------------------------------


def _index(run: Path) -> sqlite3.Connection:
    """The index of a run, built if needed; in memory if the folder is read-only."""
    file = run / ".search.sqlite"
    state = _state(run)
    if file.is_file():
        index = sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)
        try:
            if index.execute("SELECT state FROM made").fetchone() == (state,):
                return index
        except sqlite3.DatabaseError:
            pass
        index.close()
    try:
        handle, name = tempfile.mkstemp(prefix=".search.", dir=run)
        os.close(handle)
    except OSError:
        return _made(run, ":memory:", state)
    try:
        _made(run, name, state).close()
        os.replace(name, file)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    return sqlite3.connect(file)


def _state(run: Path) -> str:
    """The state of the pages; it changes with them."""
    file = run / "pages.jsonl"
    found = file.stat() if file.exists() else None
    return f"{_FORMAT} {found.st_size} {found.st_mtime_ns}" if found else _FORMAT


def _made(run: Path, name: str, state: str) -> sqlite3.Connection:
    index = sqlite3.connect(name)
    index.execute("CREATE VIRTUAL TABLE pages USING fts5(title, text, tokenize = 'porter unicode61')")
    index.execute("CREATE TABLE facts (row INTEGER PRIMARY KEY, id, url, relevance, near_dup_of)")
    for row, page in enumerate(kept_pages(run), start=1):
        texts = (row, _spaced(page["title"] or ""), _spaced(page["text"] or ""))
        index.execute("INSERT INTO pages (rowid, title, text) VALUES (?, ?, ?)", texts)
        facts = (row, page["id"], page["final_url"], page["relevance"], page["near_dup_of"])
        index.execute("INSERT INTO facts VALUES (?, ?, ?, ?, ?)", facts)
    index.execute("CREATE TABLE made (state TEXT)")
    index.execute("INSERT INTO made VALUES (?)", (state,))
    index.commit()
    return index


def _spaced(text: str) -> str:
    """The text with each Chinese character as a word, so that phrases match without segmentation; without the
    marks of matches.
    """
    return _CHARACTER.sub(r" \1 ", text.translate(_UNMARKED))


# --- the results ------------------------------------------------------------------------------------------


def _scores(index: sqlite3.Connection, parts: Sequence[Part]) -> dict[int, float]:
    found = [_part_scores(index, part) for part in parts]
    rows = dict.fromkeys(row for scores in found for row in scores)
    in_all = [row for row in rows if all(row in scores for scores in found)]
    return {row: sum(scores.get(row, 0.0) for scores in found) for row in in_all or rows}


def _part_scores(index: sqlite3.Connection, part: Part) -> dict[int, float]:
    """Weighted BM25, summed over phrases; the title counts three times."""
    scores: dict[int, float] = {}
    (pages,) = index.execute("SELECT count(*) FROM facts").fetchone()
    for text, weight in part.items():
        rows = index.execute(
            "SELECT rowid, -bm25(pages, 3.0) FROM pages WHERE pages MATCH ?", (_phrase(text),)
        ).fetchall()
        for row, score in rows:
            scores[row] = scores.get(row, 0.0) + weight * _rarity(len(rows), pages) * score
    return scores


def _rarity(found: int, pages: int) -> float:
    """A factor that corrects scores of FTS5. There, a phrase on half of the pages has no weight, but these
    are the words of the topic. As in Lucene, all words get a weight.

    >>> round(_rarity(1, 1000), 2), round(1e-6 * _rarity(900, 1000), 2)
    (1.0, 0.11)
    """
    odds = (pages - found + 0.5) / (found + 0.5)
    return log1p(odds) / max(log(odds), 1e-6)


def _phrase(text: str) -> str:
    return f'"{" ".join(_TOKEN.findall(text))}"'


def _first_ones(index: sqlite3.Connection, rows: Sequence[int]) -> list[int]:
    """The hits without near-duplicates of other hits."""
    facts: Mapping[int, tuple[str, str | None]] = {
        row: (name, first) for row, name, first in index.execute("SELECT row, id, near_dup_of FROM facts")
    }
    there = {facts[row][0] for row in rows}
    return [row for row in rows if facts[row][1] not in there]


def _hit(index: sqlite3.Connection, row: int, score: float, query: str) -> Hit:
    found = index.execute(
        "SELECT id, url, title, relevance, highlight(pages, 1, ?, ?) "
        "FROM pages JOIN facts ON facts.row = pages.rowid WHERE pages.rowid = ? AND pages MATCH ?",
        (_MET, _END, row, query),
    )
    name, url, title, relevance, text = found.fetchone()
    return Hit(name, url, _unspaced(title), round(score, 6), relevance, _snippet(text))


def _snippet(text: str) -> str:
    """The snippet of a text with most matches, in brackets. The snippets of FTS5 take quadratic time in the
    matches.

    >>> _snippet("\x02Floods\x03 came. " + 30 * "Dry. " + "\x02Rain\x03 and \x02flash floods\x03.")
    '... Dry. Dry. Dry. Dry. Dry. [Rain] and [flash floods].'
    """
    pieces = _PIECE.findall(text)
    start = max(0, _richest(pieces) - _BEFORE)
    shown = "".join(pieces[start : start + _SNIPPET]).rstrip()
    begun = _MET if _END in shown.partition(_MET)[0] else ""  # covered by a phrase that begins earlier
    ended = _END if _MET in shown.rpartition(_END)[2] else ""
    before, after = "... " if start else "", " ..." if start + _SNIPPET < len(pieces) else ""
    marked = _unspaced(f"{begun}{shown}{ended}").replace(_MET, "[").replace(_END, "]")
    return f"{before}{marked}{after}"


def _richest(pieces: Sequence[str]) -> int:
    """The index of the matching word that is followed by most different matches; 0 without a match."""
    met = [(place, word) for place, piece in enumerate(pieces) for word in _met_in(piece)]
    following: Counter[str] = Counter()
    best, most, end = 0, 0, 0
    for place, word in met:
        while end < len(met) and met[end][0] < place + _SNIPPET - _BEFORE:
            following[met[end][1]] += 1
            end += 1
        if len(following) > most:
            best, most = place, len(following)
        following[word] -= 1
        if not following[word]:
            del following[word]
    return best


def _met_in(piece: str) -> list[str]:
    """The matching words; of a phrase that continues in the next piece, its first words."""
    return [mark.partition(_END)[0].strip().lower() for mark in piece.split(_MET)[1:]]


def _unspaced(text: str) -> str:
    """
    >>> _unspaced(_spaced("2021年郑州暴雨、内涝 flood, [组图] 大雨 [1] [2]"))
    '2021 年郑州暴雨、内涝 flood, [组图]大雨[1] [2]'
    """
    return _GAP.sub(r"\1\2", " ".join(text.split()))
