"""Ontologies and topics by name: a shipped one, a file of weighted words, or an ontology file."""

import difflib
import os
import re
from pathlib import Path

from fcwseo_ontology.errors import InvalidTopic
from fcwseo_ontology.model import Ontology
from fcwseo_ontology.ossc import topic_of
from fcwseo_ontology.owl.ontologies import read_owl
from fcwseo_ontology.relations.hierarchy import find, subtree
from fcwseo_ontology.shipped import SHIPPED, shipped_ontology
from fcwseo_ontology.topic import Topic, read_words


def load_ontology(name: str, *, topic: str | None = None) -> Ontology:
    """Load an ontology from a file in any RDF syntax, or a shipped ontology by name.

    Args:
        name: The file, or the name of a shipped ontology.
        topic: The label of a concept: only the part below it is loaded.

    Returns:
        The ontology.

    Raises:
        InvalidOntology: If the file is not an ontology.
        InvalidTopic: If there is no such name, or no concept with this label.

    >>> len(load_ontology("rainstorm").concepts)
    208
    """
    if name in SHIPPED and not Path(name).exists():
        whole = shipped_ontology(name)
        return subtree(whole, find(whole, topic)[0]) if topic else whole
    if re.fullmatch(r"\w[\w -]*", name) and not os.path.exists(name):  # a name, not a path
        near = difflib.get_close_matches(name, SHIPPED, n=1)
        meant = f": did you mean {near[0]!r}?" if near else f"; shipped topics: {', '.join(SHIPPED)}"
        raise InvalidTopic(f"there is no file and no shipped topic {name!r}{meant}")
    return read_owl(Path(name), topic=topic)


def load_topic(name: str, *, label: str | None = None) -> Topic:
    """Load a topic by name: a shipped topic, a JSON file of weighted words, or an ontology file.

    Args:
        name: The name or the file.
        label: The label of a concept of an ontology: only the part below it is taken.

    Returns:
        The topic.

    Raises:
        InvalidTopic: If there is no such name, no concept with this label, or no word with a weight.
        InvalidOntology: If the file is not an ontology.

    >>> load_topic("rainstorm").words[0].word
    'rainstorm disaster'
    """
    if name.endswith(".json"):
        return read_words(Path(name))
    return topic_of(load_ontology(name, topic=label))
