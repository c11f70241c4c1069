"""What the sentences of a corpus call a kind of what."""

import pytest

from fcwseo_ontology.corpus.documents import Corpus, Document
from fcwseo_ontology.corpus.read import corpus_of_texts
from fcwseo_ontology.terms.reading import (
    CALLED,
    DOUBTFUL,
    ESPECIALLY,
    INCLUDING,
    IS_A,
    NAMELY,
    OTHER,
    SUCH_AS,
    Reading,
    read,
)


def said(*texts: str) -> set[tuple[str, str]]:
    return {(pair.child.text, pair.parent.text) for pair in read(corpus_of_texts(texts)).pairs}


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("Hazards such as floods and hail harm towns.", {("floods", "Hazards"), ("hail", "Hazards")}),
        ("Such hazards as floods are rare.", {("floods", "hazards")}),
        ("This is for the hazards (e.g. floods).", {("floods", "hazards")}),
        ("Floods, hail, and other hazards.", {("Floods", "hazards"), ("hail", "hazards")}),
        ("Some hazards, including flash floods, are rare.", {("flash floods", "hazards")}),
        ("Two hazards, namely floods and hail.", {("floods", "hazards"), ("hail", "hazards")}),
        ("Hazards, especially floods, are rare.", {("floods", "Hazards")}),
        ("A flood is a natural hazard.", {("flood", "natural hazard")}),
        ("Floods are natural hazards.", {("Floods", "natural hazards")}),
        ("Floods are one of the worst hazards.", {("Floods", "worst hazards")}),
        ("A debris flow is a kind of landslide.", {("debris flow", "landslide")}),
        ("Benzene is a clear, colourless liquid.", {("Benzene", "colourless liquid")}),
        (
            "The varroa mite, Varroa destructor, is a parasite.",
            {("varroa mite", "parasite"), ("Varroa destructor", "parasite")},
        ),
        ("This is a storm called Lothar.", {("Lothar", "storm")}),
        ("Lothar was the worst storm.", {("Lothar", "worst storm")}),
        ("The varroa mite (VM), which is a parasite, spreads.", {("varroa mite", "parasite")}),
    ],
)
def test_each_pattern(text: str, pairs: set[tuple[str, str]]) -> None:
    assert said(text) == pairs


@pytest.mark.parametrize(
    "text",
    [
        "There is a flood.",
        "A flood is not a hazard.",
        "Floods are not hazards.",
        "Floods are never really hazards.",
        "The storm is called a hurricane.",
        "A flood is the hazard of the year.",
        "These events are natural hazards.",
        "Sizes are three characteristics.",
        "Hazards such as loss of life are rare.",
        "It is such a flood.",
        "The other hazards are rare.",
    ],
)
def test_what_says_nothing(text: str) -> None:
    assert said(text) == set()


def test_a_list_ends_where_the_next_clause_begins() -> None:
    assert said("In areas such as Rome, the models are new.") == {("Rome", "areas")}


def test_the_trust_is_less_where_a_phrase_may_complete_another() -> None:
    pairs = read(
        corpus_of_texts(
            [
                "Hazards such as hail are rare.",
                "Floods in areas such as Sicily are rare.",
                "Types of hazards such as snow are rare.",
                "A drought is a lack of water.",
            ]
        )
    ).pairs
    trusts = {pair.child.text: pair.trust for pair in pairs}
    assert trusts == {
        "hail": SUCH_AS,
        "Sicily": SUCH_AS - DOUBTFUL,
        "snow": SUCH_AS,
        "drought": round(IS_A - DOUBTFUL, 2),
    }


def test_a_subject_that_is_not_whole_is_trusted_less() -> None:
    whole, part = (
        read(corpus_of_texts([text])).pairs[0].trust
        for text in ("The river is a hazard.", "People see the river is a hazard.")
    )
    assert whole == IS_A > part == pytest.approx(IS_A - DOUBTFUL)


@pytest.mark.parametrize(
    "text",
    ["The river is a hazard of nature.", "The bank of the river is a hazard.", "The river is a flood hazard"],
)
def test_a_phrase_that_is_not_whole_is_trusted_less(text: str) -> None:
    found = read(corpus_of_texts([text])).pairs[0]
    assert (found.trust == IS_A) is text.endswith("flood hazard")


def test_after_including_stand_parts_as_often_as_kinds() -> None:
    """A sentence that only names what is included, by name or especially, is not enough to believe."""
    assert max(INCLUDING, NAMELY, ESPECIALLY) < 0.6 < min(SUCH_AS, OTHER, IS_A, CALLED)


def test_a_pair_names_its_sentence_and_document() -> None:
    corpus = Corpus(
        (Document("0", "Rain", "It rains."), Document("1", "", "It is late. A flood is a\nhazard."))
    )
    (pair,) = read(corpus).pairs
    assert (pair.document, pair.cue, pair.quote) == (1, "is a", "A flood is a hazard.")
    assert (pair.child.key, pair.child.head, pair.parent.key) == ("flood", "flood", "hazard")


@pytest.mark.parametrize(
    ("title", "text", "child"),
    [
        ("Netball", "Old Schools Selection Netball is a sport.", "Netball"),
        ("", "DVD-Audio DVD-Audio is a format.", "DVD-Audio"),
        ("", "In general popularity Wrestling is a sport.", "Wrestling"),
        ("", "The Ivory-billed Woodpecker is a bird.", "Ivory-billed Woodpecker"),
        ("Swan", "The Mute Swan is a bird.", "Mute Swan"),
        ("", "The hurricane Ivan is a storm.", "hurricane Ivan"),
    ],
)
def test_a_heading_that_stands_before_a_subject_is_no_part_of_it(title: str, text: str, child: str) -> None:
    (pair,) = read(Corpus((Document("0", title, text),))).pairs
    assert pair.child.text == child


def test_uses_count_nouns_and_verbs() -> None:
    uses = read(corpus_of_texts(["Rivers can flood. The flood reached the town. They flood towns."])).uses
    assert (uses["flood"].noun, uses["flood"].verb) == (1, 2)


def test_only_english_documents_are_read() -> None:
    german = Document("0", "", "Gefahren such as Fluten.", language="de")
    assert read(Corpus((german,))) == Reading()


def test_words_that_the_corpus_has_as_noun_and_verb_are_no_phrase() -> None:
    misread = "Scores that are 80 or more mark specialty coffee."
    assert "mark specialty coffee" in read(corpus_of_texts([misread])).phrases
    found = read(corpus_of_texts([misread, "The graders mark specialty coffee.", "We mark it."])).phrases
    assert "mark specialty coffee" not in found
    assert "specialty coffee" in found


def test_a_word_that_is_mostly_a_noun_in_the_corpus_stays_in_phrases() -> None:
    texts = [
        "The mark of a queen is a spot.",
        "A queen mark is a spot.",
        "Two queens mark it.",
        "The mark is old.",
    ]
    assert "queen mark" in read(corpus_of_texts(texts)).phrases
