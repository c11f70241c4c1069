"""How the terms of a corpus hang together, each relation with its evidence in words.

The order of terms in a corpus is not a hierarchy of kinds: in a corpus on floods everything lies below "flood".
So every pair gets its type from evidence, in this order: the words of the terms, WordNet, head nouns, patterns in
the sentences, and last the order of the documents, which only says ``related``.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from fcwseo_ontology import patterns_zh, senses
from fcwseo_ontology.context import Context, bits
from fcwseo_ontology.corpus import Corpus
from fcwseo_ontology.heads import (
    apart,
    is_attribute,
    is_light,
    looks_like_adjective,
    phrases_before_head,
    role_of_head,
)
from fcwseo_ontology.kinds import Features, features_of, kinds
from fcwseo_ontology.lattice import attribute_order
from fcwseo_ontology.model import Edge, Relation
from fcwseo_ontology.patterns import Finding, Reading, read_sentences
from fcwseo_ontology.terms import Term
from fcwseo_ontology.tokens import stem, words
from fcwseo_ontology.wordnet import Synset, WordNet

# How much the sentences must say together before they are believed; one alone seldom says enough of a kind.
LEAST_TRUST = {
    Relation.SYNONYM: 0.8,
    Relation.IS_A: 0.72,
    Relation.PART_OF: 0.7,
    Relation.ATTRIBUTE_OF: 0.6,
    Relation.INDUCE: 0.65,
}
# What a thing is for somebody, not what it is: "slope is a factor".
_ROLES = frozenset(
    stem(word)
    for word in """
    application approach area aspect challenge characteristic component condition consequence element example factor
    feature field goal indicator input issue kind measure output parameter part problem process purpose region set
    solution source task topic type variable
    """.split()
)
# What people work with; it neither causes a flood nor is caused by one.
_INSTRUMENTS = frozenset(
    stem(word)
    for word in """
    algorithm analysis approach area catchment calibration data dataset estimation evaluation experiment forecast
    framework information map method methodology model parameter prediction product research resolution result
    scenario simulation study survey system technique term tool validation
    """.split()
)


def find_relations(
    terms: Sequence[Term], corpus: Corpus, *, wordnet: WordNet | None = None
) -> tuple[Edge, ...]:
    """All relations between the terms that there is evidence for, the surest first, named by the terms' keys.

    They may contradict each other; whoever builds a hierarchy from them has to choose.
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
            *_of_heads(terms, reading, meanings),
            *_of_findings(terms, findings, features),
            *_of_order(terms, corpus),
        ]
    )


def merged(edges: Iterable[Edge]) -> tuple[Edge, ...]:
    """One edge for each child, parent and relation; what agrees adds up. The surest come first.

    >>> once, other = Edge("rain", "water", Relation.IS_A, "a", 0.5), Edge("rain", "water", Relation.IS_A, "b", 0.5)
    >>> merged([once, other])[0].evidence, merged([once, other])[0].confidence
    ('a; b', 0.75)
    """
    groups: dict[tuple[str, str, Relation], list[Edge]] = {}
    for edge in edges:
        groups.setdefault((edge.child, edge.parent, edge.relation), []).append(edge)
    found = (
        Edge(*key, "; ".join(dict.fromkeys(edge.evidence for edge in group)), _together(group))
        for key, group in groups.items()
    )
    return tuple(sorted(found, key=lambda edge: (-edge.confidence, edge.child, edge.parent, edge.relation)))


def _together(edges: Iterable[Edge]) -> float:
    doubt = 1.0
    for edge in edges:
        doubt *= 1 - edge.confidence
    return round(min(0.99, 1 - doubt), 3)


def _of_wordnet(
    terms: Sequence[Term], meanings: Mapping[int, Synset], reading: Reading, wordnet: WordNet | None
) -> Iterator[Edge]:
    """Synonyms and parts. What the corpus names side by side ("risk and hazard"), it does not take for the same."""
    if wordnet is None:
        return
    for pair in senses.alike(meanings):
        if reading.together[min(pair), max(pair)] < 2:
            more, less = sorted(pair, key=lambda one: (-terms[one].documents.bit_count(), one))
            words_of = ", ".join(meanings[less].words[:4])
            yield Edge(
                terms[less].key, terms[more].key, Relation.SYNONYM, f"WordNet: one meaning ({words_of})", 0.8
            )
    for part, whole in senses.wholes(terms, meanings, wordnet):
        if part != whole:
            said = f"WordNet: part of {terms[whole].label}"
            yield Edge(terms[part].key, terms[whole].key, Relation.PART_OF, said, 0.7)


def _of_heads(terms: Sequence[Term], reading: Reading, meanings: Mapping[int, Synset]) -> Iterator[Edge]:
    """What a compound says about the term that stands before its head: flood risk is an attribute of the flood."""
    position = {term.key: at for at, term in enumerate(terms)}
    causes = {finding.parent for finding in reading.findings if finding.relation is Relation.INDUCE}
    events = {at for at, synset in meanings.items() if synset.kind in ("event", "phenomenon")}
    for term in terms:
        for head, owner in _owners(term, terms, position):
            relation, said, confidence = _role(head, terms[owner], reading.aspects[stem(head), owner])
            if relation in (Relation.INDUCE, Relation.SYNONYM) and owner not in causes | events:
                relation, said, confidence = Relation.RELATED, f"speaks of {terms[owner].label}", 0.5
            yield Edge(term.key, terms[owner].key, relation, said, confidence)


