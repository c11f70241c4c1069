"""Ontologies and topics with what one does with them: save, weigh, draw, score.

They wrap the values of ``fcwseo_ontology``, which knows neither pages nor relevance (ADR 0016). ``model`` is
the wrapped value, and every function that takes a topic takes either.
"""

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from fcwseo.errors import InvalidCorpus, InvalidInput
from fcwseo.files import atomically
from fcwseo.tables import Table, html_facts, html_table
from fcwseo_ontology import model as models
from fcwseo_ontology import topic as topics
from fcwseo_ontology.topic import FeatureWord

if TYPE_CHECKING:
    from fcwseo.relevance.topical import TopicalRelevance
    from fcwseo.uses.calibrate import Proposal
    from fcwseo_ontology.corpus.documents import Corpus

AnyPath = str | Path
AnyCorpus = AnyPath | Sequence[AnyPath]

_HEAVIEST = 15  # words that a notebook shows
_WIDTH = 100  # characters of a line of a tree


@dataclass(frozen=True, repr=False)
class Ontology:
    """A domain ontology: concepts, typed edges between them, and one root, the topic.

    >>> import fcwseo as f
    >>> rainstorm = f.load_ontology("rainstorm")
    >>> rainstorm
    Ontology of 'rainstorm disaster': 208 concepts, 237 edges
    >>> rainstorm.concepts[0].labels[0].text, rainstorm.edges[0].relation
    ('rainstorm disaster', <Relation.PART_OF: 'part-of'>)
    """

    model: models.Ontology

    @property
    def root(self) -> str:
        """The label of the root concept."""
        concepts = {concept.name: concept for concept in self.model.concepts}
        labels = concepts[self.model.topic].labels if self.model.topic in concepts else ()
        return labels[0].text if labels else self.model.topic

    @property
    def concepts(self) -> Table[models.Concept]:
        return Table(models.Concept, self.model.concepts)

    @property
    def edges(self) -> Table[models.Edge]:
        return Table(models.Edge, self.model.edges)

    def topic(self, label: str | None = None) -> "Topic":
        """The feature words of the ontology with their weights.

        Args:
            label: Take only what lies below the concept with this label.

        Raises:
            InvalidTopic: If no concept has this label.
        """
        from fcwseo_ontology.ossc import topic_of

        return Topic(topic_of(self.model, label=label))

    def save(self, path: AnyPath) -> Path:
        """Write the ontology as OWL (RDF/XML).

        Args:
            path: The file to write, such as ``bees.owl``.

        Returns:
            The path of the file.

        Raises:
            InvalidInput: If the name of the file ends in another syntax.
        """
        from fcwseo_ontology.owl.ontologies import write_owl

        file = Path(path)
        if file.suffix.lower() not in (".owl", ".rdf", ".xml"):
            raise InvalidInput(f"cannot write {file}: an ontology is written as RDF/XML, name it .owl")
        write_owl(self.model, file)
        return file

    def draw(self, path: AnyPath, *, corpus: "AnyCorpus | None" = None) -> Path:
        """Write one self-contained page with the graph and the lattice.

        Args:
            path: The HTML file to write.
            corpus: Documents; with them the lattice is that of documents and terms.

        Returns:
            The path of the page.
        """
        from fcwseo_ontology.draw import html_page
        from fcwseo_ontology.draw.pictures import hasse_of
        from fcwseo_ontology.ossc import weights_of

        hasse = hasse_of(self.model, None if corpus is None else corpus_of(corpus))
        atomically(Path(path), html_page(self.model, weights=weights_of(self.model), hasse=hasse).encode())
        return Path(path)

    def tree(self) -> str:
        """The ontology as a tree of lines, each concept once, with its weight.

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
    """What a crawl looks for: feature words and their weights.

    >>> import fcwseo as f
    >>> rain = f.load_topic({"rainstorm": 1.0, "flash flood": 0.5})
    >>> rain
    Topic 'rainstorm': 2 words
    >>> rain.score("A rainstorm warning") > rain.score("The weather")
    True
    """

    model: topics.Topic

    @property
    def name(self) -> str:
        return self.model.name

    @property
    def words(self) -> Table[FeatureWord]:
        """The feature words, the heaviest first where they come from an ontology."""
        return Table(FeatureWord, self.model.words)

    @property
    def weights(self) -> dict[str, float]:
        """The weight of each word."""
        return self.model.weights

    @property
    def ontology(self) -> Ontology | None:
        """The ontology that the words were taken from; None if they stand for themselves."""
        return None if self.model.ontology is None else Ontology(self.model.ontology)

    @cached_property
    def _relevance(self) -> "TopicalRelevance":
        from fcwseo.relevance.topical import TopicalRelevance

        return TopicalRelevance(self.model)

    def score(self, text: str, *, language: str = "") -> float:
        """How much a text is about the topic, as a crawl judges the first pages of a web.

        Args:
            text: The text.
            language: Its two-letter code; without it, the language is guessed.

        Returns:
            A number in [0, 1].
        """
        return self._relevance.of_text(text, language)

    def matches(self, text: str, *, language: str = "") -> list[str]:
        """The feature words that a text has, the most frequent first.

        Args:
            text: The text.
            language: Its two-letter code; without it, the language is guessed.

        >>> import fcwseo as f
        >>> f.load_topic({"rainstorm": 1.0, "flood": 0.5}).matches("floods and floods after a rainstorm")
        ['flood', 'rainstorm']
        """
        found = self._relevance.matcher.features(text, language)
        return [self.model.words[number].word for number in sorted(found, key=lambda number: -found[number])]

    def save(self, path: AnyPath) -> Path:
        """Write the topic with its ontology as JSON; ``load_topic`` reads it.

        Args:
            path: The file to write, which ends in ``.json``.

        Returns:
            The path of the file.
        """
        file = Path(path)
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


def build_ontology(
    corpus: AnyCorpus,
    *,
    topic: str,
    terms: int = 80,
    keep: Mapping[str, bool] | None = None,
) -> Ontology:
    """Build a domain ontology from a corpus.

    Args:
        corpus: A folder, a file, a list of them, or a list of texts.
        topic: The root of the ontology, such as ``"beekeeping"``.
        terms: How many terms to take.
        keep: An expert's decisions on terms, by label.

    Returns:
        The ontology. The same input gives the same ontology.

    Raises:
        InvalidCorpus: If no document can be read.
        InvalidTopic: If no document has the topic.

    >>> import fcwseo as f
    >>> texts = ["A queen bee is a bee. Bees live in a hive.", "A worker bee is a bee, as a queen bee is."]
    >>> f.build_ontology(texts, topic="bee").root
    'bee'
    """
    from fcwseo_ontology import build
    from fcwseo_ontology.relations.wordnet import load_wordnet

    return Ontology(
        build.build_ontology(corpus_of(corpus), topic=topic, terms=terms, wordnet=load_wordnet(), keep=keep)
    )


def load_ontology(source: AnyPath, *, topic: str | None = None) -> Ontology:
    """Load an ontology from a file in any RDF syntax, or a shipped one by its name.

    Args:
        source: The file, or a name such as ``"rainstorm"``.
        topic: Take only what lies below the concept with this label.

    Raises:
        InvalidOntology: If the file is not an ontology.
        InvalidTopic: If there is no such name, or no concept with this label.

    >>> import fcwseo as f
    >>> f.load_ontology("rainstorm", topic="flood").root
    'flood'
    """
    from fcwseo_ontology import load

    return Ontology(load.load_ontology(str(source), topic=topic))


def load_topic(source: AnyTopic, *, label: str | None = None) -> Topic:
    """Load a topic.

    Args:
        source: An ontology file, a JSON file of weighted words, the name of a shipped topic, an ``Ontology``,
            or a dictionary of words and weights.
        label: Take only what lies below the concept with this label of an ontology.

    Raises:
        InvalidTopic: If there is no such name or file, or no word with a weight.

    >>> import fcwseo as f
    >>> f.load_topic("rainstorm").name
    'rainstorm disaster'
    """
    return Topic(topic_of(source, label=label))


def topic_of(given: AnyTopic, *, label: str | None = None) -> topics.Topic:
    """The topic that a user means, as the rooms below know it."""
    from fcwseo_ontology import load, ossc

    match given:
        case Topic():
            return given.model
        case topics.Topic():
            return given
        case Ontology():
            return ossc.topic_of(given.model, label=label)
        case models.Ontology():
            return ossc.topic_of(given, label=label)
        case Mapping():
            return topics.topic_of_words(next(iter(given), "nothing"), given)
        case str() | Path():
            return load.load_topic(str(given), label=label)
    raise InvalidInput(
        f"a {type(given).__name__} is not a topic: give a Topic, an Ontology, a file or a shipped name"
    )


def calibrate(
    topic: AnyTopic, *, positive: "AnyCorpus | None" = None, background: "AnyCorpus | None" = None
) -> "Proposal":
    """Propose the thresholds eta and tau from documents.

    Args:
        topic: The topic.
        positive: Documents about the topic: files, folders or texts.
        background: Documents about other things.

    Returns:
        The proposal, with how well the two kinds of documents separate.

    Raises:
        InvalidInput: If there are neither positives nor a background.

    >>> import fcwseo as f
    >>> found = f.calibrate("rainstorm", positive=["a rainstorm, a flash flood"], background=["a sunny day"])
    >>> 0 < found.calibration.eta < 1
    True
    """
    from fcwseo.uses.calibrate import propose

    if positive is None and background is None:
        raise InvalidInput("nothing to calibrate by: give documents as positive, as background or both")
    sides = [corpus_of(given).documents if given is not None else () for given in (positive, background)]
    return propose(topic_of(topic), *sides)


def corpus_of(given: AnyCorpus) -> "Corpus":
    """The documents in what a user gives: a path, paths, or texts."""
    from fcwseo_ontology.corpus.read import corpus_of_texts, read_corpus

    if isinstance(given, str | Path):
        return read_corpus([Path(given)])
    names, texts = [], []
    for one in given:
        if isinstance(one, Path) or _is_path(one):
            names.append(Path(one))
        else:
            texts.append(one)
    if texts and names:
        raise InvalidCorpus(f"the corpus mixes files ({names[0]}) and texts: give the one or the other")
    if any(not text.strip() for text in texts) or not (texts or names):
        raise InvalidCorpus("the corpus has an empty text, or nothing: give files, folders or texts")
    return corpus_of_texts(texts) if texts else read_corpus(names)


def _is_path(text: str) -> bool:
    """A text has blanks or is long; a name that is not there shall be an error, and not become a text."""
    try:
        return Path(text).exists() or not any(char.isspace() for char in text.strip())
    except (OSError, ValueError):  # too long for a path
        return False
