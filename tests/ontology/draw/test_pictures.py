"""The lattice beside an ontology is the one that its kinds come from."""

from pathlib import Path

from helpers.relations_examples import corpus

from fcwseo_ontology.build import build
from fcwseo_ontology.draw.pictures import context_of, hasse_of
from fcwseo_ontology.fca.engines import concept_lattice
from fcwseo_ontology.fca.order import introducer_order
from fcwseo_ontology.model import Concept, Edge, Label, Ontology, Relation
from fcwseo_ontology.owl.ontologies import read_owl, write_owl
from fcwseo_ontology.terms.choose import Wishes

TEXTS = (
    "Parasites such as the varroa mite and the tracheal mite harm bees. Bees die in winter.",
    "The varroa mite (VM) lives on bees. A tracheal mite is a mite. Mites harm bees.",
    "Organic acids such as oxalic acid and formic acid kill the varroa mite. Bees stand acids.",
    "The oxalic acid and formic acid work in the hive. A VM dies. The hive has bees.",
)


def test_the_very_lattice_is_drawn_from_the_file(tmp_path: Path) -> None:
    built = build(corpus(*TEXTS), Wishes("bees", 20))
    write_owl(built.ontology, tmp_path / "bees.owl")
    drawn = hasse_of(read_owl(tmp_path / "bees.owl"))
    assert (len(drawn.nodes), len(drawn.covers)) == (built.report.concepts, built.report.covers)
    labels = {concept.name: concept.labels[0].text for concept in built.ontology.concepts}
    kinds = {
        (labels[edge.child], labels[edge.parent])
        for edge in built.ontology.edges
        if edge.relation is Relation.IS_A
    }
    # The concepts between that introduce nothing are contracted.
    order = introducer_order(concept_lattice(context_of(built.ontology)))
    covers = {
        (low, up)
        for lower, upper in order.covers
        for low in order.introducers[lower].objects
        for up in order.introducers[upper].objects
    }
    assert kinds <= covers
    assert len(kinds) == len(order.covers)


def test_an_ontology_of_somebody_else_is_drawn_by_what_lies_above() -> None:
    concepts = (Concept("a", (Label("bee"),)), Concept("b", (Label("drone"),)), Concept("c", (Label("bee"),)))
    context = context_of(Ontology("a", concepts, (Edge("b", "a", Relation.IS_A),)))
    assert context.objects == ("bee", "drone", "bee (c)")
    assert context.names_of_attributes(context.rows[1]) == ("bee", "drone")
