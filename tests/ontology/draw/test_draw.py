"""Drawings lose nothing, overlap nowhere, let nothing break out of the page, and are the same each time."""

import json
import os
import re
import subprocess
import sys
from base64 import b64encode
from hashlib import sha256
from itertools import pairwise
from math import atan2, hypot
from random import Random

import pytest
from rich.console import Console

from fcwseo_ontology.draw import Hasse, HasseNode, html_page, tree_lines
from fcwseo_ontology.draw.hasse import levels, reduced
from fcwseo_ontology.draw.layout import PITCH, ROW, STEP, Point, hasse_places, layered, radial
from fcwseo_ontology.draw.page import page_data
from fcwseo_ontology.draw.spanning import spanning_tree
from fcwseo_ontology.errors import InvalidInput, InvalidOntology
from fcwseo_ontology.model import Concept, Edge, Label, Ontology, Relation
from fcwseo_ontology.shipped import shipped_ontology

HOSTILE = "</script><script>alert(1)</script><!--<img src=x onerror=alert(2)> \u2028 & \" '"


def ontology(*edges: Edge, topic: str = "a", loose: str = "") -> Ontology:
    names = dict.fromkeys([topic, *(end for edge in edges for end in (edge.parent, edge.child)), *loose])
    return Ontology(topic, tuple(Concept(name, (Label(f"the {name}"),)) for name in names), edges)


def random_ontology(size: int, seed: int) -> Ontology:
    rng = Random(seed)
    relations = list(Relation)
    edges = [
        Edge(f"c{n}", f"c{rng.randrange(max(1, n // 2))}", rng.choice(relations)) for n in range(1, size)
    ]
    return ontology(*edges, topic="c0")


def nearest(points: list[Point]) -> float:
    return min(hypot(a[0] - b[0], a[1] - b[1]) for at, a in enumerate(points) for b in points[:at])


def data_of(page: str) -> dict[str, object]:
    block = re.search(r'<script id="data" type="application/json">(.*?)</script>', page, re.DOTALL)
    assert block
    data: dict[str, object] = json.loads(block[1])
    return data


def lines_of(drawn: Ontology, weights: dict[str, float] | None = None) -> list[str]:
    console = Console(width=200, no_color=True)
    with console.capture() as captured:
        console.print(tree_lines(drawn, weights))
    return captured.get().splitlines()


# The tree inside an ontology.


def test_a_concept_hangs_on_the_nearest_parent_and_among_equals_on_the_first() -> None:
    tree = spanning_tree(
        ontology(
            Edge("b", "a", Relation.IS_A),
            Edge("c", "a", Relation.IS_A),
            Edge("d", "c", Relation.INDUCE),
            Edge("d", "b", Relation.IS_A),
            Edge("e", "d", Relation.IS_A),
            Edge("e", "a", Relation.RELATED),
        )
    )
    assert tree.via["d"].parent == "c"
    assert tree.via["e"].parent == "d", "what only co-occurs does not order"
    assert [tree.level[name] for name in "abcde"] == [1, 2, 2, 3, 4]


def test_related_loose_and_circular_concepts_are_drawn_too() -> None:
    tree = spanning_tree(
        ontology(
            Edge("b", "a", Relation.RELATED),
            Edge("c", "b", Relation.IS_A),
            Edge("d", "e", Relation.IS_A),
            Edge("e", "d", Relation.IS_A),
            loose="f",
        )
    )
    assert sorted(tree.order) == ["a", "b", "c", "d", "e", "f"]
    assert tree.via["b"].relation is Relation.RELATED
    assert "f" not in tree.via and tree.level["f"] == 2


def test_an_edge_to_nowhere_or_a_topic_from_nowhere_is_refused() -> None:
    dangling = Ontology("a", (Concept("a", ()),), (Edge("b", "a", Relation.IS_A),))
    with pytest.raises(InvalidOntology, match="'b'"):
        spanning_tree(dangling)
    with pytest.raises(InvalidOntology, match="'z'"):
        html_page(Ontology("z", (Concept("a", ()),), ()))


# Layouts.


@pytest.mark.parametrize(
    "drawn", [shipped_ontology("rainstorm"), random_ontology(500, 1), random_ontology(60, 2)]
)
def test_no_two_concepts_are_nearer_than_a_line_of_text(drawn: Ontology) -> None:
    tree = spanning_tree(drawn)
    round_places, rows = radial(tree), layered(tree)
    assert set(round_places) == set(rows) == {concept.name for concept in drawn.concepts}
    assert nearest(list(round_places.values())) > 0.97 * PITCH
    assert nearest(list(rows.values())) >= 0.99 * ROW


