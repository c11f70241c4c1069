"""A topic with English and Chinese labels is found in both languages by every strategy that reads Chinese."""

from random import Random

import pytest
from helpers.fakes import TextWeb, TinyEncoder, crawled, targets
from helpers.wordnets import small_wordnet

from fcwseo.crawling.engine import Window
from fcwseo.errors import UnfitTopic
from fcwseo.relevance import TopicalRelevance
from fcwseo.relevance.models import encoders, semantic
from fcwseo.strategies import STRATEGIES
from fcwseo.strategies.loading import load_strategy
from fcwseo_ontology.topic import FeatureWord, Topic, topic_of_words

TOPIC = Topic(
    "rain",
    (
        FeatureWord("rainstorm", 1.0, ("rainstorm", "暴雨")),
        FeatureWord("flood", 0.5, ("flood", "洪水"), level=2),
    ),
)
MUSIC = {f"http://m{number}.example/": "music 音乐" for number in range(6)}
WEB = TextWeb(
    {
        "http://s.example/": (
            "news, football, opera, cinema, rainstorm 暴雨",
            {**MUSIC, "http://e1.example/": "rainstorm", "http://z1.example/": "特大暴雨"},
        ),
        "http://e1.example/": ("the rainstorm and the flood", {**MUSIC, "http://e2.example/": "a flood"}),
        "http://z1.example/": ("昨天的暴雨引发了洪水", {**MUSIC, "http://z2.example/": "洪水"}),
        "http://e2.example/": ("a flood after the rainstorm", {}),
        "http://z2.example/": ("暴雨之后的洪水", {}),
        **{url: ("music 音乐", {}) for url in MUSIC},
    }
)


@pytest.mark.parametrize(
    "name", ["vsm", "ssrm", "svsm", "sdvsm", "keyword-table", "fcmrps", "fcmrps-2", "shark", "ops"]
)
def test_both_languages_are_crawled(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(semantic, "the_wordnet", small_wordnet)
    relevance = TopicalRelevance(TOPIC)
    strategy = STRATEGIES[name](TOPIC, relevance, Random(0))
    window = Window(strategy, ["http://s.example/"], relevance=relevance, budget=5, width=1)
    found = targets(crawled(WEB, window)[1]).split()
    assert sorted(found) == [f"http://{page}.example/" for page in ("e1", "e2", "s", "z1", "z2")]


@pytest.mark.parametrize("name", ["ssrm", "svsm", "sdvsm", "vsm", "keyword-table", "fcmrps"])
def test_a_topic_of_chinese_words_only(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(semantic, "the_wordnet", small_wordnet)
    topic = topic_of_words("雨", {"暴雨": 1.0, "洪水": 0.5})
    relevance = TopicalRelevance(topic)
    strategy = STRATEGIES[name](topic, relevance, Random(0))
    window = Window(strategy, ["http://s.example/"], relevance=relevance, budget=3, width=1)
    assert targets(crawled(WEB, window)[1]).split()[1:] == ["http://z1.example/", "http://z2.example/"]


@pytest.mark.parametrize("name", ["word2vec", "elmo", "bsvsm", "bsvsm-ha"])
def test_an_english_encoder_refuses_a_topic_of_chinese_words(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for encoder in ("word2vec", "elmo", "bsvsm"):
        monkeypatch.setattr(encoders, encoder, TinyEncoder)
    topic = topic_of_words("雨", {"暴雨": 1.0})
    with pytest.raises(UnfitTopic, match="has no English word; give its concepts English labels"):
        load_strategy(name)(topic, TopicalRelevance(topic), Random(0))
