"""From a corpus to an ontology, and the expert's loop."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from helpers.relations_examples import corpus

import fcwseo_ontology.build as building
from fcwseo_ontology.build import build_ontology, candidates
from fcwseo_ontology.corpus.documents import Corpus, Document
from fcwseo_ontology.decisions import Decision, read_relations, write_relations
from fcwseo_ontology.errors import InvalidInput
from fcwseo_ontology.model import Ontology, Relation
from fcwseo_ontology.relations.hierarchy import first_cycle, levels
from fcwseo_ontology.terms.choose import Wishes, choose
from fcwseo_ontology.terms.extract import read_review, write_review
from fcwseo_ontology.terms.focus import closeness, occurrences, topical_terms

FLOODS = (
    "Flash floods are caused by heavy rainfall. Flash flood risk grows in the valley.",
    "Heavy rainfall triggers flash floods and landslides. Flood risk assessment for the valley.",
    "Natural hazards such as floods and landslides. The risk of flash floods.",
    "Natural hazards such as floods are frequent. Urban floods and flash floods differ.",
    "Flood risk assessment in cities: urban floods, rainfall and the risk of flash floods.",
    "Rainfall intensity and heavy rainfall. Landslides are natural hazards.",
)


def build(**choices: object) -> Ontology:
    return build_ontology(corpus(*FLOODS), topic="flash flood", **choices)  # type: ignore[arg-type]


def labelled(ontology: Ontology) -> set[tuple[str, str, str]]:
    labels = {concept.name: concept.labels[0].text for concept in ontology.concepts}
    return {(labels[edge.child], edge.relation.value, labels[edge.parent]) for edge in ontology.edges}


def test_a_form_that_is_another_concept_is_no_synonym() -> None:
    texts = (
        "The pollination of orchards by a bee pollinator. The fly pollinator and the pollination of pears.",
        "Orchards have a bee pollinator. A fly pollinator is rare. Pollination is vital; pollinators help.",
        "Orchards need pruning, grafting, mulch. Pollination is vital, and pollinations are many.",
        "Frost harms apple blossoms, pear blossoms and the rootstock. Pruning and grafting need a scion.",
    )
    ontology = build_ontology(corpus(*texts), topic="orchards", terms=20)
    synonyms = {one.labels[0].text: {label.text for label in one.synonyms} for one in ontology.concepts}
    assert "pollinator" in synonyms
    assert synonyms["pollination"] == {"pollinations"}


def test_an_ontology_has_the_topic_on_top_and_everything_below() -> None:
    ontology = build()
    topic, *others = ontology.concepts
    assert (topic.name, topic.labels[0].text) == (ontology.topic, "flash flood")
    assert {edge.child for edge in ontology.edges} == {concept.name for concept in others}
    assert first_cycle(ontology.edges) == []
    assert max(levels(ontology).values()) >= 4


def test_every_kind_comes_of_the_lattice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Context, concepts and order are made once, each of what came before, and no other is-a is stated."""
    stations = ("formal_context", "concept_lattice", "introducer_order", "kinds_of")
    calls: list[tuple[str, Any, Any]] = []

    def spied(name: str) -> Callable[..., object]:
        station = getattr(building, name)

        def called(*given: object, **choices: object) -> object:
            calls.append((name, given, made := station(*given, **choices)))
            return made

        return called

    for name in stations:
        monkeypatch.setattr(building, name, spied(name))
    found = build()
    assert [name for name, _, _ in calls] == [*stations]
    (_, _, context), (_, (lattice_of,), lattice), (_, (order_of,), order), (_, (_, kinds_by, *_), kinds) = (
        calls
    )
    assert (lattice_of, order_of, kinds_by) == (context, lattice, order)
    labels = {one.name: one.label for one in kinds.classes}
    of_lattice = {
        (labels[edge.child], labels[edge.parent]) for edge in kinds.edges if edge.relation is Relation.IS_A
    }
    stated = {(child, parent) for child, relation, parent in labelled(found) if relation == "is-a"}
    assert stated and stated <= of_lattice


def test_relations_are_what_the_texts_say() -> None:
    found = labelled(build())
    assert {one for one in found if one[0] in ("flood", "floods") and one[2] == "flash flood"}
    assert ("heavy rainfall", "related", "flash flood") in found
    assert ("heavy rainfall", "is-a", "rainfall") in found
    assert not [edge for edge in found if edge[0] == "flash flood"]


