"""How the terms of a corpus hang together, each relation with its evidence in words.

The order of terms in a corpus is not a hierarchy of kinds: in a corpus on floods everything lies below
"flood". So every pair gets its type from evidence, in this order: the words of the terms, WordNet, head
nouns, patterns in the sentences, and last the order of the documents, which only says ``related``.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from fcwseo_ontology.bits import bits
from fcwseo_ontology.corpus.documents import Corpus, Document, cited
from fcwseo_ontology.corpus.tokens import stem
from fcwseo_ontology.corpus.wordlists import is_listed, tables
from fcwseo_ontology.fca.context import Context
from fcwseo_ontology.fca.lattice import attribute_order
from fcwseo_ontology.model import Edge, Relation
from fcwseo_ontology.relations import patterns_zh, senses
from fcwseo_ontology.relations.heads import apart, looks_like_adjective, phrases_before_head, role_of_head
from fcwseo_ontology.relations.kinds import Features, features_of, kinds
from fcwseo_ontology.relations.patterns import Finding, Reading, read_sentences
from fcwseo_ontology.relations.wordnet import Synset, WordNet
from fcwseo_ontology.terms.extract import Term

# How much the sentences must say together before they are believed; one alone seldom says enough of a kind.
LEAST_TRUST = {
    Relation.SYNONYM: 0.8,
    Relation.IS_A: 0.72,
    Relation.PART_OF: 0.7,
    Relation.ATTRIBUTE_OF: 0.6,
    Relation.INDUCE: 0.64,
}
# A term belongs to another in whose documents it lies, so far as these are not nearly all documents.
SUBSUMED = 0.8
LEAST_LIFT = 1.5


def find_relations(
    terms: Sequence[Term], corpus: Corpus, *, wordnet: WordNet | None = None, topic: str | None = None
) -> tuple[Edge, ...]:
    """All relations between the terms that there is evidence for, the surest first, by the terms' keys.

    They may contradict each other; whoever builds a hierarchy from them has to choose. ``topic`` is the key
    of the term that the others are wanted for, if there is one.
    """
    reading = read_sentences(terms, corpus)
    meanings = senses.choose_senses(terms, wordnet) if wordnet else {}
    above = senses.kinds(terms, meanings, wordnet) if wordnet else {}
    features = features_of(terms, corpus, above=above, wordnet=wordnet)
    findings = (*reading.findings, *patterns_zh.read_sentences(terms, corpus))
    return merged(
        [
            *_of_wordnet(terms, meanings, reading, wordnet),
            *kinds(terms, features, above),
            *_of_heads(terms, reading, meanings, features),
            *_of_aspects(terms, reading, topic),
            *_of_findings(terms, findings, features, corpus.documents),
            *_of_order(terms, corpus),
        ]
    )


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


def together(trusts: Iterable[float]) -> float:
    """How far to trust what several say independently.

    >>> together([0.5, 0.5])
    0.75
    """
    doubt = 1.0
    for trust in trusts:
        doubt *= 1 - trust
    return 1 - doubt


def _of_wordnet(
    terms: Sequence[Term], meanings: Mapping[int, Synset], reading: Reading, wordnet: WordNet | None
) -> Iterator[Edge]:
    """Synonyms and parts. What a corpus names side by side ("risk and hazard") is not the same to it."""
    if wordnet is None:
        return
    for pair in senses.alike(meanings):
        if reading.together[min(pair), max(pair)] < 2:
            more, less = sorted(pair, key=lambda one: (-terms[one].df, one))
            said = f"WordNet: one meaning ({', '.join(meanings[less].words[:4])})"
            yield Edge(terms[less].key, terms[more].key, Relation.SYNONYM, said, 0.8)
    for part, whole in senses.wholes(terms, meanings, wordnet):
        said = f"WordNet: part of {terms[whole].label}"
        yield Edge(terms[part].key, terms[whole].key, Relation.PART_OF, said, 0.7)


def _of_heads(
    terms: Sequence[Term], reading: Reading, meanings: Mapping[int, Synset], features: Features
) -> Iterator[Edge]:
    """What a compound says of the term before its head: flood risk is an attribute of the flood."""
    position = {term.key: at for at, term in enumerate(terms)}
    events = {at for at, synset in meanings.items() if synset.kind in ("event", "phenomenon")}
    events |= {finding.parent for finding in reading.findings if finding.relation is Relation.INDUCE}
    for term in terms:
        for head, owner in _owners(term, terms, position):
            relation, said, confidence = _role(head, terms[owner], event=owner in events)
            times, whose = _times_named(head, owner, reading, features)
            if relation is Relation.RELATED and times:
                relation, confidence = Relation.ATTRIBUTE_OF, 0.6
                said = f"sentences speak of the {head} of {terms[whose].label} ({times})"
            yield Edge(term.key, terms[owner].key, relation, said, confidence)


def _times_named(head: str, owner: int, reading: Reading, features: Features) -> tuple[int, int]:
    """How often the corpus names this "of" the owner or of something wider, and of which of them."""
    wider = (at for at, some in enumerate(features) if some <= features[owner])
    counted = ((reading.aspects[stem(head), at], at == owner, at) for at in wider)
    times, _, whose = max(counted)
    return times, whose


def _of_aspects(terms: Sequence[Term], reading: Reading, topic: str | None) -> Iterator[Edge]:
    """What people do about the topic, where the corpus says so more than once: "forecasting of floods"."""
    activities = tuple(tables("en")["activity_endings"].split())
    for owner in (at for at, term in enumerate(terms) if term.key == topic):
        for term in terms:
            times = reading.aspects[term.key, owner]
            if times > 1 and term.label.endswith(activities):
                said = f"sentences speak of the {term.label} of {terms[owner].label} ({times})"
                yield Edge(term.key, terms[owner].key, Relation.ATTRIBUTE_OF, said, 0.6)


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
        return relation, f"head noun: {head} adds nothing to {owner.label}", 0.7
    return Relation.RELATED, f"speaks of {owner.label}", 0.5


def _of_findings(
    terms: Sequence[Term], findings: Iterable[Finding], features: Features, documents: Sequence[Document]
) -> Iterator[Edge]:
    """What the sentences say, each document counted once, where it can be true."""
    groups: dict[tuple[int, int, Relation], dict[int, Finding]] = {}
    for finding in findings:
        group = groups.setdefault((finding.child, finding.parent, finding.relation), {})
        group.setdefault(finding.document, finding)
    for (child, parent, relation), group in groups.items():
        trust = together(finding.trust for finding in group.values())
        if trust >= LEAST_TRUST[relation] and _may_be(terms, child, parent, relation, features):
            first = next(iter(group.values()))
            quote = first.said.format(child=terms[child].label, parent=terms[parent].label)
            said = f"sentences say: {quote} ({cited([documents[number] for number in group])})"
            yield Edge(terms[child].key, terms[parent].key, relation, said, min(0.9, trust))


def _may_be(terms: Sequence[Term], child: int, parent: int, relation: Relation, features: Features) -> bool:
    """Whether sentences may be believed, seeing what the two terms are."""
    below, above = features[child] <= features[parent], features[parent] <= features[child]
    attribute = [_head_in("attributes", terms[one]) for one in (child, parent)]
    if relation is Relation.IS_A:
        return not below and attribute[0] == attribute[1] and not _head_in("roles", terms[parent])
    if relation is Relation.INDUCE:
        tool = any(_head_in("instruments", terms[one]) for one in (child, parent))
        return not (below or above or tool or any(attribute))
    return relation is not Relation.PART_OF or not (below or above)


def _head_in(name: str, term: Term) -> bool:
    """Whether the head of a term is in a word list."""
    if term.language == "zh":
        return term.label.endswith(tuple(tables("zh")[name].split()))
    compound = apart(term.label) if term.language == "en" else None
    return is_listed(compound.head if compound else term.label, name, term.language)


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
