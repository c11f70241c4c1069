"""Which terms an ontology gets: of all documents or some, nouns only, each once, and what sentences add."""

from dataclasses import replace
from pathlib import Path

import pytest

from fcwseo_ontology.corpus.documents import Corpus, Document
from fcwseo_ontology.corpus.read import corpus_of_texts, read_corpus
from fcwseo_ontology.errors import InvalidInput
from fcwseo_ontology.terms.choose import Chosen, Wishes, choose
from fcwseo_ontology.terms.cleaning import merged, nouns_only
from fcwseo_ontology.terms.extract import Term, extract_terms
from fcwseo_ontology.terms.grow import grow
from fcwseo_ontology.terms.likeness import likeness, vectors_of
from fcwseo_ontology.terms.reading import Reading, Uses, read

BEES = Path(__file__).resolve().parents[4] / "shared" / "corpora" / "bees"
TRAINS = [f"The train number {n} of the railway leaves the station on platform {n % 7}." for n in range(110)]
WINE = [f"Vineyards of the winery grow grapes in cellar {n}; viticulture needs grapes." for n in range(8)]
DISEASE = Term("disease", "diseas", ("diseases",), "en", 1, 0.5)


def term(label: str, *, language: str = "en", documents: int = 0b11, keyword: bool = False) -> Term:
    return Term(label, label.lower(), (label,), language, documents, 0.5, keyword)


def labels(chosen: Chosen) -> list[str]:
    return [one.label for one in chosen.terms]


# The whole corpus, or what is near a side issue


def test_documents_on_one_thing_are_alike_and_those_that_only_name_it_are_not() -> None:
    vectors = vectors_of(corpus_of_texts([*WINE, *TRAINS]))
    assert likeness(vectors, 0b1111_1111) > 2
    assert likeness(vectors, 0b101010101 << 8) < 1
    assert likeness(vectors, 0b1) == likeness(vectors, 0) == 1


def test_a_side_issue_of_a_large_corpus_gets_the_terms_near_it() -> None:
    chosen = choose(corpus_of_texts([*WINE, *TRAINS]), Wishes("viticulture"))
    assert "grapes" in labels(chosen)
    assert not {"train", "railway", "platform"} & {*labels(chosen)}
    assert "differ from the others: terms are taken near it" in chosen.notes[0]
    assert {document.text for document in chosen.corpus.documents} == {*WINE}


def test_the_whole_corpus_is_taken_where_it_is_asked_for() -> None:
    chosen = choose(corpus_of_texts([*WINE, *TRAINS]), Wishes("viticulture", whole_corpus=True))
    assert {"grapes", "railway"} <= {*labels(chosen)}
    assert chosen.notes[0].endswith("terms are taken from the whole corpus")
    assert len(chosen.corpus.documents) == len({*WINE, *TRAINS})


def test_a_small_corpus_was_gathered_for_its_topic() -> None:
    chosen = choose(corpus_of_texts([*WINE, *TRAINS[:50]]), Wishes("viticulture"))
    assert {"grapes", "railway"} <= {*labels(chosen)}


def test_half_of_a_corpus_can_be_a_side_issue() -> None:
    texts = [WINE[0], TRAINS[0]] * 60
    corpus = Corpus(tuple(Document(str(n), "", text) for n, text in enumerate(texts)))
    chosen = choose(corpus, Wishes("viticulture"))
    assert "grapes" in labels(chosen)
    assert "railway" not in labels(chosen)


def test_a_topic_that_nobody_names_is_an_error_unless_the_whole_corpus_is_asked_for() -> None:
    corpus = corpus_of_texts(TRAINS[:20])
    with pytest.raises(
        InvalidInput, match=r"no document of the corpus speaks of 'wine'.*give --whole-corpus"
    ):
        choose(corpus, Wishes("wine"))
    chosen = choose(corpus, Wishes("wine", whole_corpus=True))
    assert (chosen.terms[0].label, chosen.terms[0].documents) == ("wine", 0)
    assert "railway" in labels(chosen)


# Nouns, each once


