"""Contexts, lattices and the order of terms, with ``concepts`` and brute force as oracles."""

from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fcwseo_ontology.bits import bits
from fcwseo_ontology.errors import InvalidInput
from fcwseo_ontology.fca.context import Context
from fcwseo_ontology.fca.engines import to_concepts
from fcwseo_ontology.fca.lattice import Lattice, Parents, Subsumption, attribute_order, lattice

TABLE_1 = Context.of(
    {
        "D1": ["T1", "T2", "T4"],
        "D2": ["T2", "T3", "T4"],
        "D3": ["T1", "T2", "T3"],
        "D4": ["T1", "T3"],
    },
    attributes=["T1", "T2", "T3", "T4"],
)

contexts = st.integers(0, 7).flatmap(
    lambda width: st.lists(st.integers(0, (1 << width) - 1), max_size=7).map(
        lambda rows: Context(
            tuple(f"o{i}" for i in range(len(rows))), tuple(f"a{j}" for j in range(width)), tuple(rows)
        )
    )
)


def random_context(rng: Random) -> Context:
    height, width = rng.randint(1, 12), rng.randint(1, 9)
    density = rng.choice([0.1, 0.3, 0.5, 0.8])
    rows = {f"o{i}": [f"a{j}" for j in range(width) if rng.random() < density] for i in range(height)}
    return Context.of(rows, attributes=[f"a{j}" for j in range(width)])


def named(found: Lattice) -> dict[frozenset[str], frozenset[str]]:
    """The intent of each extent, by names."""
    context = found.context
    return {
        frozenset(context.names_of_objects(one.extent)): frozenset(
            context.attributes[position] for position in bits(one.intent)
        )
        for one in found.concepts
    }


def named_covers(found: Lattice) -> set[tuple[frozenset[str], frozenset[str]]]:
    extents = [frozenset(found.context.names_of_objects(one.extent)) for one in found.concepts]
    return {(extents[lower], extents[upper]) for lower, upper in found.covers}


def test_table_1_has_the_12_concepts_and_20_covers() -> None:
    found = lattice(TABLE_1)
    expected = {
        "1234": "", "123": "2", "134": "1", "234": "3", "12": "24", "13": "12", "23": "23", "34": "13",
        "1": "124", "2": "234", "3": "123", "": "1234",
    }  # fmt: skip
    assert named(found) == {
        frozenset(f"D{i}" for i in extent): frozenset(f"T{j}" for j in intent)
        for extent, intent in expected.items()
    }
    assert len(found.concepts) == 12
    assert len(found.covers) == 20
    assert found.capped == ""


def test_200_random_contexts_agree_with_concepts() -> None:
    rng = Random(2022)
    for _ in range(200):
        context = random_context(rng)
        ours, theirs = lattice(context), to_concepts(context).lattice
        assert named(ours) == {frozenset(one.extent): frozenset(one.intent) for one in theirs}
        assert len(ours.concepts) == len(theirs)
        assert named_covers(ours) == {
            (frozenset(one.extent), frozenset(up.extent)) for one in theirs for up in one.upper_neighbors
        }


@settings(deadline=None, max_examples=50)
@given(contexts)
def test_the_concepts_are_the_closed_pairs(context: Context) -> None:
    brute = {
        context.extent(sum(1 << j for j in chosen))
        for size in range(len(context.attributes) + 1)
        for chosen in combinations(range(len(context.attributes)), size)
    }
    found = lattice(context)
    assert {one.extent for one in found.concepts} == brute
    for one in found.concepts:
        assert context.intent(one.extent) == one.intent
        assert context.extent(one.intent) == one.extent


@settings(deadline=None, max_examples=50)
@given(contexts, st.integers(0, 127), st.integers(0, 127))
def test_closure_is_extensive_monotone_and_idempotent(context: Context, some: int, more: int) -> None:
    some &= context.all_attributes
    more = some | more & context.all_attributes
    closed, wider = (context.intent(context.extent(attributes)) for attributes in (some, more))
    assert closed & some == some
    assert wider & closed == closed
    assert context.intent(context.extent(closed)) == closed


