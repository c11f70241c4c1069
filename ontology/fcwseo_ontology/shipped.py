"""Topics included in the package: hand-made ontologies, stored as two plain tables each.

``rainstorm`` is the domain of Liu, Li, Zhang, Zhong, *A novel focused crawler combining Web space evolution
and domain ontology*, 2022, section 3, with its nine parts and seven levels. Concepts, labels and edges are
our own choice; ``source`` names the authority for a concept. A variant is another name, another spelling or a
clearly narrower phrase, and is unambiguous in a text: "weather front", never "front".

An edge reads from child to parent: a flood *is a* direct disaster; a spillway is *part of* a dam; wind
speed is an *attribute of* wind; a flood is *induced* by a rainstorm; inundation is a *synonym* of flood.

Sources. Liu et al. 2022: the article above. AMS Glossary: Glossary of Meteorology, American Meteorological
Society. WMO-No. 182 and 385: International Meteorological Vocabulary and International Glossary of
Hydrology. WMO Cloud Atlas: WMO-No. 407. GB/T 28592-2012: the Chinese grades of precipitation. CMA warning
signals 2007: the Chinese rules for warning signals. UNDRR with a code: Hazard Information Profiles; UNDRR
terminology: Sendai Framework terminology, 2017. IPCC glossary: Sixth Assessment Report. Hungr et al. 2014:
The Varnes classification of landslide types, an update. WordNet 3.0.
"""

import csv
from importlib.resources import files
from pathlib import Path

from fcwseo_ontology.corpus.read import read_corpus
from fcwseo_ontology.errors import InvalidTopic
from fcwseo_ontology.model import Concept, Edge, Label, Ontology, Relation
from fcwseo_ontology.terms.counts import with_documents

SHIPPED = {"rainstorm": "rainstorm_disaster"}
"""The names of the shipped topics, each with its root concept."""

_LANGUAGES = ("en", "zh")


def shipped_ontology(name: str) -> Ontology:
    """Return the shipped ontology with this name, and with the word counts of its corpus.

    >>> rainstorm = shipped_ontology("rainstorm")
    >>> [label.text for label in rainstorm.concepts[0].labels]
    ['rainstorm disaster', '暴雨灾害']
    """
    root = _root(name)
    concepts = tuple(_concept(row) for row in _rows(f"{name}_concepts.csv"))
    edges = tuple(_edge(row) for row in _rows(f"{name}_edges.csv"))
    return with_documents(Ontology(root, concepts, edges), read_corpus([shipped_corpus(name)]))


def shipped_corpus(name: str) -> Path:
    """Return the file of short documents (JSONL) for building an ontology of this topic.

    >>> shipped_corpus("rainstorm").name
    'rainstorm_corpus.jsonl'
    """
    _root(name)
    return _data(f"{name}_corpus.jsonl")


def _root(name: str) -> str:
    if name not in SHIPPED:
        raise InvalidTopic(f"there is no shipped topic {name!r}: choose one of {', '.join(SHIPPED)}")
    return SHIPPED[name]


def _data(file: str) -> Path:
    return Path(str(files("fcwseo_ontology") / "data" / file))


def _rows(file: str) -> list[dict[str, str]]:
    with _data(file).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def _concept(row: dict[str, str]) -> Concept:
    labels = tuple(Label(row[language], language) for language in _LANGUAGES)
    synonyms = tuple(
        Label(text.strip(), language)
        for language in _LANGUAGES
        for text in row[f"{language}_variants"].split(";")
        if text.strip()
    )
    return Concept(row["name"], labels, synonyms, row["source"])


def _edge(row: dict[str, str]) -> Edge:
    return Edge(row["child"], row["parent"], Relation(row["relation"]), row["evidence"])
