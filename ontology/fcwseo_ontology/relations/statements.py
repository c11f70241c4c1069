"""What sources say that something is, and which of it is believed.

A statement joins two nodes: the key of a term, or the name of something that is no term of the ontology but
may become a class of it. Several statements of one thing support each other, each document counted once.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from fcwseo_ontology.corpus.documents import Document, cited
from fcwseo_ontology.corpus.tokens import WORD, stem, words
from fcwseo_ontology.model import Relation
from fcwseo_ontology.relations.wordnet import WordNet
from fcwseo_ontology.terms.extract import Term

LEAST_BELIEF = 0.6
"""How far a statement must be trusted, all its sources together, to be believed."""


class Source(StrEnum):
    """Where a statement comes from, the best name for a class first."""

    EXPERT = "expert"
    SENTENCES = "sentences"
    HEAD = "head noun"
    WORDNET = "WordNet"


@dataclass(frozen=True, slots=True)
class Statement:
    """``child`` is a ``parent``. ``document`` is the position in the corpus of the document that says so."""

    child: str
    parent: str
    trust: float
    source: Source
    said: str
    document: int | None = None


@dataclass(frozen=True, slots=True)
class Belief:
    """How surely one node is another, and why, in words."""

    trust: float
    said: str
    sources: frozenset[Source]


Beliefs = Mapping[str, Mapping[str, Belief]]
Decisions = Mapping[tuple[str, str, Relation], bool]
"""What an expert says of child, parent and relation."""


def together(trusts: Iterable[float]) -> float:
    """How far to trust what several say independently.

    >>> together([0.5, 0.5])
    0.75
    """
    doubt = 1.0
    for trust in trusts:
        doubt *= 1 - trust
    return 1 - doubt


def believed(statements: Iterable[Statement], documents: Sequence[Document]) -> dict[str, dict[str, Belief]]:
    """What is trusted enough: ``{child: {parent: why}}``. Of a longer circle the weakest belief goes.

    >>> where = [Document(name, "", "") for name in ("a.txt", "b.txt")]
    >>> one, two = (Statement("flood", "hazard", 0.4, Source.SENTENCES, "such as", at) for at in (0, 1))
    >>> believed([one, one], where), believed([one, two], where)["flood"]["hazard"].said
    ({}, 'such as (in 2 documents, such as a.txt)')
    """
    groups: dict[tuple[str, str], list[Statement]] = {}
    for statement in statements:
        if statement.child != statement.parent:
            groups.setdefault((statement.child, statement.parent), []).append(statement)
    found = {pair: _belief(group, documents) for pair, group in groups.items()}
    found = {pair: belief for pair, belief in found.items() if belief.trust >= LEAST_BELIEF}
    return _without_long_circles(found)


def _belief(group: Sequence[Statement], documents: Sequence[Document]) -> Belief:
    """One belief of all statements of a pair; of one document only its surest counts."""
    per_document: dict[tuple[Source, str | int], Statement] = {}
    for one in group:
        slot = (one.source, one.said if one.document is None else one.document)
        if slot not in per_document or one.trust > per_document[slot].trust:
            per_document[slot] = one
    kept = list(per_document.values())
    reasons: dict[Source, str] = {}
    for source in Source:
        own = sorted((one for one in kept if one.source is source), key=lambda one: -one.trust)
        if own:
            saying = [documents[one.document] for one in own if one.document is not None]
            where = f" ({cited(saying)})" if own[0].document is not None else ""
            reasons[source] = own[0].said + where
    trust = round(min(0.99, together(one.trust for one in kept)), 3)
    if Source.EXPERT in reasons:
        trust = 1.0
    return Belief(trust, "; ".join(reasons.values()), frozenset(reasons))


def _without_long_circles(found: Mapping[tuple[str, str], Belief]) -> dict[str, dict[str, Belief]]:
    """The beliefs, the surest first, without those that close a circle of three or more.

    A circle of two says that both are the same; a longer one is an error somewhere.
    """
    kept: dict[str, dict[str, Belief]] = {}
    for (child, parent), belief in sorted(found.items(), key=lambda one: (-one[1].trust, one[0])):
        around = reachable(parent, kept, without=child)
        if not any(child in kept.get(between, ()) for between in around if between != parent):
            kept.setdefault(child, {})[parent] = belief
    return kept


def reachable(node: str, beliefs: Mapping[str, Iterable[str]], *, without: str = "") -> dict[str, None]:
    """The node and all that it is, nearest first; nothing that only leads through ``without``.

    >>> reachable("a", {"a": {"b": None}, "b": {"c": None}}), reachable("a", {"a": {"b": None}}, without="b")
    ({'a': None, 'b': None, 'c': None}, {'a': None})
    """
    found = {node: None}
    for here in (queue := [node]):
        new = [above for above in beliefs.get(here, ()) if above not in found and above != without]
        found.update(dict.fromkeys(new))
        queue += new
    return found


def sources_of(beliefs: Beliefs) -> dict[str, frozenset[Source]]:
    """By whom each node is said to be above something."""
    found: dict[str, frozenset[Source]] = {}
    for parents in beliefs.values():
        for node, belief in parents.items():
            found[node] = found.get(node, frozenset()) | belief.sources
    return found


class Names:
    """The nodes that words stand for: a term where one is meant, else the words themselves.

    A term is meant where the stems are its own and the head is that of its label: "clustering" is no
    "cluster". The name of what is no term begins with a tilde, so that it is never the key of a term.

    >>> names = Names([Term("flash flood", "flash flood", ("flash floods",), "en", 1, 1.0)])
    >>> names.of(["Flash", "Floods"]), names.of(["natural", "hazards"]), names.of(["flash", "flooding"])
    ('flash flood', '~natural hazard', '~flash flooding')
    """

    def __init__(self, terms: Iterable[Term], wordnet: WordNet | None = None) -> None:
        self._wordnet = wordnet
        self._heads: dict[str, str] = {}
        self._proper: set[str] = set()
        self.labels: dict[str, str] = {}
        for term in terms:
            self._heads[term.key] = self.singular((words(term.label, term.language) or [""])[-1])
            self.labels[term.key] = term.label
            if all(is_name((WORD.findall(form) or [""])[-1]) for form in (term.label, *term.variants)):
                self._proper.add(term.key)

    def of(self, phrase: Sequence[str], text: str = "") -> str:
        """The node of a phrase of English words; a new one is remembered with its label.

        ``text`` is what the phrase ends, as it is written: the label keeps its hyphens.
        """
        node = self.find(phrase)
        if node not in self.labels:
            starts = [word.start() for word in WORD.finditer(text)]
            written = text[starts[-len(phrase)] :] if len(phrase) <= len(starts) else " ".join(phrase)
            last = phrase[-1]
            singular = self.singular(last) if last.islower() else last
            self.labels[node] = written.removesuffix(last) + singular if written.endswith(last) else written
        return node

    def find(self, phrase: Sequence[str]) -> str:
        """The node of a phrase, whether it was met before or not."""
        lower = [word.lower() for word in phrase]
        head, key = self.singular(lower[-1]), " ".join(map(stem, lower))
        common = key in self._proper and not is_name(phrase[-1])
        return key if head == self._heads.get(key) and not common else "~" + " ".join((*lower[:-1], head))

    def is_proper(self, node: str) -> bool:
        """Whether a term is a name in all its forms: Emacs, but neither IDS nor a title in capitals."""
        return node in self._proper

    def is_term(self, node: str) -> bool:
        return node in self._heads

    def singular(self, word: str) -> str:
        """The singular of a noun, as far as WordNet or its ending tells it.

        >>> [Names([]).singular(word) for word in ("floods", "galaxies", "classes", "series", "virus")]
        ['flood', 'galaxy', 'class', 'series', 'virus']
        """
        if word in UNINFLECTED or word.endswith(("ss", "us", "is", "ics")):
            return word
        if self._wordnet is not None:
            lemmas = self._wordnet.lemmas(word)
            forms = [
                form for form in lemmas if "_" not in form and (form == word or len(form) > 2)
            ]  # Ga of gas
            return forms[-1] if forms else _stripped(word)
        return _stripped(word)


def is_name(word: str) -> bool:
    """Whether a word is written like a name and not like an abbreviation.

    >>> is_name("Emacs"), is_name("IDS"), is_name("editor")
    (True, False, False)
    """
    return word[:1].isupper() and not word.isupper()


UNINFLECTED = frozenset({"data", "means", "news", "series", "species"})


def _stripped(word: str) -> str:
    for ending, instead in (
        ("ies", "y"),
        ("sses", "ss"),
        ("ches", "ch"),
        ("shes", "sh"),
        ("xes", "x"),
        ("s", ""),
    ):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            return word.removesuffix(ending) + instead
    return word