def test_verbs_are_no_terms() -> None:
    uses = {"struck": Uses(2, 3), "flood": Uses(2, 5), "recharge": Uses(1, 4), "trains": Uses(2, 9)}
    found = [term(word) for word in ("struck", "flood", "recharge", "trains", "evading")]
    kept = [one.label for one in nouns_only(found, Reading(uses=uses))]
    assert kept == ["flood", "evading"]  # a noun elsewhere must be a verb four times as often


def test_a_verb_is_shown_by_the_noun_among_its_forms() -> None:
    uses = {"eat": Uses(0, 9), "eating": Uses(5, 0), "seed": Uses(5, 5), "seeds": Uses(9, 0)}
    eat = replace(term("eat"), variants=("eat", "eating"))
    seed = replace(term("seed"), variants=("seed", "seeds"))
    found = nouns_only([eat, seed, term("being")], Reading(uses=uses))
    assert [one.label for one in found] == ["eating", "seed"]


def test_what_two_terms_end_in_stays_and_so_does_what_an_author_gave() -> None:
    uses = {"map": Uses(0, 9), "rank": Uses(0, 9)}
    found = [term("map"), term("flood map"), term("risk map"), term("rank", keyword=True)]
    reading = Reading(uses=uses, phrases=frozenset({"flood map", "risk map"}))
    assert nouns_only(found, reading) == found


def test_a_compound_is_a_noun_phrase_somewhere() -> None:
    corpus = corpus_of_texts(["The spores stay alive. Spores stay for a year in the bee hive."])
    extracted = {one.label for one in extract_terms(corpus, reading=read(corpus))}
    assert "bee hive" in extracted
    assert "spores stay" in {one.label.lower() for one in extract_terms(corpus)}
    assert "spores stay" not in {label.lower() for label in extracted}


def test_only_english_is_told_to_be_a_verb() -> None:
    found = [term("trains", language="fr")]
    assert nouns_only(found, Reading(uses={"trains": Uses(0, 9)})) == found


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("data set", "dataset"),
        ("flood modelisation", "flood modelization"),
        ("world cup 2003", "world cup 2007"),
        ("water colour", "water color"),
    ],
)
def test_spellings_and_years_are_one_term(first: str, second: str) -> None:
    (one,) = merged([term(first, documents=0b01), term(second, documents=0b10)])
    assert (one.label, one.variants, one.documents) == (first, (first, second), 0b11)


@pytest.mark.parametrize(("first", "second"), [("5G", "6G"), ("IPv4", "IPv6"), ("B1", "B2"), ("hour", "hur")])
def test_other_digits_and_letters_are_different_terms(first: str, second: str) -> None:
    assert len(merged([term(first), term(second)])) == 2


def test_the_name_without_a_year_is_the_label() -> None:
    (one,) = merged([term("world cup 2003"), term("world cup")])
    assert one.label == "world cup"


# What sentences add


def test_kinds_that_sentences_name_are_terms() -> None:
    corpus = corpus_of_texts(["Brood diseases such as chalkbrood and American foulbrood are in the hive."])
    grown = grow([DISEASE], read(corpus), corpus)
    assert {one.label for one in grown} == {"chalkbrood", "American foulbrood"}
    assert {(one.source, one.documents) for one in grown} == {("sentence", 1)}


@pytest.mark.parametrize(
    "text",
    [
        "Risks such as chalkbrood are in the hive.",  # no term
        "Signs of the disease such as chalkbrood mummies of 2019.",  # a number
        "Diseases such as other problems are in the hive.",  # empty
    ],
)
def test_what_does_not_grow(text: str) -> None:
    corpus = corpus_of_texts([text])
    assert grow([DISEASE], read(corpus), corpus) == []


def test_a_term_in_another_spelling_does_not_grow() -> None:
    corpus = corpus_of_texts(["Diseases such as chalk brood are in the hive."])
    chalkbrood = Term("chalkbrood", "chalkbrood", (), "en", 1, 0.5)
    assert [one.label for one in grow([DISEASE], read(corpus), corpus)] == ["chalk brood"]
    assert grow([DISEASE, chalkbrood], read(corpus), corpus) == []


