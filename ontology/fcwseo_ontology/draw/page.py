"""One self-contained page: data, drawing, style; its policy forbids network requests."""

import json
from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from html import escape
from importlib.resources import files

from fcwseo_ontology.decisions import COLUMNS
from fcwseo_ontology.draw.hasse import Hasse, reduced
from fcwseo_ontology.draw.layout import STEP, hasse_places, layered, radial
from fcwseo_ontology.draw.spanning import Spanning, spanning_tree
from fcwseo_ontology.model import Concept, Ontology, Relation
from fcwseo_ontology.relations.hierarchy import levels
from fcwseo_ontology.terms.extract import REVIEW, YES

Json = dict[str, object]

READS = {
    Relation.SYNONYM: "is a synonym of",
    Relation.IS_A: "is a",
    Relation.PART_OF: "is part of",
    Relation.ATTRIBUTE_OF: "is an attribute of",
    Relation.INDUCE: "is induced by",
    Relation.RELATED: "is related to",
}
LISTED = 40
"""Number of objects of a formal concept listed on the page; the others are only counted."""


def html_page(
    ontology: Ontology, *, weights: Mapping[str, float] | None = None, hasse: Hasse | None = None
) -> str:
    """The page as text: the graph of the ontology, sized by weight, and the lattice if there is one.

    An expert can edit its relations and terms, and download the edits as the tables that ``build`` reads.
    The data are a block of JSON in which no character can end the block, and the page's policy allows only
    its own script.
    """
    style = _asset("page.css")
    script = "".join(_asset(name) for name in ("lattice.js", "edits.js", "page.js"))
    data = _json(page_data(ontology, weights=weights, hasse=hasse))
    title = _title(ontology).encode("utf-8", "replace").decode("utf-8")
    parts = {
        "TITLE": escape(title),
        "POLICY": f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'",
        "STYLE": style,
        "DATA": data,
        "SCRIPT": script,
    }
    pieces = _asset("page.html").split("%%")
    return "".join(parts[piece] if at % 2 else piece for at, piece in enumerate(pieces))


def page_data(
    ontology: Ontology, *, weights: Mapping[str, float] | None = None, hasse: Hasse | None = None
) -> Json:
    """The data for the script of the page. Edges and concepts refer to each other by list index."""
    tree = spanning_tree(ontology)
    index = {concept.name: at for at, concept in enumerate(ontology.concepts)}
    languages = dict.fromkeys(label.language for concept in ontology.concepts for label in concept.labels)
    return {
        "title": _title(ontology),
        "root": index[ontology.topic],
        "languages": list(languages),
        "relations": [{"name": relation, "reads": READS[relation]} for relation in Relation],
        "tables": {"relations": COLUMNS, "terms": REVIEW},
        "yes": YES,
        "weighted": weights is not None,
        "concepts": _concepts(ontology, tree, weights),
        "edges": [
            {
                "child": index[edge.child],
                "parent": index[edge.parent],
                "relation": edge.relation,
                "evidence": edge.evidence,
                "confidence": edge.confidence,
                "tree": tree.via.get(edge.child) is edge,
            }
            for edge in ontology.edges
        ],
        "hasse": _hasse(hasse) if hasse is not None and hasse.nodes else None,
    }


def _concepts(ontology: Ontology, tree: Spanning, weights: Mapping[str, float] | None) -> list[Json]:
    rounds, rows, level = radial(tree), layered(tree), levels(ontology)
    return [
        {
            "name": concept.name,
            "labels": [[label.language, label.text] for label in concept.labels],
            "synonyms": [[label.language, label.text] for label in concept.synonyms],
            "source": concept.source,
            "frequency": concept.frequency,
            "weight": None if weights is None else weights.get(concept.name, 0.0),
            "level": level[concept.name],
            "ring": tree.level[concept.name],
            "leaf": not tree.children[concept.name],
            "radial": rounds[concept.name],
            "tree": rows[concept.name],
        }
        for concept in ontology.concepts
    ]


def _hasse(hasse: Hasse) -> Json:
    rows = zip(hasse.nodes, reduced(hasse), hasse_places(hasse), strict=True)
    return {
        "nodes": [
            {
                "extent": node.extent[:LISTED],
                "size": len(node.extent),
                "intent": node.intent,
                "objects": objects[:LISTED],
                "attributes": attributes,
                "place": place,
            }
            for node, (objects, attributes), place in rows
        ],
        "covers": hasse.covers,
        "step": STEP,
    }


def _title(ontology: Ontology) -> str:
    return next(_shown(concept) for concept in ontology.concepts if concept.name == ontology.topic)


def _shown(concept: Concept) -> str:
    return concept.labels[0].text if concept.labels else concept.name


def _json(data: Json) -> str:
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _asset(name: str) -> str:
    return (files("fcwseo_ontology.draw") / name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return "sha256-" + b64encode(sha256(text.encode("utf-8")).digest()).decode("ascii")
