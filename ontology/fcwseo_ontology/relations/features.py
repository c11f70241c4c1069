"""What a term is said to be: by its head noun, by the sentences of the corpus, and by WordNet.

These are the attributes of the formal context from which the hierarchy is made. P. Cimiano, A. Hotho, S.
Staab, Learning concept hierarchies from text corpora using formal concept analysis, JAIR 24 (2005), took the
verbs beside a term; a corpus of some hundred documents is too small for that. M. Hearst, Automatic
acquisition of hyponyms from large text corpora, COLING 1992, for the sentences.
"""

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from fcwseo_ontology.corpus.background import Kind, background_of_terms
from fcwseo_ontology.corpus.documents import Corpus
from fcwseo_ontology.corpus.tokens import WORD, normal, stem, words
from fcwseo_ontology.corpus.wordlists import is_listed, plain_words
from fcwseo_ontology.model import Relation
from fcwseo_ontology.relations.heads import apart, chinese_kinds, heads_of
from fcwseo_ontology.relations.patterns import tokenised
from fcwseo_ontology.relations.senses import (
    choose_senses,
    contradicts_head,
    hypernyms,
    is_common,
    is_doing,
    name_of,
    other_being,
    same_kind,
)
from fcwseo_ontology.relations.statements import UNINFLECTED, Decisions, Names, Source, Statement, is_name
from fcwseo_ontology.relations.wordnet import Synset, WordNet
from fcwseo_ontology.terms.extract import Term
from fcwseo_ontology.terms.reading import SentencePair

HEAD, SAME_HEAD, HYPERNYM = 0.9, 0.85, 0.9
DOUBTFUL = 0.25
DASHES = "-/\u2010\u2011\u2012\u2013\u2014"
KINDS = 3  # of a thing, that a corpus names before the thing is a class of its own
STEP = 0.1  # less trust for each step upwards in WordNet
LONGEST_QUOTE = 160  # characters of a sentence


@dataclass(frozen=True, slots=True)
class Sayings:
    """What is said of the terms and of what they are said to be; ``meanings`` are by position."""

    statements: tuple[Statement, ...]
    names: Names
    meanings: Mapping[int, Synset]


def said_of(
    terms: Sequence[Term],
    pairs: Iterable[SentencePair],
    corpus: Corpus,
    wordnet: WordNet | None,
    *,
    keyness: Mapping[str, float],
) -> Sayings:
    """All that heads, sentences and WordNet say is what; ``keyness`` is that of English stems."""
    names = Names(terms, wordnet)
    together = named_together(terms, corpus)
    found = list(of_heads([term for term in terms if term.key not in together], names, wordnet))
    found += of_sentences(pairs, names, wordnet)
    others = {node: label for node, label in names.labels.items() if not names.is_term(node)}
    for node, label in others.items():
        found += _of_phrase(node, label, names, wordnet)
    if wordnet is None:
        return Sayings(tuple(found), names, {})
    added = (one for one in names.labels.items() if not names.is_term(one[0]))
    nodes = [*terms, *(Term(label, node, (), "en", 0, 0.0) for node, label in added)]
    meanings = choose_senses(nodes, wordnet, keyness)
    found += of_wordnet(nodes, names, wordnet, meanings)
    return Sayings(tuple(found), names, {at: one for at, one in meanings.items() if at < len(terms)})


def as_decided(statements: Iterable[Statement], decided: Decisions) -> list[Statement]:
    """The statements on kinds and synonyms with an expert's put in and taken out."""
    own = []
    for (child, parent, relation), keep in decided.items():
        both = [(child, parent)] + ([(parent, child)] if relation is Relation.SYNONYM else [])
        if keep and relation in (Relation.IS_A, Relation.SYNONYM):
            own += [Statement(*pair, 1.0, Source.EXPERT, "decided by an expert") for pair in both]
    dropped = {(one[0], one[1]) for one, keep in decided.items() if not keep and one[2] is Relation.IS_A}
    apart = {one[:2] for one, keep in decided.items() if not keep and one[2] is Relation.SYNONYM}
    dropped |= apart | {(parent, child) for child, parent in apart}
    return [*own, *(one for one in statements if (one.child, one.parent) not in dropped)]


