"""What every page of a site says is not the topic's."""

from dataclasses import replace
from pathlib import Path

from fcwseo_ontology.corpus.boilerplate import shared_runs, without, without_boilerplate
from fcwseo_ontology.corpus.documents import Corpus
from fcwseo_ontology.corpus.read import corpus_of_texts, read_corpus

MENU = "Home Archive About Imprint Privacy Contact Newsletter"
TEXTS = (
    "rain fell on hills",
    "rivers rose in the night",
    "a dam held",
    "the town was flooded",
    "help came",
)


def test_a_menu_on_every_page_is_left_out(tmp_path: Path) -> None:
    for number, text in enumerate(TEXTS):
        (tmp_path / f"{number}.txt").write_text(f"Report {number}\n\n{MENU}\n{text}")
    texts = [document.text for document in without_boilerplate(read_corpus([tmp_path])).documents]
    assert not any("Imprint" in text for text in texts)
    assert all(kept in text for kept, text in zip(TEXTS, texts, strict=True))


def test_what_few_documents_share_stays(tmp_path: Path) -> None:
    for number, text in enumerate(TEXTS):
        (tmp_path / f"{number}.txt").write_text(f"Report {number}\n\n{MENU if number < 2 else ''}\n{text}")
    assert (
        sum("Imprint" in document.text for document in without_boilerplate(read_corpus([tmp_path])).documents)
        == 2
    )


def test_chinese_notices_are_left_out() -> None:
    runs = shared_runs([f"本站由志愿者维护。{text}" for text in ("暴雨", "洪水", "内涝", "滑坡")])
    assert without("本站由志愿者维护。台风", runs) == "。台风"


def site(*extra: str) -> Corpus:
    """Pages of a site with a menu, and with one text more each."""
    texts = [*TEXTS, *extra]
    return corpus_of_texts([f"{MENU}\n{text}" for text in texts])


CODE = (
    "x <- read(rivers)\n$ make rivers\nint depth = 3;\n"
    "y ~ dam[[1]] + 3*x | z\n\\relative c { c4 }\n#> [1] 0.25 0.50"
)
NAVIGATION = "[ < Rivers ]\n« Rivers\nRivers > Dams >"


def test_code_and_navigation_of_a_site_are_left_out_whoever_has_them() -> None:
    texts = [
        one.text for one in without_boilerplate(site(f"{CODE}\n{NAVIGATION}\nDams <hold> water.")).documents
    ]
    assert texts[-1] == "Dams <hold> water."


def test_texts_without_a_menu_keep_their_lines() -> None:
    found = without_boilerplate(corpus_of_texts([*TEXTS, f"{CODE}\n{NAVIGATION}"]))
    assert not found.menus
    assert found.documents[-1].text == f"{CODE}\n{NAVIGATION}"


def test_a_short_page_is_in_the_language_of_the_others() -> None:
    pages = [replace(one, language="de") for one in site("Title is: Pegel").documents]
    mixed = Corpus((*pages[:-1], replace(pages[-1], language="en")))
    assert {one.language for one in without_boilerplate(mixed).documents} == {"de"}
    long = replace(pages[-1], language="en", text=f"{MENU}\n" + "the dam of the town held and " * 20)
    assert without_boilerplate(Corpus((*pages[:-1], long))).documents[-1].language == "en"
    half = Corpus((*(replace(one, language="en") for one in pages[:3]), *pages[3:]))
    assert [one.language for one in without_boilerplate(half).documents] == ["en"] * 3 + ["de"] * 3