def test_a_review_without_a_decision_changes_nothing(tmp_path: Path) -> None:
    shown = candidates(corpus(*FLOODS), Wishes("flash flood", 3))
    assert len(shown) > 4
    write_review(shown, tmp_path / "review.csv", taken=4)
    assert build(terms=3, keep=read_review(tmp_path / "review.csv")) == build(terms=3)


def test_concepts_carry_their_forms_and_frequency() -> None:
    topic = build().concepts[0]
    assert topic.frequency == 5
    assert "flash floods" in {label.text.lower() for label in topic.synonyms}


def test_an_expert_on_terms_is_obeyed() -> None:
    wishes = Wishes("flash flood", 5, keep={"landslides": False, "valley": True})
    chosen = choose(corpus(*FLOODS), wishes).terms
    labels = [term.label for term in chosen]
    assert labels[:2] == ["flash flood", "valley"]
    assert not {"landslide", "landslides"} & set(labels)
    assert len([term for term in chosen if term.source == "corpus"]) == 6


def test_an_expert_may_want_a_term_that_nobody_found() -> None:
    wishes = Wishes("flash flood", 3, keep={"sluice gate": True, "valley": True})
    chosen = choose(corpus(*FLOODS), wishes).terms
    sluice, valley = chosen[1:3]
    assert (sluice.label, sluice.df) == ("sluice gate", 0)
    assert valley.df == 2


def test_the_loop_of_an_expert(tmp_path: Path) -> None:
    path = tmp_path / "relations.csv"
    write_relations(build(), path)
    assert read_relations(path) == ()
    lines = path.read_text(encoding="utf-8-sig").splitlines()
    assert lines[0] == "child,parent,relation,confidence,evidence,keep"
    at = next(at for at, line in enumerate(lines) if line.startswith("heavy rainfall,rainfall,is-a"))
    lines[at] += "no"
    lines.append("heavy rainfall,natural hazards,part-of,,,yes")
    path.write_text("\n".join(lines), encoding="utf-8")
    decisions = read_relations(path)
    assert decisions == (
        Decision("heavy rainfall", "rainfall", Relation.IS_A, False),
        Decision("heavy rainfall", "natural hazards", Relation.PART_OF, True),
    )
    found = labelled(build(relations=decisions))
    assert ("heavy rainfall", "is-a", "rainfall") not in found
    assert [edge for edge in found if edge[:2] == ("heavy rainfall", "part-of")]


def test_a_new_label_is_a_decision_too(tmp_path: Path) -> None:
    path = tmp_path / "relations.csv"
    path.write_text(
        "child,parent,relation,keep\nFlutwelle,flash flood,synonym,yes\nflood,flash flood,synonym,yes\n"
    )
    before, after = build(), build(relations=read_relations(path))
    assert [
        label.text for label in after.concepts[0].synonyms if label not in before.concepts[0].synonyms
    ] == ["Flutwelle"]
    assert len(after.concepts) == len(before.concepts)
    assert {edge for edge in labelled(after) if edge[1] == "synonym"} == {
        ("floods", "synonym", "flash flood")
    }


def test_a_word_that_heads_terms_becomes_a_synonym_and_no_class() -> None:
    found = build(relations=[Decision("hazard", "landslides", Relation.SYNONYM, True)])
    (slide,) = (one for one in found.concepts if one.labels[0].text == "landslides")
    assert "hazard" in {label.text for label in slide.synonyms}
    assert found.concepts[0].labels[0].text == "flash flood"


def test_decisions_on_unknown_terms() -> None:
    build(relations=[Decision("glacier", "flood", Relation.IS_A, False)])
    with pytest.raises(InvalidInput, match="no term is 'glacier'"):
        build(relations=[Decision("glacier", "flood", Relation.IS_A, True)])


def test_bad_choices() -> None:
    with pytest.raises(InvalidInput, match="at least 1 term"):
        build(terms=0)
    with pytest.raises(InvalidInput, match="speaks of 'glacier'"):
        build_ontology(corpus(*FLOODS), topic="glacier")
    with pytest.raises(InvalidInput, match="the topic has 0 characters"):
        build_ontology(corpus(*FLOODS), topic=" ")
    with pytest.raises(InvalidInput):
        build_ontology(Corpus(()), topic="flood")


