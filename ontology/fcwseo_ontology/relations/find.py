"""How terms hang together beside what they are: parts, attributes, effects, and what merely belongs together.

Every pair gets its type from evidence, in this order: the words of the terms, WordNet, patterns in the
sentences, and last the order of the documents. A relation needs ends that can have it: what happens causes
and is caused, things have parts. Evidence whose ends cannot have the relation says only ``related``. Kinds
come from the concept lattice alone; see ``kinds``.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from fcwseo_ontology.bits import bits
from fcwseo_ontology.corpus.documents import Corpus, cited
from fcwseo_ontology.corpus.tokens import stem
from fcwseo_ontology.corpus.wordlists import is_listed, tables
from fcwseo_ontology.fca.context import Context
from fcwseo_ontology.fca.lattice import attribute_order
from fcwseo_ontology.model import Edge, Relation
from fcwseo_ontology.relations import patterns_zh
from fcwseo_ontology.relations.features import regions
from fcwseo_ontology.relations.heads import apart, looks_like_adjective, phrases_before_head, role_of_head
from fcwseo_ontology.relations.patterns import Finding, Findings, read_sentences
from fcwseo_ontology.relations.senses import alike, may_cause, may_happen, may_have_parts, wholes
from fcwseo_ontology.relations.statements import Beliefs, Names, Source, Statement, reachable, together
from fcwseo_ontology.relations.wordnet import Synset, WordNet
from fcwseo_ontology.terms.extract import Term

# How much the sentences must say together before they are believed; one alone seldom says enough.
LEAST_TRUST = {
    Relation.SYNONYM: 0.8,
    Relation.PART_OF: 0.7,
    Relation.ATTRIBUTE_OF: 0.6,
    Relation.INDUCE: 0.64,
    Relation.RELATED: 0.5,
}
# A term belongs to another in whose documents it lies, so far as these are not nearly all documents.
SUBSUMED = 0.8
LEAST_LIFT = 1.5

Above = Mapping[str, Mapping[str, object]]
"""For the key of each term all that it is, itself included."""


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of the terms when their relations are typed; ``meanings`` are by position."""

    terms: Sequence[Term]
    corpus: Corpus
    findings: Findings
    meanings: Mapping[int, Synset]
    wordnet: WordNet | None


def find_sentences(terms: Sequence[Term], corpus: Corpus) -> Findings:
    """What English and Chinese sentences state about the terms."""
    found = read_sentences(terms, corpus)
    return replace(found, all=(*found.all, *patterns_zh.read_sentences(terms, corpus)))


def find_relations(known: Known, *, beliefs: Beliefs, topic: str | None = None) -> tuple[Edge, ...]:
    """All relations but kinds and synonyms that there is evidence for, the surest first, by the terms' keys.

    They may contradict each other; whoever builds a hierarchy from them has to choose. ``topic`` is the key
    of the term that the others are wanted for, if there is one.
    """
    found = [
        *_of_regions(known),
        *_of_wordnet(known),
        *_of_heads(known),
        *_of_aspects(known, topic),
        *_of_findings(known, {term.key: reachable(term.key, beliefs) for term in known.terms}),
        *_of_order(known.terms, known.corpus),
    ]
    return merged(edge for edge in found if edge.relation not in (Relation.IS_A, Relation.SYNONYM))


def same_meaning(known: Known) -> Iterator[Statement]:
    """Statements both ways of terms that mean the same: by WordNet, as initials, or with an empty head."""
    found = [*_alike(known), *_of_heads(known), *_of_findings(known, {})]
    for edge in merged(edge for edge in found if edge.relation is Relation.SYNONYM):
        source = Source.WORDNET if edge.evidence.startswith("WordNet") else Source.SENTENCES
        for one, other in ((edge.child, edge.parent), (edge.parent, edge.child)):
            yield Statement(one, other, edge.confidence, source, edge.evidence)


def chinese_kinds_said(known: Known) -> Iterator[Statement]:
    """What Chinese sentences call a kind of what."""
    for one in known.findings.all:
        child, parent = known.terms[one.child], known.terms[one.parent]
        if one.relation is Relation.IS_A and _may_be_kind(child, parent):
            said = f"sentences say: {one.said.format(child=child.label, parent=parent.label)}"
            yield Statement(child.key, parent.key, one.trust, Source.SENTENCES, said, one.document)


