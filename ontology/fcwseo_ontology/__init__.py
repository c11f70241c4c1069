"""From a corpus to a domain ontology to weighted feature words. Knows nothing of crawling.

>>> from fcwseo_ontology import load_topic
>>> load_topic("rainstorm").words[0].word
'rainstorm disaster'
"""

import typing as _typing
from importlib import import_module as _import_module

if _typing.TYPE_CHECKING:
    from fcwseo_ontology.build import build_ontology
    from fcwseo_ontology.corpus.documents import Corpus, Document
    from fcwseo_ontology.corpus.read import read_corpus
    from fcwseo_ontology.load import load_ontology, load_topic
    from fcwseo_ontology.model import Concept, Edge, Label, Ontology, Relation
    from fcwseo_ontology.ossc import topic_of
    from fcwseo_ontology.owl.ontologies import read_owl, write_owl
    from fcwseo_ontology.topic import FeatureWord, Topic

__all__ = [
    "Concept",
    "Corpus",
    "Document",
    "Edge",
    "FeatureWord",
    "Label",
    "Ontology",
    "Relation",
    "Topic",
    "build_ontology",
    "load_ontology",
    "load_topic",
    "read_corpus",
    "read_owl",
    "topic_of",
    "write_owl",
]

# Where each public name is. It is imported when it is first used, so that a program loads what it needs.
_WHERE = {
    "Concept": "fcwseo_ontology.model",
    "Corpus": "fcwseo_ontology.corpus.documents",
    "Document": "fcwseo_ontology.corpus.documents",
    "Edge": "fcwseo_ontology.model",
    "FeatureWord": "fcwseo_ontology.topic",
    "Label": "fcwseo_ontology.model",
    "Ontology": "fcwseo_ontology.model",
    "Relation": "fcwseo_ontology.model",
    "Topic": "fcwseo_ontology.topic",
    "build_ontology": "fcwseo_ontology.build",
    "load_ontology": "fcwseo_ontology.load",
    "load_topic": "fcwseo_ontology.load",
    "read_corpus": "fcwseo_ontology.corpus.read",
    "read_owl": "fcwseo_ontology.owl.ontologies",
    "topic_of": "fcwseo_ontology.ossc",
    "write_owl": "fcwseo_ontology.owl.ontologies",
}


if not _typing.TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name not in _WHERE:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        globals()[name] = getattr(_import_module(_WHERE[name]), name)
        return globals()[name]

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