def test_one_document_is_enough_for_something() -> None:
    ontology = build_ontology(corpus(FLOODS[0]), topic="flash flood")
    assert len(ontology.concepts) > 1


def test_of_a_mixed_corpus_only_what_is_near_the_topic_is_taken() -> None:
    mixed = corpus(*FLOODS, *("The parser reads source code. Parsers and grammars of source code.",) * 40)
    labels = {
        concept.labels[0].text.lower() for concept in build_ontology(mixed, topic="flash flood").concepts
    }
    assert {"heavy rainfall", "flash flood"} <= labels
    assert not {"source code", "parser", "grammars"} & labels


def test_the_documents_of_an_ontology_are_those_on_its_topic() -> None:
    """Documents on something else are examples of what the topic is not."""
    others = [f"The parser {number} reads source code by a grammar." for number in range(120)]
    mixed = corpus(*(f"{text} ({number})" for number, text in enumerate(FLOODS * 2)), *others)
    ontology = build_ontology(mixed, topic="flash flood")
    assert 0 < len(ontology.documents) <= 2 * len(FLOODS)
    assert not [document for document in ontology.documents if "parser" in document.counts]
    whole = build_ontology(mixed, topic="flash flood", whole_corpus=True)
    assert len(whole.documents) == len(mixed.documents)


def test_the_language_of_a_topic_is_that_of_the_documents_that_name_it() -> None:
    """ "viticulture" alone might be English."""
    wine = (
        "La viticulture du terroir : le mildiou menace les cépages du terroir, et le cuivre soigne la vigne."
    )
    trains = "Les trains de la ligne sont en retard, dit le voyageur du quai."
    texts = [wine] * 2 + [trains] * 110
    documents = tuple(Document(str(n), "", text, (), "fr") for n, text in enumerate(texts))
    found = topical_terms(Corpus(documents), "viticulture", limit=20)
    first, *others = found.terms
    assert found.side_issue
    assert (first.label, first.language, first.documents) == ("viticulture", "fr", 0b11)
    assert {"terroir", "vigne"} <= {term.label for term in others}
    assert "quai" not in {term.label for term in others}


def test_the_label_of_the_topic_is_the_one_that_was_asked_for() -> None:
    assert topical_terms(corpus(*FLOODS), "Flash-Flooding", limit=3).terms[0].label == "Flash-Flooding"


def test_occurrences_are_words_in_english_and_text_in_chinese() -> None:
    both = Corpus((Document("1", "Train", "Rainy"), Document("2", "", "Rain")))
    assert occurrences(both, ["rain"], "en") == {"rain": 0b10}
    assert occurrences(corpus("特大暴雨来了"), ["暴雨"], "zh") == {"暴雨": 1}


def test_company_is_more_than_chance() -> None:
    assert closeness(0b11, 0b11, 100) > closeness(0b11, 0b01, 100) > 0
    assert closeness(0b11, 0b1100, 100) == 0


@pytest.mark.slow
def test_chinese_labels_and_names() -> None:
    texts = (
        "暴雨导致洪水。山洪灾害频发，洪水风险上升。",  # noqa: RUF001
        "洪水等灾害造成损失。暴雨引发洪水。",
        "山洪灾害与洪水风险评估。暴雨洪水预报。",
        "洪水预报和洪水风险。地质灾害和山洪灾害。",
    )
    ontology = build_ontology(corpus(*texts), topic="洪水", terms=20)
    assert all(concept.name.isascii() for concept in ontology.concepts)
    assert ontology.concepts[0].labels[0].language == "zh"
    assert ("洪水风险", "attribute-of", "洪水") in labelled(ontology)


PROGRAM = """
import json, sys
from fcwseo_ontology.build import build_ontology
from fcwseo_ontology.corpus.documents import Corpus, Document
texts = json.loads(sys.argv[1])
corpus = Corpus(tuple(Document(str(at), "", text) for at, text in enumerate(texts)))
print(build_ontology(corpus, topic="flash flood"))
"""


@pytest.mark.slow
def test_the_same_input_gives_the_same_ontology_in_every_process() -> None:
    outputs = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM, json.dumps(FLOODS)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1
    assert outputs.pop().startswith("Ontology(")