def test_a_term_without_its_year_does_not_grow() -> None:
    corpus = corpus_of_texts(["Diseases such as foul brood are in the hive."])
    dated = Term("foul brood 2003", "foul brood 2003", (), "en", 1, 0.5)
    assert grow([DISEASE, dated], read(corpus), corpus) == []


def test_a_decision_means_the_label_and_not_what_has_its_stem() -> None:
    texts = ["Pollination is good for the orchard.", "The orchard needs pollination."]

    def chosen(**keep: bool) -> list[str]:
        return labels(choose(corpus_of_texts(texts), Wishes("orchard", terms=5, keep=keep)))

    assert "pollination" in chosen(pollinator=False)
    assert "pollination" not in chosen(pollination=False)
    assert "pollination" not in chosen(pollinations=False)
    assert "pollination" in chosen(pollination=True, pollinator=False)


def test_no_more_grow_than_are_chosen_and_none_that_an_expert_dropped() -> None:
    kinds = "rust, scab, mildew, canker and blight"
    corpus = corpus_of_texts([f"Diseases such as {kinds} are in the orchard; the orchard has diseases."])
    chosen = choose(corpus, Wishes("orchard", terms=2, keep={"diseases": True}))
    grown = [one.label for one in chosen.terms if one.source == "sentence"]
    assert len(grown) == 2
    dropped = choose(corpus, Wishes("orchard", terms=2, keep={grown[0]: False, "diseases": True}))
    assert grown[0] not in labels(dropped)


# What is said


def test_a_number_of_terms_is_counted_and_fewer_are_explained() -> None:
    chosen = choose(corpus_of_texts(WINE), Wishes("viticulture", terms=50))
    found = [one for one in chosen.terms[1:] if one.source == "corpus"]
    assert any(
        note.startswith(f"{len(found)} terms instead of 50: no other noun phrase") for note in chosen.notes
    )
    plenty = choose(corpus_of_texts(WINE), Wishes("viticulture", terms=2))
    assert len([one for one in plenty.terms[1:] if one.source == "corpus"]) == 2
    assert not any("instead of" in note for note in plenty.notes)


def test_a_single_document_is_warned_of() -> None:
    assert any(
        "a single document" in note for note in choose(corpus_of_texts(WINE[:1]), Wishes("viticulture")).notes
    )


def test_documents_without_a_term_are_named() -> None:
    odd = tuple(Document(f"odd {n}", "", "Something else entirely.") for n in range(3))
    corpus = Corpus((*corpus_of_texts(WINE).documents, *odd))
    (note,) = [
        note for note in choose(corpus, Wishes("viticulture", terms=3)).notes if "none of the terms" in note
    ]
    assert note == "3 of the 11 documents have none of the terms: odd 0, odd 1, odd 2"


@pytest.mark.parametrize(("minimum", "found"), [(None, True), (1, True), (2, False)])
def test_the_minimum_of_documents(minimum: int | None, found: bool) -> None:
    corpus = corpus_of_texts([*WINE, "The phylloxera is a pest of viticulture."])
    assert ("phylloxera" in labels(choose(corpus, Wishes("viticulture", minimum_df=minimum)))) is found


@pytest.mark.skipif(not BEES.is_dir(), reason=f"no corpus in {BEES}")
def test_a_minimum_above_the_number_of_documents_is_refused() -> None:
    with pytest.raises(InvalidInput, match="--min-df is 2, more than 1 document of the corpus:"):
        choose(corpus_of_texts(WINE[:1]), Wishes("viticulture", minimum_df=2))


def test_fifteen_texts_on_bees() -> None:
    found = {label.lower() for label in labels(choose(read_corpus([BEES]), Wishes("beekeeping")))}
    wanted = {"american foulbrood", "chalkbrood", "varroa mite", "worker bees", "brood diseases", "wax moth"}
    assert wanted <= found
    assert not {"board", "space", "control", "feed", "hangs"} & found
