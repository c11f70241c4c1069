"""Public classes ``Ontology`` and ``Topic``: save, weigh, draw, score.

They wrap the values of ``fcwseo_ontology``, which has no notion of pages or relevance (ADR 0016). ``model``
is the wrapped value. Every function with a topic argument accepts both.
"""

import io
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fcwseo.door.arguments import AnyPath, path_of, text_of, unusable
from fcwseo.door.corpora import AnyCorpus, corpus_of
from fcwseo.errors import InvalidInput
from fcwseo.files import atomically
from fcwseo.tables import Table, html_facts, html_table
from fcwseo_ontology import model as models
from fcwseo_ontology import topic as topics
from fcwseo_ontology.topic import FeatureWord

if TYPE_CHECKING:
    from fcwseo.relevance.topical import TopicalRelevance

_HEAVIEST = 15  # words shown in a notebook
_WIDTH = 100  # characters of a line of a tree


@dataclass(frozen=True, repr=False)
class Ontology:
    """A domain ontology: concepts, typed edges between them, and one root, the topic.

    The ``notes`` of one that was built say, a sentence each, how its terms were chosen.

    >>> import fcwseo as f
    >>> rainstorm = f.load_ontology("rainstorm")
    >>> rainstorm
    Ontology of 'rainstorm disaster': 208 concepts, 237 edges
    >>> rainstorm.concepts[0].labels[0].text, rainstorm.edges[0].relation
    ('rainstorm disaster', <Relation.PART_OF: 'part-of'>)
    """

    model: models.Ontology
    notes: tuple[str, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        if not isinstance(self.model, models.Ontology):
            raise unusable("model", self.model, "load_ontology and build_ontology return an Ontology")

    @property
    def root(self) -> str:
        """The label of the root concept."""
        concepts = {concept.name: concept for concept in self.model.concepts}
        labels = concepts[self.model.topic].labels if self.model.topic in concepts else ()
        return labels[0].text if labels else self.model.topic

    @property
    def concepts(self) -> Table[models.Concept]:
        """The concepts with their labels."""
        return Table(models.Concept, self.model.concepts)

    @property
    def edges(self) -> Table[models.Edge]:
        """The typed edges, each from a concept to its parent."""
        return Table(models.Edge, self.model.edges)

    def topic(self, label: str | None = None) -> "Topic":
        """Return the feature words of the ontology with their weights.

        Args:
            label: Take only the part below the concept with this label.

        Returns:
            The topic.

        Raises:
            InvalidTopic: If no concept has this label.

        >>> import fcwseo as f
        >>> f.load_ontology("rainstorm").topic("flood").name
        'flood'
        """
        from fcwseo_ontology.ossc import topic_of

        return Topic(topic_of(self.model, label=None if label is None else text_of(label, "label")))

    def save(self, path: AnyPath) -> Path:
        """Write the ontology as OWL.

        Args:
            path: The file to write; its suffix names the syntax: ``.owl``, ``.rdf`` and ``.xml`` RDF/XML,
                ``.ttl`` Turtle, ``.nt`` N-Triples, ``.jsonld`` JSON-LD.

        Returns:
            The path of the file.

        Raises:
            InvalidInput: If the suffix names no syntax.

        >>> import fcwseo as f
        >>> from tempfile import mkdtemp
        >>> f.load_ontology("rainstorm").save(f"{mkdtemp()}/rain.owl").name
        'rain.owl'
        """
        from fcwseo_ontology.owl.ontologies import write_owl

        file = path_of(path, "path")
        write_owl(self.model, file)
        return file

    def draw(self, path: AnyPath, *, corpus: AnyCorpus | None = None) -> Path:
        """Write one self-contained page with the graph and the lattice.

        Args:
            path: The HTML file to write.
            corpus: Documents; with them the page shows the lattice of documents and terms.

        Returns:
            The path of the page.
        """
        from fcwseo_ontology.draw import html_page
        from fcwseo_ontology.draw.pictures import hasse_of
        from fcwseo_ontology.ossc import weights_of

        file = path_of(path, "path")
        hasse = hasse_of(self.model, None if corpus is None else corpus_of(corpus))
        atomically(file, html_page(self.model, weights=weights_of(self.model), hasse=hasse).encode())
        return file

    def to_dict(self) -> dict[str, Any]:
        """The topic, the concepts with their weights, and the edges, as ``ontology show --json`` prints them.

        >>> import fcwseo as f
        >>> shown = f.load_ontology("rainstorm").to_dict()
        >>> shown["topic"], shown["concepts"][0]["weight"], sorted(shown["edges"][0])
        ('rainstorm_disaster', 1.0, ['child', 'confidence', 'evidence', 'parent', 'relation'])
        """
        from fcwseo_ontology.draw.data import as_json
        from fcwseo_ontology.ossc import weights_of

        return as_json(self.model, weights_of(self.model))

    def tree(self) -> str:
        """Return the ontology as a tree of lines, each concept once, with its weight.

        >>> import fcwseo as f
        >>> f.load_ontology("rainstorm").tree().splitlines()[0]
        'rainstorm disaster 暴雨灾害  1.000'
        """
        from rich.console import Console

        from fcwseo_ontology.draw import tree_lines
        from fcwseo_ontology.ossc import weights_of

        lines = io.StringIO()
        Console(file=lines, width=_WIDTH, color_system=None).print(
            tree_lines(self.model, weights_of(self.model))
        )
        return "\n".join(line.rstrip() for line in lines.getvalue().splitlines())

    def __repr__(self) -> str:
        size = f"{len(self.model.concepts):,} concepts, {len(self.model.edges):,} edges"
        return f"Ontology of {self.root!r}: {size}"

    def _repr_html_(self) -> str:
        labels = {concept.name: concept.labels[0].text for concept in self.model.concepts if concept.labels}
        edges = [
            (labels.get(edge.child, edge.child), edge.relation, labels.get(edge.parent, edge.parent))
            for edge in self.model.edges[:_HEAVIEST]
        ]
        facts = {"concepts": len(self.model.concepts), "edges": len(self.model.edges)}
        return html_facts(f"Ontology of {self.root}", facts) + html_table(
            ("concept", "relation", "parent"), edges
        )


@dataclass(frozen=True, repr=False)
class Topic:
    """The topic of a crawl: feature words and their weights.

    >>> import fcwseo as f
    >>> rain = f.load_topic({"rainstorm": 1.0, "flash flood": 0.5})
    >>> rain
    Topic 'rainstorm': 2 words
    >>> rain.score("A rainstorm warning") > rain.score("The weather")
    True
    """

    model: topics.Topic

    def __post_init__(self) -> None:
        if not isinstance(self.model, topics.Topic):
            raise unusable("model", self.model, "load_topic returns a Topic")

    @property
    def name(self) -> str:
        """The name of the topic."""
        return self.model.name

    @property
    def words(self) -> Table[FeatureWord]:
        """The feature words; those of an ontology are sorted by weight, largest first."""
        return Table(FeatureWord, self.model.words)

    @property
    def weights(self) -> dict[str, float]:
        """The weight of each word."""
        return self.model.weights

    @property
    def ontology(self) -> Ontology | None:
        """The ontology of the words; None for a topic of plain words."""
        return None if self.model.ontology is None else Ontology(self.model.ontology)

    @cached_property
    def _relevance(self) -> "TopicalRelevance":
        from fcwseo.relevance.topical import TopicalRelevance

        return TopicalRelevance(self.model)

    def score(self, text: str, *, language: str = "") -> float:
        """Return the relevance of a text, as a crawl judges its first pages.

        Args:
            text: The text.
            language: Its two-letter code; without it, the language is guessed.

        Returns:
            A number in [0, 1].

        >>> import fcwseo as f
        >>> 0 < f.load_topic("rainstorm").score("A flash flood after a rainstorm") < 1
        True
        """
        return self._relevance.of_text(text_of(text, "text"), language)

    def matches(self, text: str, *, language: str = "") -> list[str]:
        """Return the feature words that a text contains, most frequent first.

        Args:
            text: The text.
            language: Its two-letter code; without it, the language is guessed.

        >>> import fcwseo as f
        >>> f.load_topic({"rainstorm": 1.0, "flood": 0.5}).matches("floods and floods after a rainstorm")
        ['flood', 'rainstorm']
        """
        found = self._relevance.matcher.features(text_of(text, "text"), language)
        return [self.model.words[number].word for number in sorted(found, key=lambda number: -found[number])]

    def save(self, path: AnyPath) -> Path:
        """Write the topic with its ontology as JSON; ``load_topic`` reads it.

        Args:
            path: The file to write, which ends in ``.json``.

        Returns:
            The path of the file.

        Raises:
            InvalidInput: If the name of the file does not end in ``.json``.

        >>> import fcwseo as f
        >>> from tempfile import mkdtemp
        >>> f.load_topic(f.load_topic({"rain": 1.0}).save(f"{mkdtemp()}/rain.json"))
        Topic 'rain': 1 words
        """
        file = path_of(path, "path")
        if file.suffix.lower() != ".json":
            raise InvalidInput(f"cannot write {file}: a topic is written as JSON, name it .json")
        atomically(file, topics.encoded(self.model))
        return file

    def __repr__(self) -> str:
        return f"Topic {self.name!r}: {len(self.model.words):,} words"

    def _repr_html_(self) -> str:
        heaviest = sorted(self.model.words, key=lambda word: -word.weight)[:_HEAVIEST]
        rows = [(word.word, word.weight, ", ".join(word.labels)) for word in heaviest]
        facts = {"words": len(self.model.words)}
        return html_facts(f"Topic {self.name}", facts) + html_table(("word", "weight", "labels"), rows)


AnyTopic = Topic | Ontology | topics.Topic | models.Ontology | AnyPath | Mapping[str, float]


def topic_of(given: AnyTopic, *, label: str | None = None) -> topics.Topic:
    """The topic in an argument, as a value of ``fcwseo_ontology``."""
    from fcwseo_ontology import load, ossc

    match given:
        case Topic():
            return load.part_of(given.model, label)
        case topics.Topic():
            return load.part_of(given, label)
        case Ontology():
            return ossc.topic_of(given.model, label=label)
        case models.Ontology():
            return ossc.topic_of(given, label=label)
        case Mapping():
            return load.part_of(topics.topic_of_words(str(next(iter(given), "topic")), given), label)
        case str() | os.PathLike():
            return load.load_topic(str(path_of(given, "topic")), label=label)
    raise unusable(
        "topic",
        given,
        "a Topic, an Ontology, a file, a shipped name or a dictionary of weighted words is needed",
    )