def named_together(terms: Sequence[Term], corpus: Corpus) -> frozenset[str]:
    """Terms that only name two others, mostly with a dash between: "rainfall-runoff" is no runoff."""
    keys = {term.key for term in terms}
    text = "\n".join(f"{document.title}\n{document.text}" for document in corpus.documents).casefold()
    found = set()
    for term in terms:
        parts = words(term.label, term.language)
        two = term.language == "en" and len(parts) == 2 and all(stem(part) in keys for part in parts)
        if two and any(dash.join(parts) in text for dash in DASHES):
            first, second = map(re.escape, parts)
            dashed = len(re.findall(rf"\b{first}[{DASHES}]{second}\b", text))
            if dashed > len(re.findall(rf"\b{first}\s{second}\b", text)):
                found.add(term.key)
    return frozenset(found)


def whole_phrases(
    nodes: Iterable[str], corpus: Corpus, *, known: Container[str] = frozenset()
) -> frozenset[str]:
    """The nodes that the corpus uses as names: of several words by themselves, of one with others before.

    "Detection system" begins a phrase after a full stop or "the"; "series forecasting" is always part of
    another name. For "system" speak other systems, of three kinds or more. What is ``known`` as a name may
    stand anywhere. All in two documents or more.
    """
    pattern = {node: [stem(word) for word in node.removeprefix("~").split()] for node in nodes}
    starts: dict[str, list[str]] = {}
    for node, parts in pattern.items():
        starts.setdefault(parts[0], []).append(node)
    found: Counter[tuple[str, str]] = Counter()
    for document in corpus.documents:
        tokens = ["", *tokenised(f"{document.title}. {document.text}")]
        stems = ["", *map(stem, tokens[1:])]
        here = set()
        for at in range(1, len(tokens)):
            for node in starts.get(stems[at], ()):
                before, parts = tokens[at - 1], pattern[node]
                if node in known or _begins(before):
                    here.update([(node, "")] if stems[at : at + len(parts)] == parts else [])
                elif len(parts) == 1:
                    here.add((node, stems[at - 1]))
        found.update(here)
    often = Counter(node for (node, before), count in found.items() if count > 1 and before)
    alone = {node for (node, before), count in found.items() if count > 1 and not before}
    return frozenset(
        node
        for node, parts in pattern.items()
        if (often[node] >= KINDS if len(parts) == 1 and node not in known else node in alone)
    )


def exemplified(pairs: Iterable[SentencePair], names: Names) -> frozenset[str]:
    """The nodes that sentences call two things, terms or not: "parasites such as mites and lice"."""
    kinds: dict[str, set[str]] = {}
    for pair in pairs:
        parent = _telling(normal(pair.parent.text))
        if parent:
            kinds.setdefault(names.find(parent), set()).add(pair.child.key)
    return frozenset(node for node, children in kinds.items() if len(children) > 1)


def _begins(before: str) -> bool:
    """Whether a word after this one begins a phrase."""
    return (
        not before
        or not before[0].isalnum()
        or before in plain_words("determiners")
        or before in plain_words("ends")
    )


def of_heads(terms: Sequence[Term], names: Names, wordnet: WordNet | None) -> Iterator[Statement]:
    """A compound is what its head is: a "flash flood" is a flood. For regions see ``regions``."""
    chinese = {term.label: term.key for term in terms if term.language == "zh"}
    for term in terms:
        if term.language == "zh":
            for head in chinese_kinds(term.label, chinese):
                yield Statement(term.key, chinese[head], HEAD, Source.HEAD, f"head noun: a kind of {head}")
        elif term.language == "en":
            yield from _of_apposition(term, names, wordnet)
            yield from _of_phrase(term.key, _form(term, names), names, wordnet)
    yield from _of_same_heads(terms)


def _of_phrase(node: str, text: str, names: Names, wordnet: WordNet | None) -> Iterator[Statement]:
    """A statement from each head to the next shorter one, until WordNet denies it.

    A search engine is no engine there.
    """
    below, label, words_of = node, text, WORD.findall(normal(text))
    for head in () if _is_region(text) else heads_of(text):
        if wordnet is not None and contradicts_head(label, head[-1], wordnet):
            return
        if is_name(head[-1]):
            before = words_of[: -len(head)]
            if len(before) > 1 and "".join(before).islower() and names.is_term(names.find(before)):
                return  # tropical storm Ana is no kind of Ana
            if wordnet is not None and any(one.linked("@i") for one in wordnet.synsets(" ".join(head))[:1]):
                return  # champion Rod Laver
            if wordnet is None or not is_common(head[-1], wordnet):
                return  # GNU Emacs is no kind of Emacs
            head = (*head[:-1], head[-1] if names.is_proper(names.find(head)) else head[-1].lower())
        if len(head) == 1 and not names.is_term(names.find(head)) and is_doing(head[0], wordnet):
            return
        above = names.of(head)
        named = "" if label == names.labels.get(below) else f"{label} is "
        yield Statement(below, above, HEAD, Source.HEAD, f"head noun: {named}a kind of {names.labels[above]}")
        below, label = above, " ".join(head)


