"""Topics from whole web pages as text: no word of a menu, a date or a button is a term."""

import pytest
from helpers.site_pages import SITES, Site, pages

from fcwseo_ontology.corpus.boilerplate import without_boilerplate
from fcwseo_ontology.corpus.read import corpus_of_texts
from fcwseo_ontology.corpus.tokens import key
from fcwseo_ontology.terms.choose import Wishes, choose

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
