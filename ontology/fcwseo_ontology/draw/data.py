"""An ontology as plain values, for programs that read JSON."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from fcwseo_ontology.model import Label, Ontology


def as_json(ontology: Ontology, weights: Mapping[str, float]) -> dict[str, Any]:
    """All that an ontology says except for word counts, with the weight of each concept.

    Edges and intents name concepts by their names.

    >>> from fcwseo_ontology.model import Concept, Edge, Relation
    >>> pair = Concept("bee", (Label("bee"),)), Concept("hive", (Label("hive"),), source="corpus")
    >>> shown = as_json(Ontology("bee", pair, (Edge("hive", "bee", Relation.RELATED),)), {"bee": 1.0})
    >>> shown["concepts"][0]["labels"], shown["concepts"][1]["weight"]
    ([{'text': 'bee', 'language': 'en'}], 0.0)
    >>> shown["edges"]
    [{'child': 'hive', 'parent': 'bee', 'relation': 'related', 'confidence': 1.0, 'evidence': ''}]
    """
    return {
        "topic": ontology.topic,
        "concepts": [
            {
                "name": concept.name,
                "labels": _labels(concept.labels),
                "synonyms": _labels(concept.synonyms),
                "source": concept.source,
                "frequency": concept.frequency,
                "keyness": concept.keyness or None,
                "intent": list(concept.intent),
                "weight": weights.get(concept.name, 0.0),
            }
            for concept in ontology.concepts
        ],
        "edges": [
            {
                "child": edge.child,
                "parent": edge.parent,
                "relation": edge.relation.value,
                "confidence": edge.confidence,
                "evidence": edge.evidence,
            }
            for edge in ontology.edges
        ],
    }


def _labels(labels: Iterable[Label]) -> list[dict[str, str]]:
    return [asdict(label) for label in labels]
