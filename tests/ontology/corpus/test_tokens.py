import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from fcwseo_ontology.corpus import tokens
from fcwseo_ontology.corpus.tokens import key, language_of, stem, words
from fcwseo_ontology.errors import MissingExtra


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("flash-flood", "Flash floods"),
        ("hydrological models", "hydrologic modelling"),
        ("LLMs", "LLM"),
        ("Alzheimer's disease", "alzheimer\u2019s diseases"),
        ("\uff27\uff29\uff33", "GIS"),
    ],
)
def test_variants_have_one_key(one: str, other: str) -> None:
    assert key(one) == key(other)


def test_different_phrases_have_different_keys() -> None:
    assert (
        len({key(phrase) for phrase in ("flood risk", "risk flood", "flood", "flood risks assessment")}) == 4
    )


def test_the_s_of_words_that_end_so_stays() -> None:
    assert words("GPS, DNS and the bus") == ["gps", "dns", "and", "the", "bus"]


def test_chinese_is_cut_into_words_and_other_scripts_are_kept() -> None:
    assert words("城市内涝与PM2.5的COVID-19", "zh") == ["城市", "内涝", "与", "pm2.5", "的", "covid", "19"]


def test_chinese_without_jieba_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jieba", None)
    tokens._jieba.cache_clear()
    with pytest.raises(MissingExtra, match=r"pip install 'fcwseo\[zh\]'"):
        words("暴雨", "zh")


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("", "en"),
        ("12345 !!", "en"),
        ("Heavy rain led to floods in the valley", "en"),
        ("Die Überschwemmung der Stadt ist eine Folge des Regens", "de"),
        ("Les inondations dans la vallée sont une conséquence des pluies", "fr"),
        ("Las inundaciones del valle son una consecuencia de la lluvia", "es"),
        ("强降雨引发山洪 (flash flood)", "zh"),
        ("大雨による洪水のリスク評価", "ja"),
        ("폭우로 인한 홍수", "ko"),
        ("Сильный дождь вызвал наводнение", "ru"),
    ],
)
def test_languages_are_told_apart(text: str, language: str) -> None:
    assert language_of(text) == language


def test_a_chinese_name_does_not_make_an_english_text_chinese() -> None:
    assert language_of("The station of Beijing (北京) in the north of the country") == "en"


def test_stemming_is_the_same_in_threads() -> None:
    tokens._stem.cache_clear()
    some = [
        f"{stem}{end}"
        for stem in ("flood", "model", "predict", "hydrolog")
        for end in ("", "s", "ing", "ical")
    ]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(stem, some * 200))
    assert found == [stem(word) for word in some] * 200


def test_a_word_without_end_costs_no_time() -> None:
    assert stem("flooding" * 1_000_000) == "flooding" * 1_000_000
