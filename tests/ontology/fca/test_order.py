"""Both engines of the lattice, and the order of the concepts that introduce something."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fcwseo_ontology.bits import bits
from fcwseo_ontology.errors import InvalidInput
from fcwseo_ontology.fca import engines
from fcwseo_ontology.fca.context import Context
from fcwseo_ontology.fca.engines import MOST_CELLS, Engine, concept_lattice, engine_for
from fcwseo_ontology.fca.lattice import lattice
from fcwseo_ontology.fca.order import IntroducerOrder, introducer_order

TABLE_1 = Context.of(
    {"D1": ["T1", "T2", "T4"], "D2": ["T2", "T3", "T4"], "D3": ["T1", "T2", "T3"], "D4": ["T1", "T3"]},
    attributes=["T1", "T2", "T3", "T4"],
)

contexts = st.integers(0, 7).flatmap(
    lambda width: st.lists(st.integers(0, (1 << width) - 1), max_size=8).map(
        lambda rows: Context(
            tuple(f"o{i}" for i in range(len(rows))), tuple(f"a{j}" for j in range(width)), tuple(rows)
        )
    )
)


def edges(order: IntroducerOrder) -> set[tuple[int, int]]:
    """The edges as pairs of extents."""
    extents = [one.concept.extent for one in order.introducers]
    return {(extents[lower], extents[upper]) for lower, upper in order.covers}


@settings(deadline=None, max_examples=100)
@given(contexts)
def test_both_engines_give_the_same_lattice(context: Context) -> None:
    assert concept_lattice(context) == lattice(context)


def test_small_contexts_go_to_concepts_and_large_ones_to_bit_masks(monkeypatch: pytest.MonkeyPatch) -> None:
    used: list[str] = []
    library = engines._library

    def noted() -> object:
        used.append("concepts")
        return library()

    monkeypatch.setattr(engines, "_library", noted)
    side = int(MOST_CELLS**0.5)
    names = tuple(map(str, range(side)))
    small = Context(names, names, tuple(1 << place for place in range(side)))
    large = Context((*names, "more"), names, (*small.rows, 1))
    assert (engine_for(small), engine_for(large)) == (Engine.CONCEPTS, Engine.BIT_MASKS)
    assert len(concept_lattice(large).concepts) == side + 2
    assert used == []
    concept_lattice(TABLE_1)
    assert used == ["concepts"]


def test_the_worked_example_of_paper_001() -> None:
    """Table 1 and Fig. 1: 12 formal concepts, 20 edges; T4 is the only term below another."""
    found = concept_lattice(TABLE_1)
    assert (len(found.concepts), len(found.covers)) == (12, 20)
    assert found == lattice(TABLE_1)
    order = introducer_order(found)
    named = [(one.objects, one.attributes) for one in order.introducers]
    assert named == [
        ((), ("T1",)), ((), ("T2",)), ((), ("T3",)), (("D4",), ()), ((), ("T4",)),
        (("D3",), ()), (("D1",), ()), (("D2",), ()),
    ]  # fmt: skip
    terms = {one.attributes[0]: at for at, one in enumerate(order.introducers) if one.attributes}
    assert order.uppers[terms["T4"]] == (terms["T2"],)
    assert order.contracted == 4


@settings(deadline=None, max_examples=100)
@given(contexts)
def test_the_order_is_that_of_the_introducing_extents(context: Context) -> None:
    objects = {context.extent(row) for row in context.rows}
    extents = objects | set(context.columns)
    below = {(low, high) for low in extents for high in extents if low != high and low & high == low}
    reduced = {
        (low, high)
        for low, high in below
        if not any((low, between) in below and (between, high) in below for between in extents)
    }
    found = concept_lattice(context)
    order = introducer_order(found)
    assert {one.concept.extent for one in order.introducers} == extents
    assert edges(order) == reduced
    assert order.contracted == len(found.concepts) - len(extents)


@settings(deadline=None, max_examples=100)
@given(contexts)
def test_each_name_is_introduced_once_and_below_it_everything_has_it(context: Context) -> None:
    order = introducer_order(concept_lattice(context))
    assert sorted(name for one in order.introducers for name in one.objects) == sorted(context.objects)
    assert sorted(name for one in order.introducers for name in one.attributes) == sorted(context.attributes)
    for lower, upper in order.covers:
        small, large = order.introducers[lower].concept, order.introducers[upper].concept
        assert small.extent & large.extent == small.extent
        assert set(bits(large.intent)) < set(bits(small.intent))


def test_an_iceberg_has_no_order() -> None:
    with pytest.raises(InvalidInput, match="not whole"):
        introducer_order(lattice(TABLE_1, most=5))
