"""``topic/``: the topic of a crawl and its ontology."""

import json
from pathlib import Path

import msgspec

from fcwseo.errors import InvalidRun
from fcwseo.files import atomically, io_error
from fcwseo_ontology.topic import Topic, encoded

NAME = "topic"


def write_topic(path: Path, topic: Topic) -> None:
    """Write the topic of a run: complete, and as readable weighted words."""
    folder = path / NAME
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise io_error(folder, error) from error
    words = json.dumps({"name": topic.name, "weights": topic.weights}, ensure_ascii=False, indent=1)
    atomically(folder / "words.json", words.encode())
    atomically(folder / "topic.json", encoded(topic))


def write_ontology(path: Path, topic: Topic) -> None:
    """Write the ontology of a run as OWL beside its topic, if there is one; only once, since it is slow."""
    file = path / NAME / "ontology.owl"
    if topic.ontology is not None and not file.exists():
        from fcwseo_ontology.owl.ontologies import write_owl  # the import is slow as well

        write_owl(topic.ontology, file)


def read_topic(path: Path) -> Topic:
    """The topic of a run, with its ontology if it has one.

    Raises:
        InvalidRun: If it cannot be read.
    """
    file = path / NAME / "topic.json"
    try:
        return msgspec.json.decode(file.read_bytes(), type=Topic)
    except (OSError, ValueError, RecursionError) as error:
        raise InvalidRun(
            f"{file} cannot be read ({error}): repeat the crawl command to restore it"
        ) from error
