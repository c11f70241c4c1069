"""Public functions: build, load and check ontologies; load and calibrate topics."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from fcwseo.door.arguments import AnyPath, count_of, path_of, text_of, unusable
from fcwseo.door.corpora import AnyCorpus, corpus_of
from fcwseo.door.topics import AnyTopic, Ontology, Topic, topic_of
from fcwseo.errors import InvalidInput, InvalidTopic
from fcwseo.tables import Table

if TYPE_CHECKING:
    from fcwseo.uses.calibrate import Proposal
    from fcwseo_ontology.corpus.documents import Corpus
    from fcwseo_ontology.joining import Own
    from fcwseo_ontology.terms.choose import Wishes


def build_ontology(
    corpus: AnyCorpus,
    *,
    topic: str,
    terms: int = 80,
    keep: Mapping[str, bool] | None = None,
    review: AnyPath | None = None,
    relations: AnyPath | None = None,
    minimum_df: int | None = None,
    whole_corpus: bool = False,
    own: AnyPath | Ontology | None = None,
) -> Ontology:
    """Build a domain ontology from a corpus.

    Args:
        corpus: A folder, a file, a run, a list of them, or a list of texts. Of a run the kept pages are read.
        topic: The root of the ontology, such as ``"beekeeping"``.
        terms: Number of terms to take, besides kinds of them that sentences name.
        keep: An expert's decisions on terms: labels and whether to keep them.
        review: A CSV table of terms: written if it does not exist, else its decisions apply.
        relations: A CSV table of edges: written if it does not exist, else its decisions apply.
        minimum_df: Number of documents that must contain a term: by default 2, or 1 below 40 documents.
        whole_corpus: Take terms from all documents, even if few of them name the topic.
        own: An ontology of your own to join the built one with: a file (OWL or SKOS), a shipped name or an
            ``Ontology``. Its edges win.

    Returns:
        The ontology; its ``notes`` say how the terms were chosen. The same input always returns the same
        ontology.

    Raises:
        InvalidCorpus: If no document can be read.
        InvalidInput: If no document contains the topic, or an argument cannot be used.

    >>> import fcwseo as f
    >>> texts = ["A queen bee is a bee. Bees live in a hive.", "A worker bee is a bee, as a queen bee is."]
    >>> f.build_ontology(texts, topic="bee").root
    'bee'
    """
    from fcwseo_ontology import build, decisions
    from fcwseo_ontology.relations.wordnet import load_wordnet
    from fcwseo_ontology.terms.choose import Wishes

    if not text_of(topic, "topic").strip():
        raise InvalidTopic("topic is empty: give the root of the ontology, such as 'beekeeping'")
    number = count_of(terms, "terms")
    least = None if minimum_df is None else count_of(minimum_df, "minimum_df")
    notes: list[str] = []
    edges = None if relations is None else path_of(relations, "relations")
    joining = None if own is None else _own(own)
    documents = corpus_of(corpus)
    found = build.build_ontology(
        documents,
        topic=topic,
        terms=number,
        wordnet=load_wordnet(),
        keep=_kept(keep, review, documents, Wishes(topic, number, least, whole_corpus), joining),
        relations=decisions.read_relations(edges) if edges is not None and edges.exists() else None,
        own=joining,
        minimum_df=least,
        whole_corpus=whole_corpus,
        tell=notes.append,
    )
    if edges is not None and not edges.exists():
        decisions.write_relations(found, edges)
    return Ontology(found, tuple(notes))


def _own(given: AnyPath | Ontology) -> "Own":
    from fcwseo_ontology.joining import Own
    from fcwseo_ontology.load import load_own

    if isinstance(given, Ontology):
        return Own(given.model, given.root)
    return load_own(str(path_of(given, "own")))


def _kept(
    keep: Any, review: AnyPath | None, corpus: "Corpus", wishes: "Wishes", own: "Own | None"
) -> Mapping[str, bool] | None:
    """The decisions of an expert on terms; the candidates are written to a review that does not exist."""
    from fcwseo_ontology.build import candidates
    from fcwseo_ontology.terms.extract import read_review, write_review

    if keep is not None and not isinstance(keep, Mapping):
        raise unusable("keep", keep, "a dictionary of labels, each True or False, is needed")
    if review is None:
        return keep
    file = path_of(review, "review")
    if file.exists():
        return {**read_review(file), **(keep or {})}
    shown = candidates(corpus, wishes, own=own)
    write_review(shown, file, taken=1 + wishes.terms)  # the topic stands before the terms
    return keep


def load_ontology(source: AnyPath, *, topic: str | None = None) -> Ontology:
    """Load an ontology from a file in any RDF syntax, or a shipped ontology by name.

    Args:
        source: The file, or a name such as ``"rainstorm"``; ``"rainstorm#flood"`` is a part of it.
        topic: Take only the part below the concept with this label.

    Returns:
        The ontology.

    Raises:
        InvalidOntology: If the file is not an ontology.
        InvalidTopic: If there is no such name, or no concept with this label.

    >>> import fcwseo as f
    >>> f.load_ontology("rainstorm", topic="flood").root
    'flood'
    """
    from fcwseo_ontology import load

    label = None if topic is None else text_of(topic, "topic")
    return Ontology(load.load_ontology(str(path_of(source, "source")), topic=label))


def check_ontology(source: AnyPath | Ontology) -> Table[Any]:
    """Find cycles, unlabelled or unreachable concepts and duplicate labels in an ontology.

    Args:
        source: A file, the name of a shipped ontology, or an ``Ontology``.

    Returns:
        A record for each finding, errors first. An ontology with an error is broken.

    Raises:
        InvalidOntology: If the file cannot be read.

    >>> import fcwseo as f
    >>> f.check_ontology("rainstorm")
    Table of 0 Finding: severity, kind, concept, text
    """
    from fcwseo_ontology.load import findings_of
    from fcwseo_ontology.owl.ontologies import Finding, check_ontology

    if isinstance(source, Ontology):
        return Table(Finding, check_ontology(source.model))
    return Table(Finding, findings_of(str(path_of(source, "source"))))


def load_topic(source: AnyTopic, *, label: str | None = None) -> Topic:
    """Load a topic.

    Args:
        source: An ontology file, a JSON file of weighted words, the name of a shipped topic, an ``Ontology``,
            or a dictionary of words and weights.
        label: Take only the part of the ontology below the concept with this label.

    Returns:
        The topic.

    Raises:
        InvalidTopic: If there is no such name or file, or no word with a weight.

    >>> import fcwseo as f
    >>> f.load_topic("rainstorm").name
    'rainstorm disaster'
    """
    return Topic(topic_of(source, label=label))


def calibrate(
    topic: AnyTopic, *, positive: AnyCorpus | None = None, background: AnyCorpus | None = None
) -> "Proposal":
    """Propose the thresholds eta and tau from documents.

    Args:
        topic: The topic.
        positive: Documents about the topic: files, folders or texts.
        background: Documents about other things.

    Returns:
        The proposal, with measures of how well the two kinds of documents separate.

    Raises:
        InvalidInput: If both positive and background are missing.

    >>> import fcwseo as f
    >>> found = f.calibrate("rainstorm", positive=["a rainstorm, a flash flood"], background=["a sunny day"])
    >>> 0 < found.calibration.eta < 1
    True
    """
    from fcwseo.uses.calibrate import propose

    if positive is None and background is None:
        raise InvalidInput("no documents to calibrate with: give positive, background or both")
    given = {"positive": positive, "background": background}
    sides = [corpus_of(one, name).documents if one is not None else () for name, one in given.items()]
    return propose(topic_of(topic), *sides)
