"""The syntaxes in which an ontology is written; the suffix of the file names one.

The same triples give the same bytes in each of them: blank nodes are named by what they say, and what has no
order in a graph is sorted.
"""

import json
from collections.abc import Callable, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any

from rdflib import XSD, BNode, Graph, Literal
from rdflib.term import Node

from fcwseo_ontology.errors import InvalidInput
from fcwseo_ontology.owl.rdf import to_xml

Prefixes = Mapping[str, str]


def writable(path: Path) -> Path:
    """The path, if an ontology can be written under this name; else raises InvalidInput.

    >>> writable(Path("bees.ttl")).name
    'bees.ttl'
    >>> writable(Path("bees.obo"))
    Traceback (most recent call last):
    fcwseo_ontology.errors.InvalidInput: cannot write bees.obo: an ontology is written as .owl .rdf .xml \
(RDF/XML), .ttl (Turtle), .nt (N-Triples) or .jsonld (JSON-LD)
    """
    if path.suffix.lower() not in WRITERS:
        raise InvalidInput(
            f"cannot write {path}: an ontology is written as .owl .rdf .xml (RDF/XML), .ttl (Turtle), "
            ".nt (N-Triples) or .jsonld (JSON-LD)"
        )
    return path


def serialised(graph: Graph, path: Path, prefixes: Prefixes) -> bytes:
    """The graph in the syntax of the file. Blank nodes must be told apart by what is said of them."""
    return WRITERS[writable(path).suffix.lower()](graph, prefixes)


def _turtle(graph: Graph, prefixes: Prefixes) -> bytes:
    bound = _named_by_content(graph)
    for prefix, space in prefixes.items():
        bound.bind(prefix, space)
    return bytes(bound.serialize(format="turtle", encoding="utf-8"))


def _ntriples(graph: Graph, _prefixes: Prefixes) -> bytes:
    lines = _named_by_content(graph).serialize(format="nt", encoding="utf-8").splitlines()
    return b"\n".join(sorted(line for line in lines if line)) + b"\n"


def _json_ld(graph: Graph, prefixes: Prefixes) -> bytes:
    text = _named_by_content(graph).serialize(format="json-ld", context=dict(prefixes))
    return (json.dumps(_sorted(json.loads(text)), ensure_ascii=False, indent=1) + "\n").encode()


def _sorted(value: Any) -> Any:
    """JSON-LD in which nothing has an order (our graphs hold no lists), sorted."""
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value)}
    if isinstance(value, list):
        return sorted(map(_sorted, value), key=lambda one: json.dumps(one, sort_keys=True))
    return value


def _named_by_content(graph: Graph) -> Graph:
    """The graph with each blank node named after what is said of it and where it is used.

    A string is a plain literal, which says the same as one of the type ``xsd:string``.
    """
    named = Graph(bind_namespaces="none")
    for subject, predicate, value in graph:
        named.add((_renamed(graph, subject), predicate, _renamed(graph, value)))
    return named


def _renamed(graph: Graph, node: Node) -> Node:
    if isinstance(node, BNode):
        return BNode("b" + blake2b(_said(graph, node).encode(), digest_size=12).hexdigest())
    if isinstance(node, Literal) and node.datatype == XSD.string:
        return Literal(str(node))
    return node


def _said(graph: Graph, node: Node) -> str:
    """What the graph says of a node, through blank nodes, and which named ones use it."""
    if not isinstance(node, BNode):
        return node.n3()
    about = sorted(f"{said.n3()} {_said(graph, value)}" for said, value in graph.predicate_objects(node))
    users = (user for user in graph.subject_predicates(node) if not isinstance(user[0], BNode))
    used = sorted(f"{user.n3()} {said.n3()}" for user, said in users)
    return f"[{'; '.join(about)} | {'; '.join(used)}]"


WRITERS: dict[str, Callable[[Graph, Prefixes], bytes]] = {
    ".owl": to_xml,
    ".rdf": to_xml,
    ".xml": to_xml,
    ".ttl": _turtle,
    ".nt": _ntriples,
    ".jsonld": _json_ld,
}