def test_round_the_root_what_hangs_below_a_concept_stays_in_its_arc() -> None:
    tree = spanning_tree(random_ontology(200, 3))
    places = radial(tree)
    for branch in tree.children[tree.root]:
        inside, order = {branch}, [branch]
        for name in order:
            order.extend(tree.children[name])
            inside.update(tree.children[name])
        centre = atan2(places[branch][1], places[branch][0])
        outside = [atan2(y, x) for name, (x, y) in places.items() if name not in inside and name != tree.root]
        widest = max(abs(turned(atan2(places[name][1], places[name][0]) - centre)) for name in inside)
        assert all(abs(turned(angle - centre)) > widest for angle in outside) or len(inside) == 1


def turned(angle: float) -> float:
    """Between minus a half turn and a half turn."""
    return (angle + 3.141592653589793) % 6.283185307179586 - 3.141592653589793


def test_a_lone_root_and_a_long_chain_have_a_drawing() -> None:
    lone = Ontology("a", (Concept("a", ()),), ())
    assert radial(spanning_tree(lone)) == layered(spanning_tree(lone)) == {"a": (0.0, 0.0)}
    chain = ontology(*(Edge(f"c{n}", f"c{n - 1}", Relation.IS_A) for n in range(1, 1500)), topic="c0")
    assert lines_of(chain)[1] == "└── the c1 (is-a)"
    assert len(radial(spanning_tree(chain))) == 1500
    assert html_page(chain)


# The lattice: Table 1 of Liu et al. 2022, whose twelve concepts follow from four documents.

TABLE = {"D1": "T1 T2 T4", "D2": "T2 T3 T4", "D3": "T1 T2 T3", "D4": "T1 T3"}


def table_lattice() -> Hasse:
    rows = {name: frozenset(terms.split()) for name, terms in TABLE.items()}
    intents = {frozenset(("T1", "T2", "T3", "T4"))}
    for row in rows.values():
        intents |= {intent & row for intent in intents}
    ordered = sorted(intents, key=lambda intent: (len(intent), sorted(intent)))
    nodes = [HasseNode(tuple(n for n, row in rows.items() if i <= row), tuple(sorted(i))) for i in ordered]
    covers = [
        (low, up)
        for up, upper in enumerate(ordered)
        for low, lower in enumerate(ordered)
        if upper < lower and not any(upper < between < lower for between in ordered)
    ]
    return Hasse(tuple(nodes), tuple(covers))


def test_the_lattice_is_drawn_downwards_without_two_concepts_in_one_place() -> None:
    lattice = table_lattice()
    assert (len(lattice.nodes), len(lattice.covers)) == (12, 20)
    places = hasse_places(lattice)
    assert all(places[low][1] > places[up][1] for low, up in lattice.covers)
    assert nearest(places) >= STEP


def test_each_object_and_each_attribute_is_written_once() -> None:
    labels = reduced(table_lattice())
    assert sorted(item for objects, _ in labels for item in objects) == ["D1", "D2", "D3", "D4"]
    assert sorted(item for _, attributes in labels for item in attributes) == ["T1", "T2", "T3", "T4"]


def test_covers_in_a_circle_or_to_nowhere_are_refused() -> None:
    pair = (HasseNode((), ()), HasseNode((), ()))
    with pytest.raises(InvalidInput, match="cycle"):
        levels(Hasse(pair, ((0, 1), (1, 0))))
    with pytest.raises(InvalidInput, match=r"\(0, 7\)"):
        hasse_places(Hasse(pair, ((0, 7),)))


# The page.


def test_the_page_carries_all_of_the_ontology() -> None:
    drawn = shipped_ontology("rainstorm")
    weights = {concept.name: 0.5 for concept in drawn.concepts}
    data = data_of(html_page(drawn, weights=weights, hasse=table_lattice()))
    assert data == json.loads(json.dumps(page_data(drawn, weights=weights, hasse=table_lattice())))
    concepts, edges = data["concepts"], data["edges"]
    assert isinstance(concepts, list) and isinstance(edges, list)
    assert len(concepts) == len(drawn.concepts) and len(edges) == len(drawn.edges)
    assert [edge["evidence"] for edge in edges] == [edge.evidence for edge in drawn.edges]
    assert sum(edge["tree"] for edge in edges) == len(drawn.concepts) - 1
    assert data["languages"] == ["en", "zh"]


