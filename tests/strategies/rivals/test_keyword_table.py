"""The keyword-table crawler of paper 002."""

import math
from random import Random

import pytest
from helpers.fakes import TextWeb, crawled, targets

from fcwseo.crawling.engine import SEEDS, Window
from fcwseo.errors import InvalidInput
from fcwseo.pages import Link, Page, Visit
from fcwseo.relevance.models.keyword_table import KeywordTable, Merge, TextNorm, idf, url_words
from fcwseo.strategies.protocol import AT_ONCE
from fcwseo.strategies.rivals import keyword_table
from fcwseo.strategies.rivals.keyword_table import KeywordTableFirst
from fcwseo_ontology.topic import topic_of_words

TOPIC = topic_of_words("rain", {"rainstorm": 1.0, "flood": 0.5, "flash flood": 0.5})


def followed(strategy: KeywordTableFirst, web: TextWeb, *seeds: str) -> str:
    window = Window(strategy, seeds, relevance=lambda page: 0.0, budget=100, width=1)
    return targets(crawled(web, window)[1])


def published() -> KeywordTableFirst:
    return KeywordTableFirst(KeywordTable(TOPIC), discards=True)


def plain() -> KeywordTableFirst:
    return KeywordTableFirst(KeywordTable(TOPIC), optimised=False, discards=True)


def test_the_example_of_tf_idf() -> None:
    """14 of 100 words, in 100 of 1000 pages. The paper takes log(10) for 2, and prints .28."""
    assert 14 / 100 * idf(1000, 100) == pytest.approx(0.14)
    assert idf(10, 10) == 0.0


def test_a_page_scores_by_the_cosine_over_the_keywords() -> None:
    table = KeywordTable(TOPIC, norm=TextNorm.TABLE)
    storm, flood = (table.idf(number) for number in (0, 1))
    table_length = math.sqrt(1 + 0.25 + 0.25)
    expected = (2 * storm * 1 + flood * 0.5) / (table_length * math.hypot(2 * storm, flood))
    text = "Rainstorm after rainstorm, and a flood of many other words that do not count"
    assert table.score(text) == pytest.approx(expected)
    assert table.score("nothing of it") == 0.0


def test_the_length_of_a_text_runs_over_all_its_words() -> None:
    """By the paper a page that names a keyword in passing scores as one that speaks of nothing else."""
    short, long = "rainstorm", "rainstorm, violin, orchestra, conductor"
    whole, printed = KeywordTable(TOPIC), KeywordTable(TOPIC, norm=TextNorm.TABLE)
    assert printed.score(short) == printed.score(long) == whole.score(short) > 1.2 * whole.score(long) > 0
    assert whole.score(long) == whole.score(f"{long}, and the of a")  # stop words do not count


def test_a_phrase_is_one_keyword() -> None:
    table = KeywordTable(TOPIC)
    assert table.score("flash floods") == pytest.approx(0.5 / math.sqrt(1.5))


def test_a_link_has_four_parts() -> None:
    table = KeywordTable(TOPIC, norm=TextNorm.TABLE)
    score = table.link_score("http://x.example/Flash_floodNews", "rainstorm", 0.7, "many a flood")
    assert score.url == table.score("flash flood") > 0
    assert score.anchor == table.score("rainstorm") > 0
    assert score.surroundings == table.score("flood") > 0
    assert score.total == pytest.approx(score.url + score.anchor + 0.7 + score.surroundings)
    assert url_words("http://a.example/flashFlood") == "a example flash Flood"


def test_a_table_from_example_pages() -> None:
    pages = [
        "the torrent torrent torrent rose",
        "the dam dam broke with the river",
        "a river and another river, so many rivers",
    ]
    table = KeywordTable(TOPIC, examples=pages)
    assert max(table.weights.values()) == 1.0
    assert table.score("torrent") > table.score("the dam") > 0
    assert table.score("rainstorm") == 0.0  # not in the examples
    mean = KeywordTable(TOPIC, examples=pages, merge=Merge.MEAN)
    assert mean.score("torrent") > 0


def test_words_of_all_example_pages_tell_nothing() -> None:
    with pytest.raises(InvalidInput, match="no distinguishing word"):
        KeywordTable(TOPIC, examples=["river", "the river"])


def test_a_table_expands_by_words_of_relevant_pages() -> None:
    table = KeywordTable(TOPIC)
    assert table.score("levee") == 0.0
    for _ in range(3):
        table.learn("rainstorm and levee, levee, levee, cookies", relevant=True)
        table.learn("cookies and hammers", relevant=False)
    assert table.expand(most=9) == 1
    assert table.score("levee") > 0
    assert table.score("cookies") == 0.0  # all pages have it
    assert table.score("hammers") == 0.0  # only others have it
    assert len(table) == 4 and max(table.weights.values()) == 1.0


def test_the_best_scored_link_comes_first() -> None:
    anchors = {"a": "rainstorm", "b": "rainstorm flood", "c": "rainstorm flood", "d": "", "e": "flood"}
    web = TextWeb({"s": ("rainstorm", anchors)})
    assert followed(published(), web, "s") == "s b c a e"
    assert followed(plain(), web, "s") == "s a b c e"


def test_links_below_the_lower_quartile_of_the_seeds_links_are_discarded() -> None:
    anchors = {"a": "flood", "b": "rainstorm", "c": "rainstorm", "d": "rainstorm", "e": "rainstorm"}
    web = TextWeb({"s": ("rainstorm", anchors), "b": ("", {"x": "", "y": "rainstorm"}), "y": ("", {"a": ""})})
    strategy = published()
    assert followed(strategy, web, "s") == "s b c d e"
    assert strategy.thresholds.link == pytest.approx(1 + KeywordTable(TOPIC).score("rainstorm"), abs=1)


