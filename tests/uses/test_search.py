"""Search over what was kept: expanded by the ontology, in English and Chinese, always up to date."""

import json
import os
import re
from pathlib import Path

import pytest
from helpers.runs import copied
from helpers.webs import frozen_web
from hypothesis import given, settings
from hypothesis import strategies as st

from fcwseo.crawling.plan import Plan
from fcwseo.crawling.run import run_crawl
from fcwseo.errors import InvalidInput, InvalidRun
from fcwseo.uses.search import Hit, _snippet, expanded, search
from fcwseo_ontology.load import load_topic
from fcwseo_ontology.topic import Topic, topic_of_words

MORE = "Nobody had seen the river so high before, and the cellars of the old town were full of mud and stones"
TEXTS = {
    "torrent": f"A flash flood swept away the bridge after the rain. {MORE}.",
    "quake": "The earthquake broke the dam, and rain made the rescue of the people in the valley harder.",
    "drought": "There was no rain for months, and the fields of the whole province dried out in summer.",
    "zhengzhou": "2021年7月20日郑州发生特大暴雨, 地铁五号线被洪水淹没, 城市内涝严重, 全市停课停工停产.",
    "again": f"A flash flood swept away the bridge after the rain. {MORE}!",
    "shanghai": "上海今天天气晴朗, 市民在公园里散步, 明天可能有小雨, 气温二十五度左右, 空气质量良好.",
}


OPERATORS = ['"', "OR", "NOT", "NEAR(", "*", "^a", "x:y", "雨"]