def test_without_weights_or_lattice_the_page_says_so() -> None:
    data = page_data(ontology(Edge("b", "a", Relation.IS_A)))
    assert data["weighted"] is False and data["hasse"] is None
    assert page_data(ontology(), hasse=Hasse((), ()))["hasse"] is None


def test_the_page_shows_the_level_used_in_weights() -> None:
    edges = Edge("b", "a", Relation.IS_A), Edge("c", "b", Relation.IS_A), Edge("c", "a", Relation.PART_OF)
    concepts = data_of(html_page(ontology(*edges)))["concepts"]
    assert isinstance(concepts, list)
    assert {one["name"]: (one["level"], one["ring"]) for one in concepts} == {
        "a": (1, 1),
        "b": (2, 2),
        "c": (3, 2),
    }


def test_hostile_text_stays_text() -> None:
    nasty = Concept("a", (Label(HOSTILE), Label(HOSTILE, HOSTILE)), (Label(HOSTILE),), source=HOSTILE)
    child = Concept("b", (Label("b"),))
    drawn = Ontology("a", (nasty, child), (Edge("b", "a", Relation.IS_A, evidence=HOSTILE),))
    page = html_page(drawn, hasse=Hasse((HasseNode((HOSTILE,), (HOSTILE,)),), ()))
    assert page.count("</script>") == page.count("<script") == 2
    assert "<img" not in page and "<!--" not in page
    assert "alert(1)" in json.dumps(data_of(page))


def test_labels_that_are_no_valid_text_do_not_stop_the_page() -> None:
    page = html_page(Ontology("a", (Concept("a", (Label("half \ud83d"),)),), ()))
    assert b"half" in page.encode("utf-8")


def test_the_page_loads_nothing_and_its_policy_admits_only_itself() -> None:
    page = html_page(shipped_ontology("rainstorm"))
    assert re.findall(r"https?://[^\s\"']+", page) == ["http://www.w3.org/2000/svg"]
    assert not re.search(r"\b(src|href|@import|url)\s*[=(]|\bfetch\(|innerHTML|eval\(", page)
    for tag in ("style", "script"):
        text = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        assert len(text) == 1
        digest = b64encode(sha256(text[0].encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in page
    assert "default-src 'none'" in page


def test_the_same_ontology_gives_the_same_bytes_in_any_process() -> None:
    code = (
        "import hashlib; from fcwseo_ontology.shipped import shipped_ontology as o; "
        "from fcwseo_ontology.draw import html_page; "
        "print(hashlib.sha256(html_page(o('rainstorm')).encode()).hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(digests) == 1


# The terminal.


def test_the_terminal_shows_each_concept_once_with_relation_weight_and_other_parents() -> None:
    drawn = ontology(
        Edge("b", "a", Relation.IS_A),
        Edge("c", "b", Relation.INDUCE),
        Edge("c", "a", Relation.RELATED),
    )
    assert lines_of(drawn, {"a": 1.0, "b": 0.5}) == [
        "the a  1.000",
        "└── the b (is-a)  0.500",
        "    └── the c (induced by)  0.000  + related to the a",
    ]
    assert lines_of(drawn)[0] == "the a"


def test_a_long_chain_is_drawn_to_its_end() -> None:
    """Lines below level 15 have no room left and would be as long as the chain is deep."""
    names = [f"c{i}" for i in range(2000)]
    edges = tuple(Edge(child, parent, Relation.IS_A) for parent, child in pairwise(names))
    console = Console(width=100, no_color=True)
    with console.capture() as captured:
        console.print(tree_lines(Ontology("c0", tuple(Concept(name, ()) for name in names), edges)))
    lines = captured.get().splitlines()
    assert [line.strip("│└├─ \u00a0").split()[0] for line in lines] == names
    assert lines[14].endswith("─ c14 (is-a)") and lines[15].endswith("─ c15 (is-a)  level 16, below c14")
    assert lines[-1].endswith("c1999 (is-a)  level 2000, below c1998")


def test_relations_have_different_colours() -> None:
    console = Console(width=80, force_terminal=True, color_system="standard")
    with console.capture() as captured:
        console.print(tree_lines(ontology(Edge("b", "a", Relation.INDUCE))))
    assert "\x1b[31m (induced by)" in captured.get()


def test_a_label_cannot_command_the_terminal() -> None:
    drawn = Ontology("a", (Concept("a", (Label("\x1b[2Jgone [red]plain[/red]\r\n"),)),), ())
    assert lines_of(drawn) == ["�[2Jgone [red]plain[/red]��"]