def _owners(term: Term, terms: Sequence[Term], position: Mapping[str, int]) -> Iterator[tuple[str, int]]:
    """The head of a compound and the one term that it says something about, if there is one."""
    if term.language == "zh":
        yield from _chinese_owners(term, terms)
    compound = apart(term.label, term.language) if term.language == "en" else None
    if compound is None:
        return
    for phrase in phrases_before_head((*compound.modifiers, compound.head)):
        owner = position.get(" ".join(map(stem, phrase)))
        if owner is not None and not looks_like_adjective(phrase[-1]):
            yield compound.head, owner
            return


def _chinese_owners(term: Term, terms: Sequence[Term]) -> Iterator[tuple[str, int]]:
    """The longest term that a Chinese compound begins with, and what is left of the compound as its head."""
    begins = [
        at
        for at, other in enumerate(terms)
        if other.language == "zh" and term.label.startswith(other.label) and len(other.label) < len(term.label) - 1
    ]
    if begins:
        longest = max(begins, key=lambda at: len(terms[at].label))
        yield term.label.removeprefix(terms[longest].label), longest


def _role(head: str, owner: Term, aspects: int) -> tuple[Relation, str, float]:
    """How a compound hangs on the term before its head, why, and how surely."""
    if is_light(head, owner.language):
        return Relation.SYNONYM, f"head noun: {head} adds nothing to {owner.label}", 0.7
    relation = role_of_head(head, owner.language)
    if relation is Relation.ATTRIBUTE_OF:
        return relation, f"head noun: {head} is an attribute of {owner.label}", 0.8
    if relation is Relation.INDUCE:
        return relation, f"head noun: {head} is what {owner.label} does", 0.7
    if relation is Relation.PART_OF:
        return relation, f"head noun: {head} is a part of {owner.label}", 0.7
    if aspects:
        return Relation.ATTRIBUTE_OF, f"the corpus speaks of the {head} of {owner.label} ({aspects})", 0.6
    return Relation.RELATED, f"speaks of {owner.label}", 0.5


def _of_findings(terms: Sequence[Term], findings: Sequence[Finding], features: Features) -> Iterator[Edge]:
    """What the sentences say, each document counted once, where it can be true."""
    groups: dict[tuple[int, int, Relation], dict[int, Finding]] = {}
    for finding in findings:
        group = groups.setdefault((finding.child, finding.parent, finding.relation), {})
        group.setdefault(finding.document, finding)
    for (child, parent, relation), group in groups.items():
        doubt = 1.0
        for finding in group.values():
            doubt *= 1 - finding.trust
        if 1 - doubt >= LEAST_TRUST[relation] and _may_be(terms, child, parent, relation, features):
            said = next(iter(group.values())).said
            quote = said.format(child=terms[child].label, parent=terms[parent].label)
            times = f" ({len(group)} documents)" if len(group) > 1 else ""
            yield Edge(terms[child].key, terms[parent].key, relation, f'the corpus says "{quote}"{times}', min(0.9, 1 - doubt))


def _may_be(terms: Sequence[Term], child: int, parent: int, relation: Relation, features: Features) -> bool:
    """Whether a sentence may be believed, seeing what the two terms are."""
    heads = [_head(terms[at]) for at in (child, parent)]
    languages = [terms[at].language for at in (child, parent)]
    attributes = [is_attribute(head, language) for head, language in zip(heads, languages, strict=True)]
    above, below = features[parent] <= features[child], features[child] <= features[parent]
    if relation is Relation.IS_A:
        return not below and attributes[0] == attributes[1] and stem(heads[1]) not in _ROLES
    if relation is Relation.INDUCE:
        generic = any(stem(head) in _INSTRUMENTS for head in heads)
        return not (above or below or generic or any(attributes))
    if relation is Relation.PART_OF:
        return not (above or below)
    return True


def _head(term: Term) -> str:
    compound = apart(term.label, term.language) if term.language == "en" else None
    return compound.head if compound else term.label


def _of_order(terms: Sequence[Term], corpus: Corpus) -> Iterator[Edge]:
    """Terms whose documents nearly all contain another, rarer than everywhere: they belong together, no more."""
    documents = len(corpus.documents)
    postings = {term.key: list(bits(term.documents)) for term in terms}
    context = Context.of_postings([str(number) for number in range(documents)], postings)
    for edge in attribute_order(context, confidence=0.8).edges:
        expected = len(postings[edge.parent]) / documents
        if edge.confidence >= 1.5 * expected:
            own = len(postings[edge.child])
            said = f"{round(edge.confidence * own)} of its {own} documents have it too"
            yield Edge(edge.child, edge.parent, Relation.RELATED, said, round(0.3 * edge.confidence, 3))
