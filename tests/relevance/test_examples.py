"""The documents of a topic as examples: what they have beyond its words, and what cannot confirm itself."""

import subprocess
import sys
from pathlib import Path
from random import Random

import numpy as np
import pytest
from helpers.runs import log, small_run

from fcwseo.pages import Page
from fcwseo.relevance import TopicalRelevance
from fcwseo.relevance.examples import FEWEST_DOCUMENTS, MOST_LIKE, RIDGE, _fitted
from fcwseo_ontology.corpus.documents import Document
from fcwseo_ontology.load import load_topic
from fcwseo_ontology.model import Concept, Label, Ontology
from fcwseo_ontology.ossc import topic_of
from fcwseo_ontology.terms.counts import count_documents
from fcwseo_ontology.topic import Topic

JARGON = [f"gauge{n}" for n in range(30)]  # words of the subject that the ontology does not have
OTHERS = [f"museum{n}" for n in range(60)]
SITE = [f"site{n}" for n in range(12)]  # words that all pages of the site have


def texts(words: list[str], count: int, seed: int, *, with_flood: bool) -> list[str]:
    rng = Random(seed)
    flood = ["flood"] * with_flood
    return [" ".join([*rng.sample(words, 12), *SITE, *flood]) for _ in range(count)]


def topic(documents: list[str]) -> Topic:
    counted = tuple(
        count_documents([Document(str(n), "", text) for n, text in enumerate(documents)], ["flood"])
    )
    concepts = (Concept("Flood", (Label("flood", "en"),)),)
    return topic_of(Ontology("Flood", concepts, (), documents=counted))


ABOUT = topic(texts(JARGON, 12, 1, with_flood=True))
BARE = topic([])


def page(text: str, number: int = 0) -> Page:
    return Page(f"http://a.example/{number}", "", text, (), ("", "", "", text, ""), "en")


def crawled(about: Topic, *, relevant: int = 15, others: int = 15) -> TopicalRelevance:
    """A relevance that has judged pages of both kinds."""
    relevance = TopicalRelevance(about)
    on = texts(JARGON, relevant, 2, with_flood=True)
    off = texts(OTHERS, others, 3, with_flood=False)
    order = [*on, *off]
    Random(4).shuffle(order)
    for number, text in enumerate(order):
        relevance(page(text, number))
    return relevance


def test_a_page_in_the_words_of_the_documents_is_relevant_without_words_of_the_topic() -> None:
    relevance = crawled(ABOUT)
    (like,), (unlike,) = (texts(words, 1, 9, with_flood=False) for words in (JARGON, OTHERS))
    assert relevance.of_text(like) == relevance.of_text(unlike) == 0
    assert relevance(page(like)) > 0.05 > 5 * relevance(page(unlike))


def test_the_words_of_the_site_say_nothing() -> None:
    relevance = crawled(ABOUT)
    assert relevance(page(" ".join(SITE))) < 0.3 * relevance(page(" ".join(JARGON[:12])))


def test_a_typical_page_keeps_its_relevance() -> None:
    """So that thresholds and links stay on one scale when the documents begin to count."""
    (typical,) = texts(JARGON, 1, 9, with_flood=True)
    relevance = crawled(ABOUT)
    assert relevance(page(typical)) == pytest.approx(relevance.of_text(typical), rel=0.25)


@pytest.mark.parametrize(("documents", "learns"), [(FEWEST_DOCUMENTS - 1, False), (FEWEST_DOCUMENTS, True)])
def test_a_topic_needs_some_documents(documents: int, learns: bool) -> None:
    relevance = crawled(topic(texts(JARGON, documents, 1, with_flood=True)))
    assert relevance.examples.are_fitted is learns


def test_until_pages_off_the_topic_are_known_the_ontology_judges_alone() -> None:
    relevance, without = (crawled(about, relevant=4, others=5) for about in (ABOUT, BARE))
    (typical,) = texts(JARGON, 1, 9, with_flood=True)
    assert not relevance.examples.are_fitted
    assert relevance(page(typical)) == without(page(typical)) > 0


