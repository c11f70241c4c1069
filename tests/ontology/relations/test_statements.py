"""The labels of what sentences name."""

from fcwseo_ontology.relations.statements import Names
from fcwseo_ontology.relations.wordnet import load_wordnet


def test_the_singular_of_gas_is_not_the_symbol_of_gallium() -> None:
    names = Names([], load_wordnet())
    assert [names.singular(word) for word in ("gas", "floods")] == ["gas", "flood"]
