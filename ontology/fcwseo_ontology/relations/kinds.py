"""Which terms are kinds of others, read off a formal context of terms and features.

The features of a term are its head noun, the words that narrow it, and what WordNet puts above it. A term
that has all features of another and more is a kind of it: an "urban flash flood" is a "flash flood" and an
"urban flood". P. Cimiano, A. Hotho, S. Staab, Learning concept hierarchies from text corpora using formal
concept analysis, JAIR 24 (2005).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from fcwseo_ontology.corpus.documents import Corpus
from fcwseo_ontology.corpus.tokens import stem, words
from fcwseo_ontology.corpus.wordlists import is_listed
from fcwseo_ontology.fca.context import Context
from fcwseo_ontology.fca.lattice import Parents, attribute_order
from fcwseo_ontology.model import Edge, Relation
from fcwseo_ontology.relations.heads import apart, chinese_kinds, kind
from fcwseo_ontology.relations.senses import contradicts_head
from fcwseo_ontology.relations.wordnet import WordNet
from fcwseo_ontology.terms.extract import Term

Features = Sequence[frozenset[str]]
Hypernyms = Mapping[int, Mapping[int, int]]


def features_of(
    terms: Sequence[Term], corpus: Corpus, *, above: Hypernyms, wordnet: WordNet | None = None
) -> Features:
    """The features of each term; ``above`` holds its hypernyms in WordNet as ``{child: {parent: steps}}``."""
    pairs = _pairs(terms, corpus)
    own = [_own_features(term, terms, pairs, wordnet) for term in terms]
    alone = {some[0]: position for position, some in enumerate(own) if len(some) == 1}
    found = [set(some) for some in own]
    parents = [
        [*above.get(position, ()), *(alone[one] for one in some if one in alone)]
        for position, some in enumerate(own)
    ]
    grown = True
    while grown:
        before = sum(map(len, found))
        for some, higher in zip(found, parents, strict=True):
            some.update(*(found[parent] for parent in higher))
        grown = sum(map(len, found)) > before
    return [frozenset(some) for some in found]


def kinds(terms: Sequence[Term], features: Features, above: Hypernyms) -> Iterator[Edge]:
    """The is-a edges of the context, without those that follow from others; a region is a part instead."""
    having: dict[str, list[str]] = {}
    for term, some in zip(terms, features, strict=True):
        for one in sorted(some):
            having.setdefault(one, []).append(term.key)
    # The order of columns puts fewer features below more, and fewer features are the wider notion.
    context = Context.of(having, attributes=[term.key for term in terms])
    order = attribute_order(context, parents=Parents.ALL)
    same = {group[0]: group for group in order.equal}
    position = {term.key: at for at, term in enumerate(terms)}
    for edge in order.edges:
        for narrow in same.get(edge.parent, (edge.parent,)):
            found = _edge(terms, position[narrow], position[edge.child], above)
            if found is not None:
                yield found


def shown_like_heads(terms: Sequence[Term]) -> list[Term]:
    """The terms, compounds in the form of the head that is a term too: "hydraulic model" beside "model".

    A stem joins "hydraulic modelling" with "hydraulic model"; a model it is only in the second form.
    """
    heads = {term.key: term for term in terms}
    shown = []
    for term in terms:
        narrowed = kind(term.label) if term.language == "en" else None
        head = heads.get(narrowed[0]) if narrowed else None
        form = _form_of_head(term, head) if head else None
        forms = tuple(dict.fromkeys((term.label, *term.variants)))
        shown.append(replace(term, label=form, variants=forms) if form else term)
    return shown


def _own_features(
    term: Term, terms: Sequence[Term], pairs: frozenset[str], wordnet: WordNet | None
) -> tuple[str, ...]:
    """What the words of a term say. A compound that is not what its head says has itself as only feature."""
    if term.language == "zh":
        known = [other.label for other in terms if other.language == "zh"]
        return (f"is {term.label}", *(f"is {head}" for head in chinese_kinds(term.label, known)))
    narrowed = kind(term.label) if term.language == "en" and term.key not in pairs else None
    if narrowed is None or (wordnet and contradicts_head(term.label, words(term.label)[-1], wordnet)):
        return (f"is {term.key}",)
    head, modifiers = narrowed
    return (f"is {head}", *(f"with {word}" for word in modifiers))


def _pairs(terms: Sequence[Term], corpus: Corpus) -> frozenset[str]:
    """Terms that only name two others, mostly with a dash between: "rainfall-runoff" is no runoff."""
    keys = {term.key for term in terms}
    text = "\n".join(f"{document.title}\n{document.text}" for document in corpus.documents).casefold()
    found = set()
    for term in terms:
        parts = words(term.label, term.language)
        if term.language == "en" and len(parts) == 2 and all(stem(part) in keys for part in parts):
            first, second = map(re.escape, parts)
            dashed = len(re.findall(rf"\b{first}[-/\u2010-\u2014]{second}\b", text))
            if dashed > len(re.findall(rf"\b{first}\s{second}\b", text)):
                found.add(term.key)
    return frozenset(found)


def _edge(terms: Sequence[Term], narrow: int, wide: int, above: Hypernyms) -> Edge | None:
    """The edge with its reason; none when the heads share a stem but no form ("clustering", "cluster")."""
    child, parent = terms[narrow], terms[wide]
    if parent.label.istitle() and any(is_listed(word, "directions") for word in words(child.label)):
        return Edge(child.key, parent.key, Relation.PART_OF, f"a region of {parent.label}", 0.8)
    steps = above.get(narrow, {}).get(wide)
    if steps is not None:
        said, confidence = f"WordNet: a kind of {parent.label}", 0.9 - 0.1 * steps
    elif not set(parent.key.split()) <= set(child.key.split()) and child.language != "zh":
        said, confidence = f"head noun and WordNet: a kind of {parent.label}", 0.7
    else:
        form = _form_of_head(child, parent)
        if form is None:
            return None
        named = "" if form == child.label else f"{form} is "
        said, confidence = f"head noun: {named}a kind of {parent.label}", 0.9
        if not child.key.endswith(parent.key):
            said, confidence = f"same head noun: {named}a kind of {parent.label}", 0.85
    return Edge(child.key, parent.key, Relation.IS_A, said, confidence)


def _form_of_head(child: Term, parent: Term) -> str | None:
    """The form of the child, its label if possible, whose head is also a head of the parent."""
    if child.language == "zh":
        return child.label
    heads = {_head(form) for form in (parent.label, *parent.variants)}
    own = _head(parent.label)
    forms = (child.label, *child.variants)
    exact = (form for form in forms if _head(form) == own)
    return next(exact, next((form for form in forms if _head(form) in heads), None))


def _head(form: str) -> str:
    """The head of a compound in the singular, as far as that is plain to see."""
    compound = apart(form)
    head = compound.head if compound else form.casefold()
    return head.removesuffix("s") if not head.endswith("ss") else head
