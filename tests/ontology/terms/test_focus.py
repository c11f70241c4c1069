"""The topic of an ontology: a short label."""

import pytest

from fcwseo_ontology import build_ontology
from fcwseo_ontology.corpus.read import corpus_of_texts
from fcwseo_ontology.errors import InvalidInput


@pytest.mark.parametrize("topic", ["", "  ", "flash flood " * 2000])
def test_a_topic_that_is_no_label_is_refused_before_anything_is_computed(topic: str) -> None:
    with pytest.raises(InvalidInput, match="characters"):
        build_ontology(corpus_of_texts(["A flash flood after heavy rain."]), topic=topic)
