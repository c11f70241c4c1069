"""Topics from whole web pages as text: no word of a menu, a date or a button is a term."""

import pytest
from helpers.site_pages import SITES, Site, pages

from fcwseo_ontology.corpus.background import Kind, background, background_of_terms
from fcwseo_ontology.corpus.boilerplate import without_boilerplate
from fcwseo_ontology.corpus.documents import Corpus, Document
from fcwseo_ontology.corpus.read import corpus_of_texts
from fcwseo_ontology.corpus.tokens import key
from fcwseo_ontology.terms.candidates import Units
from fcwseo_ontology.terms.choose import Wishes, choose
from fcwseo_ontology.terms.extract import extract_terms
from fcwseo_ontology.terms.nominal import behind_articles, no_furniture

every_site = pytest.mark.parametrize("site", SITES, ids=lambda site: site.language)


def labels(site: Site, *, lines: bool, number: int = 25) -> list[str]:
    corpus = without_boilerplate(corpus_of_texts(pages(site, lines=lines, number=number)))
    assert {document.language for document in corpus.documents} == {site.language}
    return [term.label for term in choose(corpus, Wishes(site.topic, terms=40, whole_corpus=True)).terms[1:]]


@every_site
@pytest.mark.parametrize("lines", [True, False], ids=["lines", "one line"])
def test_the_terms_are_those_of_the_subject(site: Site, lines: bool) -> None:
    found = labels(site, lines=lines)
    stems = {key(thing, site.language) for thing in (*site.things, *site.others.split())}
    strange = [label for label in found if stems.isdisjoint(key(label, site.language).split())]
    assert len(strange) <= len(found) / 10, strange
    assert len(found) >= 20


@every_site
def test_no_term_is_of_the_calendar(site: Site) -> None:
    found = " ".join(label.casefold() for label in labels(site, lines=False)).split()
    assert not {month.casefold() for month in site.months} & {*found}


@every_site
def test_a_menu_is_left_out_of_the_text(site: Site) -> None:
    corpus = without_boilerplate(corpus_of_texts(pages(site, lines=True)))
    entries = site.frame.split("|")
    assert corpus.menus
    assert not [line for one in corpus.documents for line in one.text.split("\n") if line in entries]


def accepted(texts: list[str], *labels: str, language: str = "en") -> list[str]:
    """Those of the labels that are no furniture of pages with such texts."""
    units = Units(background_of_terms(language, menus=True))
    accept = no_furniture([units.read(text) for text in texts], language)
    parts = {label: units.read(label) for label in labels}
    return [label for label, part in parts.items() if accept(tuple(s for u in part for s in u.stems), part)]


def test_headings_and_captions_are_furniture() -> None:
    texts = [
        "Lexicon: rain fell on the dam.",
        "Lexicon: a dam held.",
        "Lexicon: snow. A dam: it held.",
        "Dam",
    ]
    assert accepted(texts, "lexicon", "dam") == ["dam"]
    assert accepted(texts[:2], "lexicon", "dam") == ["lexicon", "dam"]  # too few texts
    captions = [f"See plate {number} of the dam." for number in range(3)]
    assert accepted(captions, "plate", "dam") == ["dam"]


def test_people_of_the_site_and_what_they_give_out_are_furniture() -> None:
    texts = ["Professor Jane Doe built a dam. Doe is glad.", "A Darrieus turbine, says Jane Doe, of the dam."]
    labels = ("Doe", "Jane Doe", "Darrieus turbine", "dam", "dam award", "dam professor", "award winning dam")
    assert accepted(texts, *labels) == ["Darrieus turbine", "dam", "award winning dam"]
    often = [*texts, "Doe. " * 20]  # named elsewhere too, far oftener
    assert "Doe" in accepted(often, "Doe")
    assert accepted(["作者\uff1a戴文 内核"], "戴文", "内核", language="zh") == ["内核"]


def test_a_phrase_that_repeats_a_word_is_furniture() -> None:
    assert accepted(["dam"], "dam dam", "dam wall") == ["dam wall"]


def test_words_of_all_manuals_are_no_terms_of_pages_with_menus() -> None:
    for language, general, special in (("de", "datei", "notenkopf"), ("en", "screen", "stave")):
        table = background_of_terms(language, menus=True)
        assert (table.kind(general), table.kind(special)) == (Kind.GENERIC, Kind.HEAD)
    assert background_of_terms("en").kind("screen") is Kind.HEAD
    assert background_of_terms("zh", menus=True).kind("的") is Kind.STOP


def test_words_of_manuals_and_of_written_language_are_expected() -> None:
    spoken, written = background("de"), background_of_terms("de")
    assert "konzepte" not in spoken.rates or spoken.rates["konzepte"] < written.rates["konzepte"]
    # A rare word is rarer than in the small table, and the difference tells a term of the domain.
    assert written.expected(["taktstrich"], 200) < written.expected(["konzepte"], 200)
    assert written.expected(["mortgage"], 200) > 5 * written.expected(["taktstrich"], 200)
    plain, on_pages = background_of_terms("en"), background_of_terms("en", menus=True)
    assert plain.expected(["toolbar"], 200) < on_pages.expected(["toolbar"], 200)


def test_a_dutch_adjective_is_no_noun() -> None:
    text = "De grote dam houdt. De grote rivier stroomt. De dam is nat. Een dam."
    units = Units(background_of_terms("nl")).read(text.replace("grote", "houten"))
    inflected = Units(background_of_terms("nl")).read(text.replace("grote", "droge"))
    for read, word in ((units, "houten"), (inflected, "droge")):
        accept = behind_articles([read], "nl", {}, rare=0)
        (one,) = Units(background_of_terms("nl")).read(word)
        (dam,) = Units(background_of_terms("nl")).read("dam")
        assert accept(dam.stems, [dam])
        assert accept(one.stems, [one]) is (word == "houten")


def test_a_rare_word_needs_an_article_on_pages() -> None:
    units = Units(background_of_terms("it"))
    read, (word,) = units.read("la diga tiene. la diga, bagnata, tiene"), units.read("bagnata")
    assert behind_articles([read], "it", {})(word.stems, [word])
    assert not behind_articles([read], "it", {}, rare=0)(word.stems, [word])


def test_a_russian_phrase_with_a_verb_is_no_term() -> None:
    texts = ["Фильтр создаёт плотину.", "Фильтр создаёт шум. Плотина и шум фильтра."]
    documents = tuple(Document(str(at), "", text, language="ru") for at, text in enumerate(texts))
    found = {term.label.lower() for term in extract_terms(Corpus(documents), limit=20)}
    assert "фильтр" in found
    assert not [label for label in found if "создаёт" in label]
