"""Reads files to triples and writes triples to bytes, deterministically and without the network.

``parse`` reads every common syntax of OWL. It opens one file and no connection: imports are not followed, and
XML entities that could expand or refer elsewhere are refused, as are JSON-LD contexts on the web. ``to_xml``
writes RDF/XML whose bytes depend only on the triples.
"""

import gzip
import io
import json
import re
import warnings
import zlib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from rdflib import OWL, RDF, XSD, BNode, Graph, Literal, URIRef
from rdflib.term import Identifier, Node

from fcwseo_ontology.errors import InvalidOntology

SYNTAXES = {".nt": "nt", ".ttl": "turtle", ".n3": "n3", ".jsonld": "json-ld"}
NOT_RDF = {
    "Prefix(": "OWL functional syntax",
    "Ontology(": "OWL functional syntax",
    "Prefix:": "Manchester syntax",
    "Ontology:": "Manchester syntax",
    "format-version:": "OBO",
}
MOST_BYTES = 1 << 29
LONGEST_ENTITY = 1000


def parse(path: Path) -> Graph:
    """The triples of an ontology file, plain or gzipped; the syntax is detected by content.

    Raises InvalidOntology for an unreadable file.
    """
    raw = _read(path)
    if not raw.strip():
        raise InvalidOntology(f"{path} is empty: an ontology in RDF/XML, Turtle or N-Triples was expected")
    syntax = _syntax(path, raw)
    if syntax in ("xml", "owl/xml"):
        _refuse_entities(path, raw)
    try:
        return _parsed(path, raw, syntax)
    except InvalidOntology:
        raise
    except Exception as error:
        # The parsers raise all kinds of errors, down to AssertionError and KeyError.
        reason = " ".join(str(error).split())[:200] or type(error).__name__
        raise InvalidOntology(f"{path} is not valid {_spoken(syntax)}: {reason}") from error


def _parsed(path: Path, raw: bytes, syntax: str) -> Graph:
    # The simple store is nearly twice as fast; JSON-LD and N3 need one with named graphs.
    graph = Graph(store="default" if syntax in ("json-ld", "n3") else "SimpleMemory")
    if syntax == "owl/xml":
        _parse_owl_xml(raw, graph)
        return graph
    # XML declares its encoding, so its parser gets bytes.
    source = io.BytesIO(raw if syntax == "xml" else _text(path, raw, syntax).encode())
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore", DeprecationWarning
        )  # rdflib's JSON-LD parser uses deprecated parts of rdflib
        return graph.parse(source, format=syntax, publicID=f"file:///{path.name}")


def to_xml(graph: Graph, prefixes: Mapping[str, str]) -> bytes:
    """The graph as RDF/XML, sorted, with each blank node at its use."""
    subjects = dict.fromkeys(graph.subjects())
    used = dict.fromkeys(value for value in graph.objects() if isinstance(value, BNode))
    elements = sorted(
        (_rank(graph, subject), "\n".join(_element(graph, subject, prefixes, "  ")))
        for subject in subjects
        if subject not in used
    )
    head = "\n         ".join(f'xmlns:{prefix}="{space}"' for prefix, space in sorted(prefixes.items()))
    body = "\n\n".join(text for _, text in elements)
    return f'<?xml version="1.0" encoding="utf-8"?>\n<rdf:RDF {head}>\n\n{body}\n\n</rdf:RDF>\n'.encode()


def _read(path: Path) -> bytes:
    try:
        with open(path, "rb") as file:
            packed = file.read(2) == b"\x1f\x8b"
            file.seek(0)
            with gzip.open(file) if packed else file as source:
                raw = source.read(MOST_BYTES + 1)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise InvalidOntology(f"{path} is a damaged gzip file: {error}") from error
    except OSError as error:
        raise InvalidOntology(f"cannot read {path}: {error.strerror}") from error
    if len(raw) > MOST_BYTES:
        raise InvalidOntology(f"{path} has more than {MOST_BYTES >> 20} MB: extract the part that you need")
    return raw