def _of_apposition(term: Term, names: Names, wordnet: WordNet | None) -> Iterator[Statement]:
    """What stands before a name says what bears it: "hurricane Ivan" is a hurricane."""
    *before, last = WORD.findall(normal(term.label)) or [""]
    if wordnet is None or not before or not all(word.islower() for word in before):
        return
    bearer = names.singular(before[-1]) == before[-1] and bool(wordnet.synsets(before[-1]))
    known = len(before) > 1 and names.is_term(names.find(before))
    if bearer and is_name(last) and (known or not is_common(last, wordnet)):
        said = f"named after what it is: {' '.join(before)}"
        yield Statement(term.key, names.of(before), HEAD, Source.HEAD, said)


def _form(term: Term, names: Names) -> str:
    """The form of a term whose head is a term too, its label if possible."""
    forms = (term.label, *term.variants)
    return next(
        (form for form in forms for head in heads_of(form)[-1:] if names.is_term(names.find(head))),
        term.label,
    )


def _of_same_heads(terms: Sequence[Term]) -> Iterator[Statement]:
    """An "urban flash flood" is an "urban flood": less narrow, the same head."""
    compounds = [
        (term, compound) for term in terms if term.language == "en" and (compound := apart(term.label))
    ]
    by_head: dict[str, list[tuple[Term, list[str]]]] = {}
    for term, compound in compounds:
        if compound.modifiers and heads_of(term.label):
            by_head.setdefault(compound.head, []).append((term, [stem(word) for word in compound.modifiers]))
    for group in by_head.values():
        for narrow, more in group:
            for wide, less in group:
                if len(less) < len(more) and more[-len(less) :] != less and _in_order(less, more):
                    said = f"same head noun: a kind of {wide.label}"
                    yield Statement(narrow.key, wide.key, SAME_HEAD, Source.HEAD, said)


def _in_order(some: Sequence[str], many: Sequence[str]) -> bool:
    left = iter(many)
    return all(word in left for word in some)


def regions(terms: Sequence[Term], names: Names) -> Iterator[tuple[str, str]]:
    """The keys of a region and of what it is a part of: southern Italy, Italy."""
    for term in terms:
        if term.language == "en" and _is_region(term.label):
            whole = names.find(WORD.findall(normal(term.label))[1:])
            if names.is_term(whole):
                yield term.key, whole


def _is_region(label: str) -> bool:
    """Whether a name is that of a part of a country: it says where, and goes on with a capital letter."""
    first, *rest = WORD.findall(normal(label)) or [""]
    return bool(rest) and is_listed(first, "directions") and rest[0].istitle()


def of_sentences(pairs: Iterable[SentencePair], names: Names, wordnet: WordNet | None) -> Iterator[Statement]:
    """What sentences call a kind of what, where the child is known and both may be things of one kind."""
    for pair in pairs:
        child, parent = (
            WORD.findall(normal(pair.child.text)),
            _telling(normal(pair.parent.text)),
        )
        below = names.find(child) if child else ""
        if parent and names.is_term(below) and _may_be(child, parent, wordnet):
            above = names.of(parent, normal(pair.parent.text))
            said = f"sentences say: {_spoken(pair)}"
            yield Statement(below, above, _trust(pair, names), Source.SENTENCES, said, pair.document)


def _telling(text: str) -> Sequence[str]:
    """The words of a phrase without leading ones that do not tell the kind: "important natural hazards".

    Of "third-party software" all tell it, since a compound with a hyphen is one word.
    """
    phrase = WORD.findall(text)
    kinds = background_of_terms("en").kinds
    for at, word in enumerate(phrase):
        lower = word.lower()
        if f"{word}-" in text:
            return phrase[at:]
        judging = is_listed(lower, "judging") or (lower.endswith("est") and at < len(phrase) - 1)
        if not judging and kinds.get(lower) not in (Kind.GENERIC, Kind.STOP):
            return phrase[at:]
    return ()