def test_it_cannot_confirm_itself() -> None:
    """Its negatives are chosen by the ontology alone: a crawl judges links and texts as without documents."""
    with_documents = crawled(ABOUT)
    without = crawled(BARE)
    assert with_documents.judged == pytest.approx(without.judged)
    for text in texts(JARGON, 5, 11, with_flood=True):
        assert with_documents.of_text(text) == pytest.approx(without.of_text(text))


def test_pages_that_it_finds_are_not_learned_from() -> None:
    """Words that only fetched relevant pages have do not make other pages with them relevant."""
    relevance = TopicalRelevance(ABOUT)
    fashion = [f"fashion{n}" for n in range(12)]
    for number, text in enumerate(texts(OTHERS, 15, 3, with_flood=False)):
        relevance(page(text, number))
    for number, text in enumerate(texts(JARGON, 40, 2, with_flood=True)):
        relevance(page(f"{text} {' '.join(fashion)}", 100 + number))
    assert relevance(page(" ".join(fashion))) < 0.05


def test_scores_of_examples_left_out_are_those_of_as_many_fits() -> None:
    """The slow twin fits once for each example, without it."""
    rng = np.random.default_rng(1)
    examples = rng.normal(size=(11, 6))
    positives = 4
    target = np.where(np.arange(11) < positives, 1.0, -1.0)
    weight = 20 / np.where(target > 0, positives, 11 - positives)
    left_out = []
    for row in range(11):
        kept = np.arange(11) != row
        x, y, w = examples[kept], target[kept], weight[kept]
        primal = np.linalg.solve(x.T @ (w[:, np.newaxis] * x) + RIDGE * np.eye(6), x.T @ (w * y))
        left_out.append(float(examples[row] @ primal))
    found = _fitted(examples, positives)
    up, down = np.mean(left_out[:positives]), np.mean(left_out[positives:])
    assert found.down == pytest.approx(down)
    assert found.gap == pytest.approx(max(0.05, up - down))


def test_likeness_has_bounds() -> None:
    relevance = crawled(ABOUT)
    for text in (*texts(JARGON, 9, 5, with_flood=True), *texts(OTHERS, 9, 6, with_flood=False), "", "site1"):
        numbers, counts = relevance.matcher.count(text, "en")
        likeness = relevance.examples.likeness(numbers, np.log1p(counts), relevance.idf(numbers))
        assert 0 <= likeness <= MOST_LIKE and likeness == round(likeness, 6)


def test_relevance_is_the_same_in_another_process() -> None:
    code = (
        "import sys; sys.path.insert(0, 'tests')\n"
        "from relevance.test_examples import *\n"
        "r = crawled(ABOUT); print([r(page(t)).hex() for t in texts(JARGON, 9, 5, with_flood=True)])"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "PATH": ""},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1 and "0x" in found.pop()


def test_a_resumed_crawl_gives_the_same_relevances(tmp_path: Path) -> None:
    about = load_topic("rainstorm")
    assert len(about.documents) >= FEWEST_DOCUMENTS
    for pages in (11, 13, 30, 60):  # before the first fit of the examples, after it, after others
        small_run(tmp_path / "resumed", topic=about, strategy="bfs", max_pages=pages)
    small_run(tmp_path / "whole", topic=about, strategy="bfs", max_pages=60)
    assert log(tmp_path / "resumed") == log(tmp_path / "whole")
    small_run(tmp_path / "wide", topic=about, strategy="bfs", max_pages=60, width=8)
    small_run(tmp_path / "wide resumed", topic=about, strategy="bfs", max_pages=25, width=8)
    small_run(tmp_path / "wide resumed", topic=about, strategy="bfs", max_pages=60, width=8)
    assert log(tmp_path / "wide resumed") == log(tmp_path / "wide")


def test_the_nearest_documents_are_those_that_share_words() -> None:
    relevance = TopicalRelevance(ABOUT)
    (text, *_) = texts(JARGON, 12, 1, with_flood=True)
    numbers, counts = relevance.matcher.count(text, "en")
    nearest = relevance.examples.nearest(numbers, np.log1p(counts), relevance.idf)
    assert len(nearest) == 3 and nearest[0][0] == "0"
    assert nearest[0][1] > nearest[1][1] >= nearest[2][1] > 0
