"""Pages that say the same: the first is kept, others refer to it."""

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import numpy as np
import pytest
from helpers.runs import kept, left_at, lines
from helpers.webs import frozen_web
from hypothesis import given
from hypothesis import strategies as st

from fcwseo.crawling.plan import Plan
from fcwseo.crawling.run import run_crawl
from fcwseo.pages import Page
from fcwseo.pages.duplicates import Duplicates, signature
from fcwseo.pages.parse import parse
from fcwseo_ontology.topic import topic_of_words

WORDS = [f"word{number}" for number in range(5000)]
CHINESE = [chr(0x4E00 + number) for number in range(3000)]


def resemblance(one: list[str], two: list[str], size: int) -> float:
    """The obvious way: the shingles that both have among all of theirs."""
    first, second = (
        {tuple(words[i : i + size]) for i in range(len(words) - size + 1)} for words in (one, two)
    )
    return len(first & second) / len(first | second)


@pytest.mark.parametrize(("words", "joint", "size"), [(WORDS, " ", 3), (CHINESE, "", 5)])
@pytest.mark.parametrize("share", [0.2, 0.5, 0.8, 0.95])
def test_equal_minima_estimate_the_resemblance(words: list[str], joint: str, size: int, share: float) -> None:
    rng = Random(1)
    errors = []
    for _ in range(40):
        one = rng.choices(words, k=400)
        two = one[: int(400 * share)] + rng.choices(words, k=400 - int(400 * share))
        minima = [signature(joint.join(text)) for text in (one, two)]
        assert minima[0] is not None and minima[1] is not None
        errors.append(float((minima[0] == minima[1]).mean()) - resemblance(one, two, size))
    assert abs(np.mean(errors)) < 0.03 and np.std(errors) < 0.1


def page(name: str, words: list[str], **more: str) -> Page:
    made = parse(f"<p>{' '.join(words)}</p>", f"http://a.example/{name}")
    return Page(made.url, text=made.text, digest=made.digest, **more)  # type: ignore[arg-type]


def test_near_and_exact_duplicates_refer_to_the_first() -> None:
    pages, text = Duplicates(), WORDS[:300]
    other = WORDS[1000:1300]
    assert pages.first(page("a", text), "a") is None
    assert pages.first(page("b", other), "b") is None
    assert pages.first(page("c", text), "c") == "a"
    assert pages.first(page("d", [*text[:295], "more"]), "d") == "a"
    assert pages.first(page("e", [*text[:290], "less"]), "e") == "a"
    assert pages.first(page("f", other[:150] + text[:150]), "f") is None
    assert len(pages) == 3  # what repeats another page is not remembered


def test_short_texts_differ_by_every_word() -> None:
    pages = Duplicates()
    assert pages.first(page("a", ["It", "rains."]), "a") is None
    assert pages.first(page("b", ["It", "hails."]), "b") is None
    assert pages.first(page("c", ["It", "rains."]), "c") == "a"


def test_pages_without_text_repeat_nothing() -> None:
    pages = Duplicates()
    assert pages.first(page("a", []), "a") is pages.first(page("b", []), "b") is None


def test_a_canonical_link_is_believed_if_the_texts_resemble_each_other() -> None:
    pages, text = Duplicates(), WORDS[:300]
    there = "http://a.example/a"
    assert pages.first(page("a", text), "a") is None
    assert pages.first(page("b", text[:240], canonical="http://a.example/x"), "b") is None
    assert pages.first(page("c", text[:210], canonical=there), "c") == "a"
    assert pages.first(page("e", text[:210]), "e") == "b"
    assert pages.first(page("d", WORDS[1000:1200], canonical=there), "d") is None


@given(st.text())
def test_any_text_has_a_signature_or_is_too_short(text: str) -> None:
    minima = signature(text)
    assert minima is None or (minima.dtype == np.uint32 and len(minima) == 60)


@pytest.mark.slow
def test_signatures_are_the_same_in_every_process() -> None:
    code = "from fcwseo.pages.duplicates import signature\n"
    code += "print(signature(' '.join(map(str, range(99)))).tolist())"
    said = [
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    minima = signature(" ".join(map(str, range(99))))
    assert minima is not None and said[0] == said[1] == f"{minima.tolist()}\n".encode()


def test_a_run_lists_duplicates_with_the_page_that_they_repeat(tmp_path: Path) -> None:
    text = "Flood and rain. " + " ".join(WORDS[:200])
    urls = [f"http://a.example/{number}" for number in range(5)]
    html = {url: f"<p>{text}{' again' * number}</p>" for number, url in enumerate(urls)}
    html[urls[3]] = f"<p>Flood and rain. {' '.join(WORDS[500:700])}</p>"
    web = frozen_web(tmp_path / "web", html, name="twice")
    topic = topic_of_words("rain", {"flood": 1.0, "rain": 1.0})
    run_crawl(web, topic, urls, tmp_path / "run", Plan(max_pages=5, strategy="bfs", eta=0.0))
    pages = lines(tmp_path / "run" / "pages.jsonl")
    first = pages[0]["id"]
    assert [row["near_dup_of"] for row in pages] == [None, first, first, None, first]
    left_at(tmp_path / "run", tmp_path / "torn", 2)
    run_crawl(web, topic, urls, tmp_path / "torn", Plan(max_pages=5, strategy="bfs", eta=0.0))
    assert kept(tmp_path / "torn") == kept(tmp_path / "run")