def _may_be(child: Sequence[str], parent: Sequence[str], wordnet: WordNet | None) -> bool:
    """Whether a sentence may be believed, seeing the heads: a part that something plays is no kind."""
    below, above = child[-1], parent[-1].lower()
    if is_listed(above, "roles") or is_listed(above, "attributes") != is_listed(below, "attributes"):
        return False
    if _is_clause(child, wordnet) or "using" in parent:
        return False
    if is_doing(above, wordnet) and not below.endswith("ing"):
        return False
    return wordnet is None or (same_kind(below, above, wordnet) and not other_being(below, above, wordnet))


def _is_clause(phrase: Sequence[str], wordnet: WordNet | None) -> bool:
    """Whether a phrase begins with a verb and goes on: "prepending titles", and not "operating systems"."""
    first = phrase[0].lower()
    return len(phrase) > 1 and first.endswith("ing") and not (wordnet and wordnet.synsets(first))


def _trust(pair: SentencePair, names: Names) -> float:
    """Less trust where the parent may not be what has examples.

    They may belong to an earlier word: "means to stop attacks, such as walls", "ways of defence, such as
    walls". After one thing often come its parts: "a dataset including timestamps". In the past stands what a
    thing once was, unless it has a name.
    """
    parent, head = re.escape(pair.parent.text), pair.parent.head
    earlier = re.search(rf"\b(?:to \w+|\w+ing)(?: \w+)? {parent}\s*,\s*(?:such|includ|e\.)", pair.quote)
    of = re.search(rf"\b(?:{_OF})(?: [\w-]+){{0,2}} {parent}\s*,\s*(?:such|includ|e\.)", pair.quote)
    single = re.match(_PARENT_FIRST, pair.cue) and names.singular(head) == head and head not in UNINFLECTED
    one = single and re.search(rf"\b(?:{_ONE})(?: [\w-]+)? {parent}\b", pair.quote, re.IGNORECASE)
    past = pair.cue.startswith(("was", "were")) and pair.child.text.islower()
    return pair.trust - (DOUBTFUL if earlier or of or one or past else 0.0)


_OF = "about|against|at|between|by|for|from|have|has|in|into|of|on|through|to|using|with"
_ONE = "an?|the|this|that|each|every|one|its|our|their"


def _spoken(pair: SentencePair) -> str:
    """The pair in the order of the sentence, and the beginning of that."""
    first, then = pair.child.text, pair.parent.text
    if re.match(_PARENT_FIRST, pair.cue):
        first, then = then, first
    quote = (
        pair.quote
        if len(pair.quote) <= LONGEST_QUOTE
        else pair.quote[:LONGEST_QUOTE].rsplit(" ", 1)[0] + " ..."
    )
    return f"{first} {pair.cue} {then} (\u201c{quote}\u201d)"


_PARENT_FIRST = "such|includ|namely|especially|particularly|notably"


def of_wordnet(
    nodes: Sequence[Term], names: Names, wordnet: WordNet, senses: Mapping[int, Synset]
) -> Iterator[Statement]:
    """What WordNet puts above the chosen meaning of each node, and above what it puts there.

    What is above a term becomes a node, unless its word is known in another meaning. What is above others
    does not: what a head may mean is no reason for another class. A meaning may be more general than others
    if its commonest word is the label of a term.
    """
    meant: dict[int, str] = {}
    for position, synset in senses.items():
        meant.setdefault(synset.id, nodes[position].key)
    open_to = names.labels.keys() - {nodes[position].key for position in senses}
    terms = {
        synset.id
        for position, synset in senses.items()
        if names.is_term(nodes[position].key) and names.find(synset.words[0].split()) == nodes[position].key
    }
    queue = [(nodes[position].key, synset) for position, synset in senses.items()]
    for node, synset in queue:
        for above, steps in hypernyms(synset, wordnet, terms):
            new = above.id not in meant and names.is_term(node)
            word = name_of(above, wordnet).split() if new else ()
            if word and ((named := names.find(word)) not in names.labels or named in open_to):
                meant[above.id] = names.of(word)
                open_to = open_to - {meant[above.id]}
                queue.append((meant[above.id], above))
            if (kind := meant.get(above.id)) is not None:
                said = f"WordNet: a kind of {names.labels[kind]}"
                yield Statement(node, kind, max(HYPERNYM - STEP * steps, 0.6), Source.WORDNET, said)
