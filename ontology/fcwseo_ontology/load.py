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
    """A shipped ontology or one from a file; with ``topic`` the part of it below that label."""
    if name in SHIPPED and not Path(name).exists():
        whole = shipped_ontology(name)
        return subtree(whole, find(whole, topic)[0]) if topic else whole
    if re.fullmatch(r"\w[\w -]*", name) and not os.path.exists(name):  # a name, no path
        near = difflib.get_close_matches(name, SHIPPED, n=1)
        meant = f": did you mean {near[0]!r}?" if near else f"; shipped topics: {', '.join(SHIPPED)}"
        raise InvalidTopic(f"there is neither a file nor a shipped topic {name!r}{meant}")
    return read_owl(Path(name), topic=topic)


def load_topic(name: str, *, label: str | None = None) -> Topic:
    """What ``--topic`` means: a shipped topic, a JSON file of weighted words, or an ontology.

    >>> load_topic("rainstorm").words[0].word
    'rainstorm disaster'
    """
    if name.endswith(".json"):
        return read_words(Path(name))
    return topic_of(load_ontology(name, topic=label))
