"""What the lattice did for an ontology, as a report and as a trace."""

import logging
from collections.abc import Callable
from typing import Any

import pytest
from helpers.relations_examples import corpus

from fcwseo_ontology import build as stations
from fcwseo_ontology.build import build
from fcwseo_ontology.fca import engines
from fcwseo_ontology.model import Relation
from fcwseo_ontology.report import NamedClass
from fcwseo_ontology.terms.choose import Wishes

TEXTS = (
    "Parasites such as the varroa mite and the tracheal mite harm bees. Bees die in winter.",
    "The varroa mite (VM) lives on bees. A tracheal mite is a mite. Mites harm bees.",
    "Organic acids such as oxalic acid and formic acid kill the varroa mite. Bees stand acids.",
    "The oxalic acid and formic acid work in the hive. A VM dies. The hive has bees.",
    "A bee hive is a box. The hive stands in an apiary. Acids and bees in the hive.",
)
WANTED = ("varroa mite", "tracheal mite", "oxalic acid", "formic acid", "acid", "mite", "hive")


def test_a_report_says_what_the_lattice_did() -> None:
    built = build(corpus(*TEXTS), Wishes("bees", 8, keep=dict.fromkeys(WANTED, True)))
    report, ontology = built.report, built.ontology
    labels = {concept.name: concept.labels[0].text for concept in ontology.concepts}
    is_a = {
        (labels[edge.child], labels[edge.parent]) for edge in ontology.edges if edge.relation is Relation.IS_A
    }
    assert report.engine == "concepts"
    assert report.is_a == len(is_a)
    assert report.terms == len([one for one in ontology.concepts if one.source != "lattice"])
    assert report.objects == report.attributes == len(ontology.concepts)
    assert report.named == (
        NamedClass("Parasites", ("varroa mite", "tracheal mite")),
        NamedClass("Organic acid", ("oxalic acid", "formic acid")),
    )
    assert report.synonyms == (("varroa mite", "VM"),)
    assert {("oxalic acid", "Organic acid"), ("Organic acid", "acid")} <= is_a
    assert ("oxalic acid", "acid") in report.redundant
    assert set(report.unstated) <= is_a
    assert not set(report.redundant) & is_a


def test_an_expert_wants_no_such_class() -> None:
    """Its terms are kinds of what it is a kind of."""
    keep = {**dict.fromkeys(WANTED, True), "organic acids": False}
    built = build(corpus(*TEXTS), Wishes("bees", 8, keep=keep))
    assert [one.label for one in built.report.named] == ["Parasites"]
    labels = {concept.name: concept.labels[0].text for concept in built.ontology.concepts}
    found = {(labels[edge.child], labels[edge.parent]) for edge in built.ontology.edges}
    assert {("oxalic acid", "acid"), ("formic acid", "acid")} <= found


def test_what_pairs_of_terms_alone_would_lack() -> None:
    texts = ("Natural hazards such as gales break maps.", "A gale is no map.", "Hazards and maps.") * 2
    wanted = {"gale": True, "hazard": True, "natural hazard": False}
    report = build(corpus(*texts), Wishes("maps", 1, keep=wanted)).report
    assert report.lacking == report.unstated == (("gale", "hazards"),)


def test_every_kind_comes_from_the_lattice_and_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    """A trace: the context is made into a lattice, that into an order, and of no order there is no is-a."""
    calls: list[str] = []

    def noted(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any, **more: Any) -> Any:
            calls.append(name)
            return real(*given, **more)

        return call

    for name in ("formal_context", "concept_lattice", "introducer_order", "kinds_of"):
        monkeypatch.setattr(stations, name, noted(name, getattr(stations, name)))
    monkeypatch.setattr(engines, "_library", noted("concepts", engines._library))
    built = build(corpus(*TEXTS), Wishes("bees", 20))
    assert calls == ["formal_context", "concept_lattice", "concepts", "introducer_order", "kinds_of"]
    kinds = [edge for edge in built.ontology.edges if edge.relation is Relation.IS_A]
    assert kinds
    assert all(edge.evidence and edge.confidence > 0 for edge in kinds)


def test_the_log_tells_the_stations(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, logger="fcwseo_ontology"):
        report = build(corpus(*TEXTS), Wishes("bees", 20)).report
    assert caplog.messages == list(report.lines())
    context, lattice, order, hierarchy = caplog.messages
    assert context.startswith(f"formal context: {report.objects} objects, {report.terms} of them terms, ")
    assert lattice.endswith("computed by concepts")
    assert order.endswith(f"{report.contracted} others are contracted")
    assert hierarchy.startswith(f"hierarchy: {report.is_a} is-a edges, ")