@settings(deadline=None, max_examples=50)
@given(contexts, st.integers(0, 8))
def test_an_iceberg_is_the_upper_part_of_the_whole(context: Context, support: int) -> None:
    whole, iceberg = lattice(context), lattice(context, support=support)
    large = {one for one in whole.concepts if one.extent.bit_count() >= support}
    assert set(iceberg.concepts) == large
    inside = {(lower, upper) for lower, upper in named_covers(whole) if len(lower) >= support}
    assert named_covers(iceberg) == inside


@settings(deadline=None, max_examples=50)
@given(contexts, st.integers(1, 30))
def test_a_cap_leaves_an_exact_iceberg_and_is_announced(context: Context, most: int) -> None:
    whole, capped = lattice(context), lattice(context, most=most)
    assert len(capped.concepts) <= most
    assert bool(capped.capped) == (len(whole.concepts) > most)
    expected = lattice(context, support=capped.support)
    assert (capped.concepts, capped.covers) == (expected.concepts, expected.covers)


def test_the_cap_says_what_it_did() -> None:
    assert lattice(TABLE_1, most=5).capped == "stopped at 5 concepts: complete from 3 objects on, not from 0"


def test_time_running_out_leaves_an_exact_iceberg() -> None:
    ticks = iter(range(100))
    found = lattice(TABLE_1, seconds=6, clock=lambda: float(next(ticks)))
    assert found.capped == "stopped at 6 seconds: complete from 3 objects on, not from 0"
    assert found.concepts == lattice(TABLE_1, support=3).concepts


def test_concepts_come_most_objects_first() -> None:
    sizes = [one.extent.bit_count() for one in lattice(TABLE_1).concepts]
    assert sizes == sorted(sizes, reverse=True)


def test_an_empty_context_has_one_concept() -> None:
    assert len(lattice(Context((), (), ())).concepts) == 1


def test_a_support_above_all_objects_leaves_nothing() -> None:
    assert lattice(TABLE_1, support=5).concepts == ()


def test_a_bad_support_is_refused() -> None:
    with pytest.raises(InvalidInput, match="support"):
        lattice(TABLE_1, support=-1)


def test_the_only_inclusion_in_table_1_is_t4_below_t2() -> None:
    order = attribute_order(TABLE_1)
    assert order.edges == (Subsumption("T4", "T2", 1.0),)
    assert order.equal == ()
    assert order.roots == ("T1", "T2", "T3")


def diamond() -> Context:
    """``wet`` lies below ``rain`` and ``flood``, both below ``water``; ``flood`` is the tighter."""
    return Context.of(
        {
            "1": ["water"],
            "2": ["water", "rain"],
            "3": ["water", "rain"],
            "4": ["water", "rain", "flood", "wet"],
            "5": ["water", "flood"],
        }
    )


def test_a_tree_keeps_the_closest_parent_and_a_dag_all() -> None:
    tree = attribute_order(diamond())
    assert [(one.child, one.parent) for one in tree.edges] == [
        ("wet", "flood"),
        ("flood", "water"),
        ("rain", "water"),
    ]
    dag = attribute_order(diamond(), parents=Parents.ALL)
    assert {(one.child, one.parent) for one in dag.edges} == {
        ("wet", "flood"),
        ("wet", "rain"),
        ("flood", "water"),
        ("rain", "water"),
    }


def test_confidence_relaxes_inclusion() -> None:
    documents = {str(i): ["rain", "flood"] for i in range(4)} | {"4": ["flood"], "5": ["rain"], "6": ["rain"]}
    context = Context.of(documents)
    assert attribute_order(context).edges == ()
    assert attribute_order(context, confidence=0.8).edges == (Subsumption("flood", "rain", 0.8),)


