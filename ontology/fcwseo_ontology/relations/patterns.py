"""What the English sentences of a corpus say about its terms, beside what is a kind of what.

R. Girju, Automatic detection of causal relations for question answering, ACL 2003, for causal verbs. A
pattern counts only where a term is the head of its phrase: "caused by flood defence failures" speaks of
failures.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from fcwseo_ontology.corpus.documents import Corpus, Document
from fcwseo_ontology.corpus.tokens import stem, words
from fcwseo_ontology.corpus.wordlists import is_listed, plain_words, tables
from fcwseo_ontology.model import Relation
from fcwseo_ontology.terms.extract import Term

_SEPARATORS = (",", "and", "or", "/")
_STOPS = (".", ";", ":", "(", ")", "[", "]")
_LONGEST_PHRASE = 6
# So many sentences define what a glossary entry is about; later ones may speak of other things.
_DEFINING = 3


@dataclass(frozen=True, slots=True)
class Finding:
    """A place that states a relation; ``child`` and ``parent`` are positions in the list of terms.

    ``said`` is what stands there, with the terms left open: "{parent} such as {child}".
    """

    child: int
    parent: int
    relation: Relation
    trust: float
    said: str
    document: int


@dataclass(frozen=True, slots=True)
class Cue:
    """Words between two terms. ``child_left``: the term on the left hangs on the term on the right."""

    text: tuple[str, ...]
    relation: Relation
    child_left: bool
    trust: float

    @property
    def said(self) -> str:
        left, right = ("{child}", "{parent}") if self.child_left else ("{parent}", "{child}")
        return f"{left} {' '.join(self.text).replace('~', '')} {right}"


@cache
def _cues() -> dict[str, tuple[Cue, ...]]:
    """The cues by their first words, the longest first."""
    found: dict[str, list[Cue]] = {}
    for group in tables("en")["cues"]:
        for phrase in group["phrases"]:
            text = tuple(phrase.split())
            cue = Cue(text, Relation(group["relation"]), group["child"] == "left", group["trust"])
            found.setdefault(text[0], []).append(cue)
    return {first: tuple(sorted(some, key=lambda cue: -len(cue.text))) for first, some in found.items()}


class Lexicon:
    """The English terms by the stems of all their variants; a text is read with the longest match first."""

    def __init__(self, terms: Iterable[Term]) -> None:
        self._terms: dict[tuple[str, ...], int] = {}
        for position, term in enumerate(terms):
            for variant in (term.label, *term.variants) if term.language == "en" else ():
                self._terms.setdefault(tuple(map(stem, words(variant))), position)
        self._terms.pop((), None)
        self._longest = max(map(len, self._terms), default=0)

    def whole(self, text: str) -> int | None:
        """The term that a text is, but for what stands in brackets: the title of a glossary entry is one."""
        return self._terms.get(tuple(map(stem, words(re.sub(r"\(.*?\)", " ", text)))))

    def mentions(self, stems: Sequence[str]) -> Iterator["Mention"]:
        at = 0
        while at < len(stems):
            for length in range(min(self._longest, len(stems) - at), 0, -1):
                term = self._terms.get(tuple(stems[at : at + length]))
                if term is not None:
                    yield Mention(at, at + length, term)
                    at += length
                    break
            else:
                at += 1


@dataclass(frozen=True, slots=True)
class Mention:
    """A term in a sentence: the tokens from ``start`` to before ``end``."""

    start: int
    end: int
    term: int


class Sentence:
    """The tokens of one sentence, punctuation included, and the terms that stand in it.

    ``subject`` is the term that the document is about when it is an entry of a glossary.
    """

    def __init__(self, tokens: Sequence[str], lexicon: Lexicon, subject: int | None = None) -> None:
        self.tokens = tokens
        self.subject = subject
        self.stems = [stem(token) for token in tokens]
        self.mentions = list(lexicon.mentions(self.stems))
        self.ends = {mention.end: mention for mention in self.mentions}

    def before(self, at: int) -> Mention | None:
        """The term whose phrase ends at ``at``, but for helping words between."""
        while at > 0 and at not in self.ends and _may_stand_between(self.tokens[at - 1]):
            at -= 1
        return self.ends.get(at)

    def list_after(self, at: int) -> list[Mention]:
        """The terms of an enumeration that begins at ``at``, each the head of its phrase and no amount."""
        ends = ((start, self.ends.get(end)) for start, end in self._phrases(at))
        found = (mention for start, mention in ends if mention is not None and mention.start >= start)
        return [mention for mention in found if not self.tokens[mention.start - 1][0].isdigit()]

    def examples_after(self, at: int) -> list[Mention]:
        """The same with examples: the storms of "various factors, including storms"."""
        last = max((end for _, end in self._phrases(at)), default=at)
        while last < len(self.tokens) and self.tokens[last] in (",", "including", "such", "as"):
            last += 1
        more = self.list_after(last) if self.tokens[last - 1] in ("including", "as") else []
        return self.list_after(at) + more

    def _phrases(self, start: int) -> Iterator[tuple[int, int]]:
        """The phrases of an enumeration, from one separator to the next."""
        tokens = self.tokens
        while start < len(tokens):
            while start < len(tokens) and tokens[start] in _SEPARATORS:
                start += 1
            end = start
            while end < len(tokens) and tokens[end] not in _SEPARATORS and not _ends_phrase(tokens[end]):
                end += 1
            if end == start or end - start > _LONGEST_PHRASE:
                return
            yield start, end
            if end >= len(tokens) or _ends_phrase(tokens[end]):
                return
            start = end

    def owner(self, at: int) -> int | None:
        """The term after an "of" that stands at ``at``."""
        if self.tokens[at : at + 1] != ["of"]:
            return None
        return next((one.term for one in self.list_after(at + 1)[:1] if one.start <= at + 3), None)

    def _start_of_phrase(self, mention: Mention) -> int:
        at = mention.start
        while at > 0 and mention.start - at < _LONGEST_PHRASE and _goes_on(self.tokens[at - 1]):
            at -= 1
        return at

    def owned(self, mention: Mention) -> bool:
        """Whether the term only completes another word: the river in "flooding of the wild river"."""
        at = self._start_of_phrase(mention)
        return at > 0 and self.tokens[at - 1] in plain_words("owning")

    def not_a_place(self, mention: Mention) -> Mention | None:
        """The term, or, when it only says where, the term before: the floods of "floods in the river"."""
        at = self._start_of_phrase(mention)
        if at > 0 and self.tokens[at - 1] in plain_words("places"):
            return self.ends.get(at - 1)
        return mention

    def not_light(self, mention: Mention) -> Mention | None:
        """The rainfall of "rainfall events"; nothing for events alone."""
        if mention.end - mention.start > 1 or not is_listed(self.tokens[mention.start], "light"):
            return mention
        return self.ends.get(mention.start)

    def plural(self, mention: Mention) -> bool:
        word = self.tokens[mention.end - 1]
        return word.endswith("s") and not word.endswith("ss")


def _goes_on(token: str) -> bool:
    return token in plain_words("determiners") or not (token in _SEPARATORS or _ends_phrase(token))


def _may_stand_between(token: str) -> bool:
    return token in plain_words("between") or token in (",", "(", ")")


def _ends_phrase(token: str) -> bool:
    return token in _STOPS or token in plain_words("ends")


@dataclass(frozen=True, slots=True)
class Findings:
    """All that the sentences say.

    ``together`` counts pairs named side by side ("A and B"), the smaller position first; ``aspects`` counts,
    for pairs of a stem and a term, how often the one is named "of" the other ("forecasting of floods").
    """

    all: tuple[Finding, ...]
    together: Counter[tuple[int, int]]
    aspects: Counter[tuple[str, int]]


def read_sentences(terms: Sequence[Term], corpus: Corpus) -> Findings:
    """What the English documents of the corpus state about the terms, in the order of the documents."""
    lexicon = Lexicon(terms)
    findings: list[Finding] = []
    together: Counter[tuple[int, int]] = Counter()
    aspects: Counter[tuple[str, int]] = Counter()
    for number, document in enumerate(corpus.documents):
        for sentence in _sentences(document, lexicon) if document.language == "en" else ():
            findings.extend(_in_sentence(sentence, number))
            together.update(_side_by_side(sentence))
            aspects.update(_aspects(sentence))
    return Findings(tuple(findings), together, aspects)


def mentioned(terms: Sequence[Term], corpus: Corpus) -> list[list[int]]:
    """For each document the terms that it names, in order."""
    lexicon = Lexicon(terms)
    return [
        list(
            dict.fromkeys(one.term for sentence in _sentences(document, lexicon) for one in sentence.mentions)
        )
        for document in corpus.documents
    ]


def _sentences(document: Document, lexicon: Lexicon) -> Iterator[Sentence]:
    subject = lexicon.whole(document.title)
    texts = (document.title, *re.split(r"(?<=[.!?])\s+(?=[^a-z])|[;\n]", document.text))
    for number, text in enumerate(texts):
        yield Sentence(tokenised(text), lexicon, subject if number <= _DEFINING else None)


def tokenised(text: str) -> list[str]:
    """Lower-case words and punctuation; hyphens part words, and are kept where they turn a verb around.

    >>> tokenised("Flood-triggering storms (e.g., gales) in Italy")
    ['flood', '~triggering', 'storms', '(', 'such', 'as', 'gales', ')', 'in', 'italy']
    """
    spelt = re.sub(r"\be\.\s?g\.,?", " such as ", text.casefold())
    turned = re.sub(r"[-\u2010-\u2013](trigger|induc|produc|generat|caus)(ing|ed)\b", r" ~\1\2", spelt)
    return re.findall(r"~?[^\W_]+(?:['\u2019][^\W_]+)?|[.,;:()\[\]/]", turned)


def _in_sentence(sentence: Sentence, document: int) -> Iterator[Finding]:
    taken = 0
    cues = _cues()
    for at, token in enumerate(sentence.tokens):
        for cue in cues.get(token, ()) if at >= taken else ():
            if tuple(sentence.tokens[at : at + len(cue.text)]) == cue.text:
                taken = at + len(cue.text)
                yield from _around(sentence, cue, at, document)
                break
    yield from _owned(sentence, document)
    yield from _abbreviations(sentence, document)


def _around(sentence: Sentence, cue: Cue, at: int, document: int) -> Iterator[Finding]:
    """What a cue at ``at`` says of the terms on both of its sides."""
    if not plain_words("negations").isdisjoint(sentence.tokens[max(0, at - 3) : at]):
        return
    left, right = _left_of(sentence, cue, at), _right_of(sentence, cue, at + len(cue.text))
    subjects, trust = [mention.term for mention in left], cue.trust
    if not cue.child_left and cue.text[0][0] != "~" and any(map(sentence.owned, left)):
        # "flooding of rivers caused", "defence against attacks such as": the last word may not be meant.
        trust -= 0.3
    if not left and sentence.subject is not None and cue.relation is Relation.INDUCE:
        subjects, trust = [sentence.subject], cue.trust - 0.05
    for one in subjects:
        for two in right:
            child, parent = (one, two.term) if cue.child_left else (two.term, one)
            if child != parent:
                yield Finding(child, parent, cue.relation, trust, cue.said, document)


def _left_of(sentence: Sentence, cue: Cue, at: int) -> list[Mention]:
    mention = sentence.before(at)
    if mention is not None and cue.relation is Relation.INDUCE and cue.text[0][0] != "~":
        # "an increase in floods due to rain" does speak of floods.
        mention = sentence.not_a_place(mention) or (mention if cue.child_left else None)
    return [] if mention is None else _without_light(sentence, cue, [mention])


def _right_of(sentence: Sentence, cue: Cue, at: int) -> list[Mention]:
    if cue.relation is Relation.INDUCE:
        return _without_light(sentence, cue, sentence.examples_after(at))
    return sentence.list_after(at)[: 1 if cue.child_left else None]


def _without_light(sentence: Sentence, cue: Cue, mentions: list[Mention]) -> list[Mention]:
    if cue.relation is not Relation.INDUCE:
        return mentions
    heavy = (sentence.not_light(mention) for mention in mentions)
    return [mention for mention in heavy if mention is not None]


def _owned(sentence: Sentence, document: int) -> Iterator[Finding]:
    """An attribute and what has it ("intensity of the rainfall"), or an impact and what has that."""
    for mention in sentence.mentions:
        owner = sentence.owner(mention.end)
        if owner is not None and owner != mention.term:
            said = "{child} of {parent}"
            head = sentence.tokens[mention.end - 1]
            if is_listed(head, "attributes"):
                yield Finding(mention.term, owner, Relation.ATTRIBUTE_OF, 0.4, said, document)
            elif is_listed(head, "impacts"):
                yield Finding(mention.term, owner, Relation.INDUCE, 0.4, said, document)


def _abbreviations(sentence: Sentence, document: int) -> Iterator[Finding]:
    """A name and its initials: "intrusion detection system (IDS)"."""
    for mention in sentence.mentions:
        short = sentence.ends.get(mention.end + 2)
        if short and sentence.tokens[mention.end] == "(" and short.end - short.start == 1:
            initials = "".join(token[0] for token in sentence.tokens[mention.start : mention.end])
            plural = "s" if sentence.plural(mention) else ""
            if len(initials) > 1 and sentence.tokens[short.start] in (initials, initials + plural):
                yield Finding(short.term, mention.term, Relation.SYNONYM, 0.9, "{parent} ({child})", document)


def _side_by_side(sentence: Sentence) -> Iterator[tuple[int, int]]:
    for one, two in zip(sentence.mentions, sentence.mentions[1:], strict=False):
        between = sentence.tokens[one.end : two.start]
        if between and all(token in _SEPARATORS for token in between) and one.term != two.term:
            yield min(one.term, two.term), max(one.term, two.term)


def _aspects(sentence: Sentence) -> Iterator[tuple[str, int]]:
    for at, token in enumerate(sentence.tokens):
        owner = sentence.owner(at) if token == "of" and at > 0 else None
        if owner is not None:
            yield sentence.stems[at - 1], owner