def merged(edges: Iterable[Edge]) -> tuple[Edge, ...]:
    """One edge for each child, parent and relation; what agrees adds up. The surest come first.

    >>> one, two = (Edge("rain", "water", Relation.IS_A, said, 0.5) for said in "ab")
    >>> merged([one, two])
    (Edge(child='rain', parent='water', relation=<Relation.IS_A: 'is-a'>, evidence='a; b', confidence=0.75),)
    """
    groups: dict[tuple[str, str, Relation], dict[str, float]] = {}
    for edge in edges:
        group = groups.setdefault((edge.child, edge.parent, edge.relation), {})
        group[edge.evidence] = max(edge.confidence, group.get(edge.evidence, 0.0))
    found = (
        Edge(*key, "; ".join(group), round(min(0.99, together(group.values())), 3))
        for key, group in groups.items()
    )
    return tuple(sorted(found, key=lambda edge: (-edge.confidence, edge.child, edge.parent, edge.relation)))


def _alike(known: Known) -> Iterator[Edge]:
    """Synonyms of WordNet. What a corpus names side by side ("risk and hazard") is not the same to it."""
    terms = known.terms
    for pair in alike(known.meanings):
        if known.findings.together[min(pair), max(pair)] < 2:
            more, less = sorted(pair, key=lambda one: (-terms[one].df, one))
            said = f"WordNet: one meaning ({', '.join(known.meanings[less].words[:4])})"
            yield Edge(terms[less].key, terms[more].key, Relation.SYNONYM, said, 0.8)


def _of_regions(known: Known) -> Iterator[Edge]:
    for part, whole in regions(known.terms, Names(known.terms, known.wordnet)):
        yield Edge(part, whole, Relation.PART_OF, "head noun: a region of it", 0.8)


def _of_wordnet(known: Known) -> Iterator[Edge]:
    """Parts of what has a name of its own: Sicily of Italy. Of other things WordNet is no safe guide."""
    if known.wordnet is None:
        return
    terms = known.terms
    for part, whole in wholes(terms, known.meanings, known.wordnet):
        if all(terms[one].label[:1].isupper() for one in (part, whole)):
            said = f"WordNet: part of {terms[whole].label}"
            yield Edge(terms[part].key, terms[whole].key, Relation.PART_OF, said, 0.7)


def _of_heads(known: Known) -> Iterator[Edge]:
    """What a compound says of the term before its head: flood risk is an attribute of the flood."""
    terms = known.terms
    position = {term.key: at for at, term in enumerate(terms)}
    events = {at for at, synset in known.meanings.items() if synset.kind in ("event", "phenomenon")}
    events |= {finding.parent for finding in known.findings.all if finding.relation is Relation.INDUCE}
    for term in terms:
        for head, owner in _owners(term, terms, position):
            relation, said, confidence = _role(head, terms[owner], event=owner in events)
            yield Edge(term.key, terms[owner].key, relation, said, confidence)


def _of_aspects(known: Known, topic: str | None) -> Iterator[Edge]:
    """What people do about the topic, where the corpus says so more than once: "forecasting of floods"."""
    activities = tuple(tables("en")["activity_endings"].split())
    for owner in (at for at, term in enumerate(known.terms) if term.key == topic):
        for term in known.terms:
            times = known.findings.aspects[term.key, owner]
            if times > 1 and term.label.endswith(activities):
                said = f"sentences speak of the {term.label} of {known.terms[owner].label} ({times})"
                yield Edge(term.key, known.terms[owner].key, Relation.RELATED, said, 0.6)


def _owners(term: Term, terms: Sequence[Term], position: Mapping[str, int]) -> Iterator[tuple[str, int]]:
    """The head of a compound and the one term that it says something about, if there is one."""
    if term.language == "zh":
        yield from _chinese_owners(term, terms)
    compound = apart(term.label) if term.language == "en" else None
    if compound is None:
        return
    for phrase in phrases_before_head((*compound.modifiers, compound.head)):
        owner = position.get(" ".join(map(stem, phrase)))
        if owner is not None and not looks_like_adjective(phrase[-1]):
            yield compound.head, owner
            return


def _chinese_owners(term: Term, terms: Sequence[Term]) -> Iterator[tuple[str, int]]:
    """The longest term that a Chinese compound begins with; what is left of the compound is its head."""
    begins = [
        at
        for at, other in enumerate(terms)
        if other.language == "zh"
        and term.label.startswith(other.label)
        and len(other.label) < len(term.label) - 1
    ]
    if begins:
        longest = max(begins, key=lambda at: len(terms[at].label))
        yield term.label.removeprefix(terms[longest].label), longest