def test_what_was_set_aside_comes_last() -> None:
    anchors = {"a": "", "b": "rainstorm", "c": "flood", "d": "flood", "e": "rainstorm", "f": "flood"}
    web = TextWeb({"s": ("rainstorm", anchors), "a": ("more rainstorms", {"y": "rainstorm"})})
    table = KeywordTable(TOPIC)
    assert followed(KeywordTableFirst(table), web, "s") == "s b e c d f a y"
    assert followed(KeywordTableFirst(table, optimised=False), web, "s") == "s b c d e f a y"
    assert followed(published(), web, "s") == "s b e c d f"


def test_an_irrelevant_page_is_read_for_links() -> None:
    """Page b says nothing of rain, but an anchor on it does."""
    web = TextWeb(
        {
            "s": ("of a flood", {"b": "hm"}),
            "b": ("nothing", {"x": "nothing", "y": "rainstorm and flood"}),
            "y": ("rainstorm", {}),
        }
    )
    strategy = published()
    assert followed(strategy, web, "s") == "s b y"
    assert strategy.relevant == 2  # s and y


def test_a_discarded_link_comes_back_when_a_better_page_shows_it() -> None:
    web = TextWeb(
        {
            "s": ("flood", {"a": "flood", "b": "flood"}),
            "a": ("", {"x": ""}),
            "b": ("rainstorm", {"x": "rainstorm"}),
        }
    )
    assert followed(published(), web, "s") == "s a b x"


def test_a_copy_is_dropped_and_its_links_are_not_read() -> None:
    web = TextWeb(
        {
            "s": ("flood", {"a": "flood", "b": "flood"}),
            "a": ("the same  rainstorm", {}),
            "b": ("the same rainstorm", {"x": "rainstorm"}),
            "x": ("", {}),
        }
    )
    strategy = published()
    assert followed(strategy, web, "s") == "s a b"
    assert strategy.copies == 1
    assert followed(plain(), web, "s") == "s a b x"


def test_thresholds_wait_for_all_seeds_also_those_that_fail() -> None:
    web = TextWeb({"s": ("rainstorm", {"a": "rainstorm", "b": "nothing"})})
    strategy = published()
    assert followed(strategy, web, "gone", "s").split()[:3] == ["gone", "s", "a"]
    assert strategy.thresholds.link > 1 and strategy.thresholds.page > 0


def test_the_table_grows_with_every_hundred_relevant_pages() -> None:
    assert keyword_table.EXPAND_EVERY == 100
    for optimised in (True, False):
        strategy = KeywordTableFirst(KeywordTable(TOPIC, norm=TextNorm.TABLE), optimised=optimised)
        rng = Random(1)
        strategy.observe(Visit(0, Link(SEEDS, SEEDS, depth=-1), Page(SEEDS, links=(Link("0", SEEDS),))))
        sizes = []
        for step in range(1, 202):
            text = (
                f"rainstorm levee {' '.join(rng.sample('dyke sluice culvert weir gauge'.split(), 3))} {step}"
            )
            strategy.observe(Visit(step, Link(str(step - 1), ""), Page(str(step - 1), text=text)))
            sizes.append(len(strategy.table))
        grown = [step for step in range(1, 201) if sizes[step] > sizes[step - 1]]
        assert grown == ([99] if optimised else [])  # at the second hundred all words are in
        assert sizes[-1] - sizes[0] <= keyword_table.MOST_NEW


def observed(strategy: KeywordTableFirst, step: int, text: str, *links: Link) -> Page:
    """The page that a strategy was shown."""
    page = Page(f"http://{step}.example/", text=text, links=links)
    strategy.observe(Visit(step, Link(page.url, SEEDS), page))
    return page


def test_tell_gives_the_score_that_a_link_waits_with(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also on the page with which the table grows."""
    monkeypatch.setattr(keyword_table, "EXPAND_EVERY", 2)
    strategy = KeywordTableFirst(KeywordTable(TOPIC))
    observed(strategy, 0, "", Link("http://1.example/", SEEDS))
    strategy.next(1, AT_ONCE)
    observed(strategy, 1, "rainstorm levee, levee, levee")
    observed(strategy, 2, "cookies and hammers")
    link = Link("http://x.example/", "", "the levee and the flood")
    page = observed(strategy, 3, "rainstorm, levee and levee", link)
    assert len(strategy.table) > len(TOPIC.words)
    (line,) = strategy.tell(page, link)
    (named,) = strategy.next(1, AT_ONCE)
    assert named.predicted is not None
    assert line.endswith(f": {4 * named.predicted:.4f}")


def test_tell_says_that_a_link_on_a_copy_was_not_added() -> None:
    strategy = KeywordTableFirst(KeywordTable(TOPIC))
    observed(strategy, 0, "", Link("http://1.example/", SEEDS))
    link = Link("http://x.example/", "", "rainstorm")
    observed(strategy, 1, "the same rainstorm")
    copy = observed(strategy, 2, "the same rainstorm", link)
    assert strategy.tell(copy, link) == ["not added: the page was dropped, since its text was seen before"]


def test_rarity_is_counted_in_examples_and_learned_pages() -> None:
    table = KeywordTable(TOPIC, examples=["torrent rose", "dam broke"])
    (torrent,) = table.matcher.words("torrent")
    assert table.idf(torrent) == idf(2, 1)
    table.learn("the torrent", relevant=False)
    assert table.idf(torrent) == idf(3, 2)
    general = KeywordTable(TOPIC)
    before = general.idf(0)
    general.learn("rainstorm", relevant=True)
    assert general.idf(0) == before
