"""Ontologies and topics by name: a shipped one, a file of weighted words, or an ontology file.

``NAME#LABEL`` is the part of an ontology below the concept with this label, wherever a name is taken.
"""

import difflib
import os
import re
from dataclasses import replace
from pathlib import Path

from fcwseo_ontology.errors import InvalidTopic
from fcwseo_ontology.joining import Own
from fcwseo_ontology.model import Ontology
from fcwseo_ontology.ossc import topic_of
from fcwseo_ontology.owl.ontologies import Finding, check, check_ontology, read_classes, read_owl
from fcwseo_ontology.relations.hierarchy import find, ordering, subtree
from fcwseo_ontology.shipped import SHIPPED, shipped_ontology
from fcwseo_ontology.topic import Topic, read_words


def load_ontology(name: str, *, topic: str | None = None) -> Ontology:
    """Load an ontology from a file in any RDF syntax, or a shipped ontology by name.

    Args:
        name: The file, or the name of a shipped ontology; ``NAME#LABEL`` is a part of it.
        topic: The label of a concept: only the part below it is loaded.

    Returns:
        The ontology.

    Raises:
        InvalidOntology: If the file is not an ontology.
        InvalidTopic: If there is no such name, or no concept with this label.

    >>> len(load_ontology("rainstorm").concepts)
    208
    >>> load_ontology("rainstorm#flood").topic == load_ontology("rainstorm", topic="flood").topic
    True
    """
    name, label = _apart(name, topic)
    if _is_shipped(name):
        whole = shipped_ontology(name)
        return subtree(whole, find(whole, label)[0]) if label else whole
    return read_owl(_file(name), topic=label)


def load_own(name: str) -> Own:
    """An ontology to join a built one with; it may have several concepts without a parent.

    >>> load_own("rainstorm").name
    'rainstorm'
    """
    bare, label = _apart(name, None)
    if label is not None or _is_shipped(bare):
        return Own(load_ontology(bare, topic=label), name if _is_shipped(bare) else Path(name).name)
    whole = read_classes(_file(bare))
    children = {edge.child for edge in ordering(whole.edges)}
    roots = [concept.name for concept in whole.concepts if concept.name not in children]
    only = roots[0] if len(roots) == 1 else ""
    return Own(replace(whole, topic=whole.topic or only), Path(bare).name)


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
    bare, below = _apart(name, label)
    if bare.endswith(".json"):
        return part_of(read_words(Path(bare)), below)
    return topic_of(load_ontology(bare, topic=below))


def part_of(topic: Topic, label: str | None) -> Topic:
    """The part of a topic below the concept of its ontology with this label; all of it without one."""
    if label is None:
        return topic
    if topic.ontology is None:
        raise InvalidTopic(f"topic {topic.name!r} has no ontology to look for {label!r} in: omit the label")
    return topic_of(topic.ontology, label=label)


def findings_of(name: str) -> list[Finding]:
    """What is amiss in an ontology file, or in a shipped ontology; errors first.

    >>> findings_of("rainstorm")
    []
    """
    name, label = _apart(name, None)
    if _is_shipped(name) or label is not None:
        return check_ontology(load_ontology(name, topic=label))
    return check(_file(name))


def _apart(name: str, label: str | None) -> tuple[str, str | None]:
    """A name without the label behind it. A file may have "#" in its name."""
    bare, hash_sign, below = name.rpartition("#")
    if hash_sign and bare and not os.path.exists(name) and (os.path.exists(bare) or bare in SHIPPED):
        return bare, label or below or None
    return name, label


def _is_shipped(name: str) -> bool:
    return name in SHIPPED and not os.path.exists(name)


def _file(name: str) -> Path:
    """The path, if that is no misspelt name of a shipped topic."""
    if re.fullmatch(r"\w[\w -]*", name) and not os.path.exists(name):  # a name, not a path
        near = difflib.get_close_matches(name, SHIPPED, n=1)
        meant = f": did you mean {near[0]!r}?" if near else f"; shipped topics: {', '.join(SHIPPED)}"
        raise InvalidTopic(f"there is no file and no shipped topic {name!r}{meant}")
    return Path(name)
