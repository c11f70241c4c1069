"""Keyness of concepts: what is commoner in the corpus than elsewhere, known or not."""

import pytest
from helpers.relations_examples import corpus

from fcwseo_ontology.corpus.background import background
from fcwseo_ontology.corpus.documents import Corpus, Document
from fcwseo_ontology.corpus.tokens import words
from fcwseo_ontology.model import Concept, Label, Ontology
from fcwseo_ontology.terms.keyness import FLOOR, Keyness, with_keyness
from fcwseo_ontology.terms.ranking import contrasts

TEXTS = ("The catchment and the area of the floods", "A flood in this area and catchment", "The area floods")


def test_the_keyness_of_a_phrase_is_the_mean_contrast_of_its_words() -> None:
    documents = corpus(*TEXTS)
    found = contrasts([words(f"{one.title}\n{one.text}") for one in documents.documents], background("en"))
    expected = (found["catchment"] + found["flood"]) / 2
    assert expected > 0
    assert Keyness(documents).of(Label("catchment flooding")) == expected


def test_a_word_of_the_domain_has_more_than_a_word_of_everything() -> None:
    keyness = Keyness(corpus(*TEXTS))
    catchment, area = keyness.of(Label("catchment")), keyness.of(Label("area"))
    assert catchment > area > FLOOR


def test_what_stands_in_no_text_is_known_to_say_nothing() -> None:
    """A class that WordNet names and no text does is not the same as a word of which nothing is known."""
    assert Keyness(corpus(*TEXTS)).of(Label("psychological feature")) == FLOOR


def test_in_a_language_without_a_table_or_documents_it_is_unknown() -> None:
    keyness = Keyness(corpus(*TEXTS))
    assert keyness.of(Label("crue", "fr")) == keyness.of(Label("flood", "")) == 0
    finnish = Corpus((Document("1", "", "tulva ja sade", language="fi"),))
    assert Keyness(finnish).of(Label("tulva", "fi")) == 0


def test_in_chinese_it_is_unknown() -> None:
    chinese = Document("1", "", "防火墙和网络", language="zh")
    mixed = Keyness(Corpus((*corpus(*TEXTS).documents, chinese)))
    assert mixed.of(Label("防火墙", "zh")) == 0
    assert mixed.of(Label("catchment")) > 0


def test_concepts_take_the_keyness_of_their_shown_label() -> None:
    concepts = (
        Concept("a", (Label("catchment"), Label("流域", "zh")), (Label("the"),)),
        Concept("b", (Label("crue", "fr"), Label("catchment"))),
    )
    found = with_keyness(Ontology("a", concepts, ()), Keyness(corpus(*TEXTS)))
    first, second = (concept.keyness for concept in found.concepts)
    assert first == round(Keyness(corpus(*TEXTS)).of(Label("catchment")), 4) > 0
    assert second == 0


def on_pages(menus: bool, *concepts: Concept) -> list[float]:
    others = Document("de", "", "Der Fluss", language="de"), Document("zh", "", "内核", language="zh")
    pages = Corpus((*corpus(*TEXTS).documents, *others), menus=menus)
    found = with_keyness(Ontology(concepts[0].name, concepts, ()), Keyness(pages))
    return [concept.keyness for concept in found.concepts]


def test_on_pages_what_few_of_them_have_weighs_less() -> None:
    concepts = [Concept(str(n), (Label("catchment"),), frequency=n) for n in (0, 1, 3)]
    unknown, one, three = on_pages(True, *concepts)
    assert (one, three) == pytest.approx((unknown / 2, unknown * 3 / 4), abs=2e-4)
    assert len({*on_pages(False, *concepts)}) == 1


def test_on_pages_a_name_weighs_by_the_share_of_the_pages_that_have_it() -> None:
    concepts = [Concept(text, (Label(text),), frequency=1) for text in ("catchment", "Catchment")]
    noun, name = on_pages(True, *concepts)
    assert name == pytest.approx(noun * 2 / 5, abs=2e-4)  # on one of five pages
    german = [Concept(text, (Label(text, "de"),), frequency=1) for text in ("fluss", "Fluss")]
    fluss, same = on_pages(True, *german)
    assert fluss == same > 0


def test_on_pages_it_is_known_in_chinese() -> None:
    concept = Concept("k", (Label("内核", "zh"),), frequency=1)
    assert on_pages(True, concept)[0] > 0 == on_pages(False, concept)[0]