def url(name: str) -> str:
    return f"http://a.example/{name}"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that kept everything, to be looked at and copied only."""
    folder = tmp_path_factory.mktemp("search")
    pages = {url(name): f"<title>The {name}</title><p>{text}</p>" for name, text in TEXTS.items()}
    web = frozen_web(folder / "web", pages, name="search")
    run_crawl(web, load_topic("rainstorm"), list(pages), folder / "run", Plan(max_pages=99, eta=0.0))
    return folder / "run"


def names(hits: list[Hit]) -> list[str]:
    return [hit.url.rpartition("/")[2] for hit in hits]


def test_inundation_finds_the_flash_flood(run: Path) -> None:
    """No page says inundation: the ontology calls it a flood, of which a flash flood is one kind."""
    assert not any("inundat" in text for text in TEXTS.values())
    hits = search(run, "inundation")
    assert names(hits)[0] in ("torrent", "zhengzhou") and "torrent" in names(hits)
    assert not {"quake", "drought", "shanghai"} & set(names(hits))
    found = next(hit for hit in hits if hit.url == url("torrent"))
    assert "[flash flood]" in found.snippet and found.title == "The torrent" and found.score > 0


def test_words_are_found_in_all_their_forms(run: Path) -> None:
    assert names(search(run, "bridges"))[0] == "torrent"
    assert names(search(run, "Inundations")) == names(search(run, "inundation"))


def test_chinese_is_found_without_segmentation(run: Path) -> None:
    assert names(search(run, "郑州")) == ["zhengzhou"]
    (hit,) = search(run, "地铁")
    assert "被洪水淹没" in hit.snippet and "[地铁]" in hit.snippet
    assert names(search(run, "公园")) == ["shanghai"]


@given(st.lists(st.sampled_from(["dry", "\x02rain\x03", "\x02flash floods\x03"]), max_size=90))
def test_a_snippet_is_short_and_its_brackets_are_pairs(words: list[str]) -> None:
    found = _snippet(" ".join(words))
    assert len(found.removeprefix("... ").removesuffix(" ...").split()) <= 30
    assert set(re.sub(r"\[[^][]+\]", "", found)).isdisjoint("[]\x02\x03")
    assert ("[" in found) == ("\x02" in "".join(words))


DRY = " dry" * 22


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"dry{DRY} dry \x02flash flood\x03", "... dry dry dry dry dry [flash flood]"),
        (f"\x02a\x03{DRY} \x02flash flood\x03 b", f"[a]{DRY} [flash flood] b"),
        (f"\x02a\x03{DRY} b c d e f g \x02flash flood\x03 h", f"[a]{DRY} b c d e f g [flash] ..."),
        (
            f"\x02flash flood\x03 1 2 3 4 \x02a\x03 \x02b\x03{DRY[4:]} \x02c\x03 \x02d\x03 e",
            f"... [flood] 1 2 3 4 [a] [b]{DRY[4:]} [c] [d] ...",
        ),
        (f"\x02a\x03{DRY}{DRY} \x02a\x03 \x02a\x03", f"[a]{DRY} dry dry dry dry dry dry dry ..."),
        (f"dry{DRY}{DRY}", f"dry{DRY} dry dry dry dry dry dry dry ..."),
        (
            f"\x02Rain\x03 \x02flood\x03{DRY}{DRY} \x02rain\x03, \x02Rain\x03. \x02rain\x03!",
            f"[Rain] [flood]{DRY} dry dry dry dry dry dry ...",
        ),
        (
            f"\x02a b\x03 \x02a\nb\x03 \x02a  b\x03{DRY}{DRY} \x02c\x03 \x02d\x03",
            "... dry dry dry dry dry [c] [d]",
        ),
        (
            f"\x02a\x03 x \x02b\x03{DRY}{DRY} \x02a\x03/\x02b\x03/\x02c\x03",
            "... dry dry dry dry dry [a]/[b]/[c]",
        ),
        ("", ""),
    ],
)
def test_a_snippet_shows_where_most_different_words_are_met(text: str, expected: str) -> None:
    assert _snippet(text) == expected


def test_a_text_without_blanks_gives_no_endless_snippet() -> None:
    assert 1000 < len(_snippet("\x02rain\x03," * 5000)) < 1300


def test_a_page_of_many_hits_is_found_at_once(tmp_path: Path) -> None:
    """FTS5 itself compares each hit of a page with each."""
    page = f"<title>Rain</title><p>{'rain ' * 50_000}</p>"
    web = frozen_web(tmp_path / "web", {url("rain"): page}, name="search")
    run_crawl(web, load_topic("rainstorm"), [url("rain")], tmp_path / "run", Plan(max_pages=1, eta=0.0))
    assert search(tmp_path / "run", "rain")[0].snippet == " ".join(["[rain]"] * 30) + " ..."


def test_what_most_pages_have_counts_still(tmp_path: Path) -> None:
    """In what a focused crawl kept, those are the words of the topic: here all pages name rain."""
    rest = "and the rain went on over the hills and the river, the town and the road to the sea"
    texts = [
        "A deluge,",
        "Rain, rain, rain, more rain,",
        "One rain,",
        "Some rain,",
        "No rain,",
        "A bit of rain,",
    ]
    pages = {url(str(n)): f"<p>{text} {rest}</p>" for n, text in enumerate(texts)}
    web = frozen_web(tmp_path / "web", pages, name="search")
    run_crawl(web, load_topic("rainstorm"), list(pages), tmp_path / "run", Plan(max_pages=9, eta=0.0))
    found = search(tmp_path / "run", '"rain"')
    assert names(found)[0] == "1" and all(hit.score > 0.01 for hit in found)


def test_what_is_asked_twice_is_asked_once(run: Path) -> None:
    assert search(run, "flood Flood " * 25) == search(run, "flood")
    assert search(run, "flo\xadod") == search(run, "flood")
    with pytest.raises(InvalidInput, match="at most 100"):
        search(run, "flood " * 101)


def test_a_folder_that_is_no_run_is_said_to_be_none(tmp_path: Path) -> None:
    with pytest.raises(InvalidRun, match="is not a run directory"):
        search(tmp_path / "no", "flood")


def test_what_a_page_has_in_brackets_stays_as_it_is(tmp_path: Path) -> None:
    pages = {url("rain"): f"<title>[图]郑州[rain] [1]</title><p>{DRY} 大雨 [1] [2] in \x02 郑州</p>"}
    web = frozen_web(tmp_path / "web", pages, name="search")
    run_crawl(web, load_topic("rainstorm"), list(pages), tmp_path / "run", Plan(max_pages=1, eta=0.0))
    (hit,) = search(tmp_path / "run", "郑州")
    assert hit.title == "[图]郑州[rain] [1]" and hit.snippet == "... 大雨[1] [2] in [郑州]"


def test_a_question_in_one_language_finds_pages_in_another(run: Path) -> None:
    assert names(search(run, "rainstorm"))[0] == "zhengzhou"
    assert "torrent" in names(search(run, "山洪"))


def test_all_parts_are_wanted_and_any_if_there_is_no_such_page(run: Path) -> None:
    assert names(search(run, "rain dam")) == ["quake"]
    assert set(names(search(run, "dam subway bridge"))) == {"quake", "torrent"}


def test_what_stands_in_quotes_is_meant_so(run: Path) -> None:
    assert names(search(run, '"the bridge"')) == ["torrent"]
    assert search(run, '"bridge the"') == []
    assert search(run, '"inundation"') == []


def test_a_page_that_repeats_another_is_not_shown_beside_it(run: Path) -> None:
    assert names(search(run, "swept")) == ["torrent"]


def test_the_limit(run: Path) -> None:
    everything = search(run, "rain")
    assert len(everything) > 2 and search(run, "rain", limit=2) == everything[:2]


@pytest.mark.parametrize("query", ["", "  ", '"" ?!', "*"])
def test_a_question_without_a_word(run: Path, query: str) -> None:
    with pytest.raises(InvalidInput, match="no word"):
        search(run, query)


def test_what_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(InvalidRun):
        search(tmp_path, "rain")


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(
    st.text(max_size=30)
    | st.lists(st.sampled_from(['"', "OR", "NOT", "NEAR(", "*", "^a", "x:y", "雨"])).map(" ".join)
)
def test_any_question_is_answered_or_refused(run: Path, query: str) -> None:
    try:
        search(run, query)
    except InvalidInput:
        assert not any(letter.isalnum() for letter in query.replace("_", ""))


# The index


def test_the_index_is_kept_and_made_again_when_pages_were_added(run: Path, tmp_path: Path) -> None:
    here = copied(run, tmp_path / "run")
    pages = (here / "pages.jsonl").read_bytes().splitlines(keepends=True)
    pages.sort(key=lambda line: json.loads(line)["url"].endswith("drought"))  # whenever it was fetched
    finished = (here / "run.json").read_bytes()
    (here / "pages.jsonl").write_bytes(b"".join(pages[:-1]))
    (here / "run.json").write_text(json.dumps(json.loads(finished) | {"stop": None, "counts": {}}))
    assert search(here, "summer") == []
    made = (here / ".search.sqlite").stat()
    assert search(here, "dam") and (here / ".search.sqlite").stat().st_mtime_ns == made.st_mtime_ns
    (here / "pages.jsonl").write_bytes(b"".join(pages))
    assert names(search(here, "summer")) == ["drought"]
    assert sorted(name for name in os.listdir(here) if "search" in name) == [".search.sqlite"]


def test_pages_that_were_lost_are_an_error(run: Path, tmp_path: Path) -> None:
    here = copied(run, tmp_path / "run")
    assert search(here, "summer")
    (here / "pages.jsonl").write_bytes(b"")
    with pytest.raises(InvalidRun, match="restores the file"):
        search(here, "summer")


def test_a_damaged_index_is_made_again(run: Path, tmp_path: Path) -> None:
    here = copied(run, tmp_path / "run")
    for content in (b"", b"nothing", b"SQLite format 3\0" + bytes(200)):
        (here / ".search.sqlite").write_bytes(content)
        assert names(search(here, "summer")) == ["drought"]


def test_where_nothing_can_be_written_the_index_is_in_memory(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = copied(run, tmp_path / "run")
    (here / ".search.sqlite").unlink(missing_ok=True)

    def refuse(**where: object) -> tuple[int, str]:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("tempfile.mkstemp", refuse)
    assert names(search(here, "summer")) == ["drought"]
    assert not (here / ".search.sqlite").exists()


# The question


def test_a_topic_of_words_adds_nothing() -> None:
    topic = topic_of_words("rain", {"flash flood": 1.0, "rain": 0.5})
    assert expanded("flash floods in spring", topic) == [
        *({"flash floods": 2.0, "flash flood": 1.0}, {"in": 2.0}, {"spring": 2.0})
    ]


def test_narrower_concepts_weigh_less_and_broader_ones_least() -> None:
    (part,) = expanded("flood", load_topic("rainstorm"))
    assert part["flood"] > part["inundation"] > part["flash flood"] > part.get("secondary disaster", 0.0)
    assert part["洪水"] == part["inundation"] == 1.0


def test_characters_that_stand_together_are_one_word() -> None:
    parts = expanded("郑州暴雨 地铁", load_topic("rainstorm"))
    assert [next(iter(part)) for part in parts] == ["郑 州", "暴 雨", "地 铁"]
    assert "rainstorm" in parts[1]


def test_the_longest_label_counts() -> None:
    topic: Topic = load_topic("rainstorm")
    assert [next(iter(part)) for part in expanded("flash flood warning tomorrow", topic)] == [
        *("flash flood warning", "tomorrow")
    ]