def _role(head: str, owner: Term, *, event: bool) -> tuple[Relation, str, float]:
    """How a compound hangs on the term before its head, why, and how surely. Only events do something."""
    relation = role_of_head(head, owner.language)
    if relation is Relation.ATTRIBUTE_OF:
        return relation, f"head noun: {head} is an attribute of {owner.label}", 0.8
    if relation is Relation.PART_OF:
        return relation, f"head noun: {head} is a part of {owner.label}", 0.7
    if relation is Relation.INDUCE and event:
        return relation, f"head noun: {head} is what {owner.label} does", 0.7
    if relation is Relation.SYNONYM and event:
        return relation, f"head noun: {head} adds nothing to {owner.label}", 0.8
    return Relation.RELATED, f"speaks of {owner.label}", 0.5


def _of_findings(known: Known, above: Above) -> Iterator[Edge]:
    """What the sentences say, each document counted once; only ``related`` where it cannot be true."""
    terms = known.terms
    groups: dict[tuple[int, int, Relation], dict[int, Finding]] = {}
    for finding in known.findings.all:
        group = groups.setdefault((finding.child, finding.parent, finding.relation), {})
        group.setdefault(finding.document, finding)
    for (child, parent, relation), group in groups.items():
        trust = together(finding.trust for finding in group.values())
        if relation is not Relation.IS_A and trust >= LEAST_TRUST[relation]:
            first = next(iter(group.values()))
            quote = first.said.format(child=terms[child].label, parent=terms[parent].label)
            quote = f"{quote} ({cited([known.corpus.documents[number] for number in group])})"
            possible = _may_be(known, above, terms[child], terms[parent], relation)
            kept, sure = (relation, min(0.9, trust)) if possible else (Relation.RELATED, min(0.5, trust))
            yield Edge(terms[child].key, terms[parent].key, kept, f"sentences say: {quote}", sure)


def _may_be(known: Known, above: Above, child: Term, parent: Term, relation: Relation) -> bool:
    """Whether sentences may be believed, seeing what the two terms are."""
    if relation in (Relation.RELATED, Relation.SYNONYM):
        return True
    kin = parent.key in above.get(child.key, ()) or child.key in above.get(parent.key, ())
    heads = [_head(term) for term in (child, parent)]
    wordnet = known.wordnet if child.language == parent.language == "en" else None
    if relation is Relation.INDUCE:
        ends = [(name, term) for name in ("instruments", "attributes") for term in (child, parent)]
        still = any(_head_in(name, term) for name, term in ends)
        still = still or _head_in("vague", parent)
        happens = wordnet is None or (may_happen(heads[0], wordnet) and may_cause(heads[1], wordnet))
        return happens and not (kin or still)
    if relation is Relation.PART_OF:
        return not kin and (wordnet is None or all(may_have_parts(head, wordnet) for head in heads))
    return True


def _may_be_kind(child: Term, parent: Term) -> bool:
    """Whether one may be a kind of the other: both are attributes or neither is, and the other is no role."""
    attribute = [_head_in("attributes", term) for term in (child, parent)]
    return attribute[0] == attribute[1] and not _head_in("roles", parent)


def _head(term: Term) -> str:
    compound = apart(term.label) if term.language == "en" else None
    return compound.head if compound else term.label


def _head_in(name: str, term: Term) -> bool:
    """Whether the head of a term is in a word list."""
    if term.language == "zh":
        return term.label.endswith(tuple(tables("zh")[name].split()))
    return is_listed(_head(term), name, term.language)


def _of_order(terms: Sequence[Term], corpus: Corpus) -> Iterator[Edge]:
    """Terms whose documents nearly all have another, rarer elsewhere: they belong together, no more."""
    documents = len(corpus.documents)
    postings = {term.key: list(bits(term.documents)) for term in terms}
    context = Context.of_postings([str(number) for number in range(documents)], postings)
    for edge in attribute_order(context, confidence=SUBSUMED).edges:
        if edge.confidence >= LEAST_LIFT * len(postings[edge.parent]) / documents:
            own = len(postings[edge.child])
            said = f"{round(edge.confidence * own)} of its {own} documents have it too"
            yield Edge(edge.child, edge.parent, Relation.RELATED, said, round(0.3 * edge.confidence, 3))