def _syntax(path: Path, raw: bytes) -> str:
    suffixes = [suffix for suffix in path.suffixes if suffix != ".gz"]
    if suffixes and suffixes[-1].lower() in SYNTAXES:
        return SYNTAXES[suffixes[-1].lower()]
    head = (
        raw[:4000]
        .decode("utf-16" if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig", "replace")
        .lstrip()
    )
    if head.startswith(("<?xml", "<!")) or re.match(r"<[\w.-]+(:[\w.-]+)?[\s>]", head):
        return "owl/xml" if re.search(r"<(\w+:)?Ontology\s", head) and "<rdf:RDF" not in head else "xml"
    for beginning, name in NOT_RDF.items():
        if head.startswith(beginning):
            raise InvalidOntology(f"{path} is written in {name}: save it as RDF/XML or Turtle")
    return "json-ld" if re.match(r"\{|\[\s*\{", head) else "turtle"


def _spoken(syntax: str) -> str:
    names = {"xml": "RDF/XML", "owl/xml": "OWL/XML", "nt": "N-Triples", "json-ld": "JSON-LD"}
    return names.get(syntax, syntax.capitalize())


def _text(path: Path, raw: bytes, syntax: str) -> str:
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        where = f"byte {error.start}"
        raise InvalidOntology(f"{path} is not UTF-8 at {where}: save it in that encoding") from error
    if syntax == "json-ld" and _names_a_context(json.loads(text)):
        raise InvalidOntology(
            f"{path} refers to an external @context, which is not fetched: include it in the file"
        )
    return text


def _names_a_context(value: object) -> bool:
    """Whether any JSON-LD context is given by URL."""
    if isinstance(value, list):
        return any(map(_names_a_context, value))
    if not isinstance(value, dict):
        return False
    contexts = value.get("@context", [])
    contexts = contexts if isinstance(contexts, list) else [contexts]
    if "@import" in value or any(isinstance(context, str) for context in contexts):
        return True
    return any(map(_names_a_context, value.values()))


class _Body(Exception):
    """Stop at the end of the document type."""


def _refuse_entities(path: Path, raw: bytes) -> None:
    """Allow entities that abbreviate namespaces; refuse nested, long and external ones."""

    def declared(name: str, _parameter: bool, value: str | None, *elsewhere: object) -> None:
        plain = value is not None and not re.search("[&%]", value) and len(value) <= LONGEST_ENTITY
        if not plain or any(elsewhere):
            raise InvalidOntology(
                f"{path} declares the XML entity {name!r}, which is not a plain abbreviation: remove it"
            )

    def begun(_name: str, _attributes: object) -> None:
        raise _Body

    parser = expat.ParserCreate()
    parser.EntityDeclHandler = declared
    parser.StartElementHandler = begun
    with suppress(_Body, expat.ExpatError):  # the real parser reports ill-formed XML
        parser.Parse(raw, True)


def _parse_owl_xml(raw: bytes, graph: Graph) -> None:
    from owlready2.owlxml_2_ntriples import parse as parse_owl_xml

    def node(text: str) -> Identifier:
        return BNode(text.replace("_:", "b")) if text.startswith("_") else URIRef(text)

    def literal(subject: str, predicate: str, text: str, kind: str) -> None:
        language = kind[1:] if kind.startswith("@") else None
        datatype = None if language or not kind else URIRef(kind)
        graph.add((node(subject), URIRef(predicate), Literal(text, lang=language, datatype=datatype)))

    def triple(subject: str, predicate: str, value: str) -> None:
        graph.add((node(subject), URIRef(predicate), node(value)))

    parse_owl_xml(io.BytesIO(raw), triple, literal)


def _rank(graph: Graph, subject: Node) -> int:
    """The sort key: the ontology first, then properties, then classes, then annotations."""
    kinds = (OWL.Ontology, OWL.ObjectProperty, OWL.AnnotationProperty, OWL.Class)
    found = set(graph.objects(subject, RDF.type))
    return next((rank for rank, kind in enumerate(kinds) if kind in found), len(kinds))


def _element(graph: Graph, subject: Node, prefixes: Mapping[str, str], indent: str) -> list[str]:
    kinds = sorted(graph.objects(subject, RDF.type), key=str)
    tag = _qualified(kinds[0], prefixes) if kinds else "rdf:Description"
    about = f" rdf:about={quoteattr(str(subject))}" if isinstance(subject, URIRef) else ""
    said = [
        (predicate, value)
        for predicate, value in graph.predicate_objects(subject)
        if not (predicate == RDF.type and value in kinds[:1])
    ]
    inner = sorted("\n".join(_property(graph, *one, prefixes, indent + "  ")) for one in said)
    return [f"{indent}<{tag}{about}>", *inner, f"{indent}</{tag}>"] if inner else [f"{indent}<{tag}{about}/>"]


def _property(
    graph: Graph, predicate: Node, value: Node, prefixes: Mapping[str, str], indent: str
) -> Iterable[str]:
    tag = _qualified(predicate, prefixes)
    if isinstance(value, URIRef):
        return [f"{indent}<{tag} rdf:resource={quoteattr(str(value))}/>"]
    if isinstance(value, BNode):
        return [f"{indent}<{tag}>", *_element(graph, value, prefixes, indent + "  "), f"{indent}</{tag}>"]
    attribute = ""
    if isinstance(value, Literal) and value.language:
        attribute = f' xml:lang="{value.language}"'
    elif isinstance(value, Literal) and value.datatype not in (None, XSD.string):
        attribute = f' rdf:datatype="{value.datatype}"'
    return [f"{indent}<{tag}{attribute}>{escape(str(value))}</{tag}>"]


def _qualified(iri: Node, prefixes: Mapping[str, str]) -> str:
    for prefix, space in prefixes.items():
        if str(iri).startswith(space):
            return f"{prefix}:{str(iri)[len(space) :]}"
    raise ValueError(f"no prefix for {iri}")
