"""The shipped topic is what it claims to be: nine parts, seven levels, five relations, two languages."""

import csv
import json
from collections import Counter
from importlib.resources import files

import pytest

from fcwseo_ontology.errors import InvalidTopic
from fcwseo_ontology.model import Concept, Ontology, Relation
from fcwseo_ontology.shipped import SHIPPED, shipped_corpus, shipped_ontology

PARTS = {
    "rainstorm",
    "rainstorm warning",
    "rainstorm level",
    "disaster impact",
    "direct disaster",
    "geologic hazard",
    "flood",
    "disaster prevention",
    "meteorological element",
}


@pytest.fixture(scope="module")
def rainstorm() -> Ontology:
    return shipped_ontology("rainstorm")


def parents_of(ontology: Ontology) -> dict[str, list[str]]:
    parents: dict[str, list[str]] = {concept.name: [] for concept in ontology.concepts}
    for edge in ontology.edges:
        if edge.relation is not Relation.RELATED:
            parents[edge.child].append(edge.parent)
    return parents


def texts(concept: Concept, language: str) -> list[str]:
    return [label.text for label in concept.labels + concept.synonyms if label.language == language]


def plain(text: str) -> str:
    """As a matcher sees it: case, hyphens and the plural do not tell labels apart."""
    words = text.casefold().replace("-", " ").split()
    return " ".join(word[:-1] if word.endswith("s") and not word.endswith("ss") else word for word in words)


def test_it_has_the_size_and_the_parts_of_the_paper(rainstorm: Ontology) -> None:
    assert len(rainstorm.concepts) >= 71
    assert {label.text for concept in rainstorm.concepts for label in concept.labels} >= PARTS
    assert rainstorm.topic == rainstorm.concepts[0].name
    assert rainstorm.concepts[0].labels[0].text == "rainstorm disaster"


def test_it_has_seven_levels_by_the_shortest_and_by_the_longest_way(rainstorm: Ontology) -> None:
    parents = parents_of(rainstorm)
    shortest, longest = {rainstorm.topic: 1}, {rainstorm.topic: 1}
    for level in range(2, len(parents) + 1):
        below = [name for name, above in parents.items() if any(longest.get(p) == level - 1 for p in above)]
        for name in below:
            shortest.setdefault(name, level)
            longest[name] = level
        if not below:
            break
    else:
        pytest.fail("the edges run in a circle")
    assert set(shortest) == set(parents), "not all concepts hang on the root"
    assert max(shortest.values()) == max(longest.values()) == 7


def test_all_five_relations_are_used_and_each_edge_says_why(rainstorm: Ontology) -> None:
    kinds = Counter(edge.relation for edge in rainstorm.edges)
    assert set(kinds) == set(Relation) - {Relation.RELATED}
    assert min(kinds.values()) >= 4
    assert all(edge.evidence.strip() for edge in rainstorm.edges)


def test_edges_join_known_concepts_once(rainstorm: Ontology) -> None:
    names = {concept.name for concept in rainstorm.concepts}
    assert len(names) == len(rainstorm.concepts)
    assert all(edge.child in names and edge.parent in names for edge in rainstorm.edges)
    assert max(Counter((edge.child, edge.parent) for edge in rainstorm.edges).values()) == 1


def test_every_concept_has_a_safe_name_two_languages_and_a_source(rainstorm: Ontology) -> None:
    for concept in rainstorm.concepts:
        assert concept.name.isascii() and concept.name.isidentifier(), concept.name
        assert [label.language for label in concept.labels] == ["en", "zh"], concept.name
        assert concept.source, concept.name
        assert all(text.isascii() or "ñ" in text for text in texts(concept, "en")), concept.name
        assert all(any("\u4e00" <= char <= "\u9fff" for char in text) for text in texts(concept, "zh"))
        assert all(len(text) > 1 for text in texts(concept, "zh")), "one character says too little in a text"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_label_belongs_to_two_concepts(rainstorm: Ontology, language: str) -> None:
    owners: dict[str, str] = {}
    for concept in rainstorm.concepts:
        own = [plain(text) for text in texts(concept, language)]
        assert len(own) == len(set(own)), concept.name
        for text in own:
            assert owners.setdefault(text, concept.name) == concept.name, text


def test_the_tables_have_no_stray_blanks_or_columns() -> None:
    for name in SHIPPED:
        for table in ("concepts", "edges"):
            path = files("fcwseo_ontology") / "data" / f"{name}_{table}.csv"
            head, *rows = csv.reader(path.read_text(encoding="utf-8").splitlines())
            assert all(len(row) == len(head) for row in rows)
            assert all(cell == cell.strip() for row in rows for cell in row)


def test_an_unknown_topic_is_named_with_those_there_are() -> None:
    with pytest.raises(InvalidTopic, match=r"'sunshine'.*rainstorm"):
        shipped_ontology("sunshine")
    with pytest.raises(InvalidTopic, match=r"'sunshine'.*rainstorm"):
        shipped_corpus("sunshine")


def test_the_corpus_is_short_documents_whose_terms_recur() -> None:
    lines = shipped_corpus("rainstorm").read_text(encoding="utf-8").splitlines()
    documents = [json.loads(line) for line in lines]
    assert 30 <= len(documents) <= 40
    assert len({document["id"] for document in documents}) == len(documents)
    for document in documents:
        assert set(document) == {"id", "title", "abstract", "keywords", "lang", "source", "licence"}
        assert 60 <= len(document["abstract"].split()) <= 120
        assert (document["lang"], document["licence"]) == ("en", "MIT")
    keywords = Counter(word for document in documents for word in document["keywords"])
    assert sum(count > 1 for count in keywords.values()) >= 30
    text = " ".join(document["abstract"] for document in documents)
    assert all(text.count(pattern) >= 5 for pattern in ("such as", "caused by", "part of"))


def test_it_has_the_word_counts_of_its_corpus(rainstorm: Ontology) -> None:
    names = [json.loads(line)["title"] for line in shipped_corpus("rainstorm").read_text().splitlines()]
    assert [document.name for document in rainstorm.documents] == names
    assert all(document.counts.get("rainstorm", 0) for document in rainstorm.documents[:1])