def test_terms_of_equal_extent_are_one_node() -> None:
    context = Context.of({"1": ["rain", "flood", "deluge"], "2": ["rain"]})
    order = attribute_order(context)
    assert order.equal == (("flood", "deluge"),)
    assert order.edges == (Subsumption("flood", "rain", 1.0),)


def test_a_term_without_documents_is_left_out() -> None:
    order = attribute_order(Context.of({"1": ["rain"]}, attributes=["rain", "snow"]))
    assert (order.edges, order.roots) == ((), ("rain",))


@settings(deadline=None, max_examples=50)
@given(contexts, st.sampled_from([0.3, 0.5, 0.8, 1.0]), st.sampled_from(Parents))
def test_sizes_rise_along_every_edge_so_there_is_no_cycle(
    context: Context, confidence: float, parents: Parents
) -> None:
    size = {
        name: column.bit_count() for name, column in zip(context.attributes, context.columns, strict=True)
    }
    order = attribute_order(context, confidence=confidence, parents=parents)
    assert all(size[one.child] < size[one.parent] for one in order.edges)
    assert all(one.confidence >= confidence for one in order.edges)
    children = [one.child for one in order.edges]
    if parents is Parents.CLOSEST:
        assert len(children) == len(set(children))
    assert not set(children) & set(order.roots)


@settings(deadline=None, max_examples=50)
@given(contexts)
def test_the_strict_order_is_the_reduced_order_of_the_extents(context: Context) -> None:
    order = attribute_order(context, parents=Parents.ALL)
    extents = {context.columns[j] for j in range(len(context.attributes)) if context.columns[j]}
    pairs = {(low, high) for low in extents for high in extents if low != high and low & high == low}
    reduced = {
        (low, high)
        for low, high in pairs
        if not any((low, c) in pairs and (c, high) in pairs for c in extents)
    }
    column = dict(zip(context.attributes, context.columns, strict=True))
    assert {(column[one.child], column[one.parent]) for one in order.edges} == reduced


@pytest.mark.parametrize("confidence", [0.0, -1.0, 1.5])
def test_a_bad_confidence_is_refused(confidence: float) -> None:
    with pytest.raises(InvalidInput, match="confidence"):
        attribute_order(TABLE_1, confidence=confidence)


@settings(deadline=None, max_examples=50)
@given(st.integers(0, 1 << 70))
def test_bits_are_those_of_the_number(mask: int) -> None:
    assert sum(1 << position for position in bits(mask)) == mask
    assert list(bits(mask)) == sorted(bits(mask))


@settings(deadline=None, max_examples=50)
@given(contexts)
def test_columns_are_the_rows_turned(context: Context) -> None:
    for i, row in enumerate(context.rows):
        for j, column in enumerate(context.columns):
            assert row >> j & 1 == column >> i & 1


def test_attributes_choose_and_order_the_columns() -> None:
    context = Context.of({"1": ["b", "x", "a"]}, attributes=["a", "b"])
    assert (context.attributes, context.rows) == (("a", "b"), (0b11,))


def test_a_context_that_does_not_fit_is_refused() -> None:
    with pytest.raises(InvalidInput, match="as many rows"):
        Context(("1",), ("a",), ())
    with pytest.raises(InvalidInput, match="beyond the 1"):
        Context(("1",), ("a",), (2,))
    with pytest.raises(InvalidInput, match="object '1' stands twice"):
        Context(("1", "1"), ("a",), (0, 0))


def test_drawing_copes_with_names_that_are_objects_and_attributes() -> None:
    drawn = to_concepts(Context.of({"flood": ["flood"], "flash flood": ["flood", "flash"]}))
    assert drawn.objects == ("flood (object)", "flash flood")


def test_nothing_cannot_be_drawn() -> None:
    with pytest.raises(InvalidInput, match="no lattice to draw"):
        to_concepts(Context((), (), ()))
