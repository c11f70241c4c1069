"""From a corpus to a domain ontology to weighted feature words. Knows nothing of crawling.

>>> from fcwseo_ontology import load_topic
>>> load_topic("rainstorm").words[0].word
'rainstorm disaster'
"""

import typing as _typing
from importlib import import_module as _import_module

if _typing.TYPE_CHECKING:
    from fcwseo_ontology.build import build_ontology
    from fcwseo_ontology.corpus.documents import read_corpus
    from fcwseo_ontology.load import load_ontology, load_topic
    from fcwseo_ontology.model import Ontology
    from fcwseo_ontology.owl.ontologies import write_owl
    from fcwseo_ontology.topic import Topic

__all__ = [
    "Ontology",
    "Topic",
    "build_ontology",
    "load_ontology",
    "load_topic",
    "read_corpus",
    "write_owl",
]

# Where each public name is. It is imported when it is first asked for: a program pays for what it uses.
_WHERE = {
    "Ontology": "fcwseo_ontology.model",
    "Topic": "fcwseo_ontology.topic",
    "build_ontology": "fcwseo_ontology.build",
    "load_ontology": "fcwseo_ontology.load",
    "load_topic": "fcwseo_ontology.load",
    "read_corpus": "fcwseo_ontology.corpus.documents",
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
