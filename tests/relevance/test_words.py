"""Feature words are found in all spellings and languages, the longest phrase first, no word twice."""

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fcwseo.relevance.words import LONGEST_TEXT, Matcher, TokenCache
from fcwseo_ontology.topic import FeatureWord, Topic, topic_of_words

WORDS = ("flood", "flash flood", "flash flood warning", "rainstorm", "暴雨", "暴雨灾害", "docker容器")
MATCHER = Matcher(topic_of_words("t", dict.fromkeys(WORDS, 1.0)))


def found(text: str, language: str = "en") -> dict[str, int]:
    return {WORDS[number]: count for number, count in MATCHER.features(text, language).items()}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", {}),
        ("Floods, flooding; FLOOD!", {"flood": 3}),
        ("a flash flood", {"flash flood": 1}),
        ("flash-flood warnings and a flood warning", {"flash flood warning": 1, "flood": 1}),
        ("flash, then nothing", {}),
        ("特大暴雨灾害与暴雨", {"暴雨灾害": 1, "暴雨": 1}),
        ("用docker容器和暴雨", {"docker容器": 1, "暴雨": 1}),
        ("the town\u2019s \u201cflood\u201d\u2014again", {"flood": 1}),
        ("flood" * 40, {}),
        ("flo\xadods and a flash-\xadflood", {"flood": 1, "flash flood": 1}),
    ],
)
def test_what_stands_in_a_text(text: str, expected: dict[str, int]) -> None:
    assert found(text) == expected


def test_every_label_counts_for_its_word() -> None:
    word = FeatureWord("flood", 1.0, ("flood", "inundation", "洪水", "crue"))
    matcher = Matcher(Topic("t", (word,)))
    assert matcher.features("Inundations and 洪水") == {0: 2}
    assert matcher.features("Les crues et les inondations", "fr") == {0: 1}


@pytest.mark.parametrize(
    ("word", "text"),
    [
        ("ストーム", "大型のストームが来た"),
        ("ストーム", "ストーム・サージ"),
        ("ストーム", "冬ストームwarning"),
        ("ｱﾒﾀﾞｽ", "ｱﾒﾀﾞｽの雨"),
        ("らーめん", "ラーメンらーめん店"),
        ("linux", "linuxでのブログ"),
    ],
)
def test_in_japanese_the_script_parts_words(word: str, text: str) -> None:
    assert Matcher(topic_of_words("t", {word: 1.0})).features(text, "ja") == {0: 1}


def test_a_part_of_a_japanese_word_is_another_word() -> None:
    matcher = Matcher(topic_of_words("t", {"ストーム": 1.0}))
    assert matcher.features("サンドストームとブレインストーミング", "ja") == {}


def test_signs_of_kana_are_no_words() -> None:
    assert MATCHER.words("゛ ゜ ・", "ja") == []


def test_a_label_may_have_soft_hyphens() -> None:
    assert Matcher(topic_of_words("t", {"Stark\xadregen": 1.0})).features("Starkregen", "de") == {0: 1}


def test_a_language_has_its_own_stems() -> None:
    matcher = Matcher(topic_of_words("t", {"inondation": 1.0}))
    assert matcher.features("inondations", "fr-FR") == {0: 1}


def slowly(text: str) -> dict[str, int]:
    """The obvious way: at each word the longest phrase that begins there."""
    words = [word.rstrip("s") for word in re.findall(r"[a-z]+", text.lower())]
    phrases = sorted((tuple(word.split()) for word in WORDS if word.isascii()), key=len, reverse=True)
    counts: dict[str, int] = {}
    place = 0
    while place < len(words):
        here = next((p for p in phrases if tuple(words[place : place + len(p)]) == p), ())
        if here:
            counts[" ".join(here)] = counts.get(" ".join(here), 0) + 1
        place += max(1, len(here))
    return counts


@given(
    st.lists(st.sampled_from(["flash", "flood", "floods", "warning", "rainstorm", "the", "-"]), max_size=30)
)
def test_the_same_as_the_obvious_way(words: list[str]) -> None:
    text = " ".join(words)
    assert found(text) == slowly(text)
    numbers, counts = MATCHER.count(text)
    assert dict(zip(numbers, counts, strict=True)) == Counter(MATCHER.words(text))


@given(st.text(max_size=200), st.sampled_from(["", "en", "zh", "ja", "de", "xx"]))
def test_any_text_can_be_read(text: str, language: str) -> None:
    numbers, counts = MATCHER.count(text, language)
    assert list(numbers) == sorted(set(numbers.tolist()))
    assert dict(zip(numbers, counts, strict=True)) == Counter(MATCHER.words(text, language))


def test_common_words_are_common() -> None:
    shares = [MATCHER.shares[MATCHER.words(word)[0]] for word in ("the", "committee", "zzyzx")]
    assert shares == sorted(shares, reverse=True) and shares[0] > 0.9 and shares[2] < 0.001


def test_of_an_endless_text_the_beginning_is_read() -> None:
    numbers, counts = MATCHER.count("floods, " * LONGEST_TEXT)
    assert numbers.tolist() == [0] and counts.tolist() == [LONGEST_TEXT // 8]


TEXTS = st.lists(
    st.sampled_from(
        [
            "特大暴雨与docker容器" * 8,
            *"Flash floods les inondations d'eau 特大暴雨 用docker容器 x—y — a".split(),
        ]
    ),
    max_size=12,
).map(" ".join)


@given(st.lists(st.tuples(TEXTS, st.sampled_from(["en", "fr", "zh", ""]))), st.data())
def test_what_others_have_read_changes_no_number(texts: list[tuple[str, str]], data: st.DataObject) -> None:
    topic = topic_of_words("t", dict.fromkeys(WORDS, 1.0))
    token_cache = TokenCache(most=6)
    other = Matcher(topic, token_cache)
    for text, language in data.draw(st.permutations(texts)):
        other.count(text, language)
    alone, among = Matcher(topic), Matcher(topic, token_cache)
    for text, language in texts:
        expected, counted = alone.count(text, language), among.count(text, language)
        assert [part.tolist() for part in counted] == [part.tolist() for part in expected]
        assert among.shares == alone.shares
    assert among.words("flash floods and new words") == alone.words("flash floods and new words")


def test_a_long_run_of_characters_is_read_to_its_end() -> None:
    matcher = Matcher(topic_of_words("t", {"暴雨": 1.0}))
    assert matcher.features("特大暴雨与docker容器" * 20, "zh") == {0: 20}
    assert matcher.features("特大暴雨与docker容器" * 20, "zh") == {0: 20}


def test_signs_between_words_do_not_part_a_phrase() -> None:
    matcher = Matcher(topic_of_words("t", {"flash flood": 1.0}))
    assert matcher.features("flash — flood, flash … flood") == {0: 2}


def test_only_the_latest_readings_are_kept() -> None:
    token_cache = TokenCache(most=2)
    matcher = Matcher(topic_of_words("t", {"flood": 1.0}), token_cache)
    for text in ("one", "two", "one", "three"):
        matcher.count(text)
    assert [token_cache.get(text, "") is not None for text in ("one", "two", "three")] == [True, False, True]


def test_a_label_that_the_table_of_chinese_does_not_know_is_rare_not_common() -> None:
    """So that a topic's name is not worth nothing because it has another name in Chinese."""
    english = Matcher(topic_of_words("rain", {"rainstorm": 1.0}))
    word = FeatureWord("rainstorm", 1.0, labels=("豪龘",))
    both = Matcher(Topic("rain", (word,)))
    assert both.shares[0] < 0.05 and both.shares[0] >= english.shares[0]
