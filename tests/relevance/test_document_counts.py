"""The word counts of a document say as much as its text does when the feature words of a topic are counted.

Also of a topic that has fewer labels than when the document was counted: phrases and the words in them are
both there, so what stands in a phrase can be taken off its words, or left with them.
"""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fcwseo.relevance.words import Matcher
from fcwseo_ontology.corpus.documents import Document
from fcwseo_ontology.corpus.tokens import written_words
from fcwseo_ontology.model import DocumentCounts
from fcwseo_ontology.terms.counts import count_documents
from fcwseo_ontology.topic import topic_of_words

LABELS = ("flood", "flash flood", "flash flood warning", "early warning", "rain", "机器学习", "学习")
SOME = ("flood", "flash flood", "rain", "学习")
PIECES = (
    *(
        "a flash flood.",
        "Floods and",
        "flash-flood warnings;",
        "early warning,",
        "the rain",
        "flash",
        "warning -",
    ),
    *("机器学习", "学习", "和机器"),
)


def counted(text: str, language: str = "en") -> DocumentCounts:
    (found,) = count_documents([Document("1", "", text, language=language)], LABELS)
    return found


def of_counts(matcher: Matcher, document: DocumentCounts) -> Counter[int]:
    """The words of a document by number: what stands in a longer feature word is none of a shorter one."""
    phrases = {tuple(written_words(entry)): count for entry, count in document.counts.items()}
    left: Counter[int] = Counter()
    taken: list[tuple[tuple[str, ...], int]] = []
    for phrase in sorted(phrases, key=len, reverse=True):
        numbers = matcher.words(" ".join(phrase), document.language)
        if len(phrase) > 1 and len(numbers) > 1:
            continue  # a label that this topic does not have
        within = sum(count * occurrences(phrase, longer) for longer, count in taken)
        count = phrases[phrase] - within
        left.update(dict.fromkeys(numbers, count))
        if len(phrase) > 1:
            taken.append((phrase, count))
    return +left


def occurrences(phrase: tuple[str, ...], longer: tuple[str, ...]) -> int:
    starts = range(len(longer) - len(phrase) + 1)
    return sum(longer[start : start + len(phrase)] == phrase for start in starts)


@pytest.mark.parametrize("labels", [LABELS, SOME])
@given(st.lists(st.sampled_from(PIECES), max_size=12))
def test_counts_are_worth_their_text(labels: tuple[str, ...], pieces: list[str]) -> None:
    text = " | ".join(pieces)
    matcher = Matcher(topic_of_words("t", dict.fromkeys(labels, 1.0)))
    assert of_counts(matcher, counted(text)) == Counter(matcher.words(text))


def test_words_that_are_no_label_count_too() -> None:
    """The norm of a document runs over all its words."""
    matcher = Matcher(topic_of_words("t", {"flood": 1.0}))
    text = "the river rises and the flood comes"
    assert sum(of_counts(matcher, counted(text)).values()) == len(text.split())
