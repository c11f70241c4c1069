"""One reading of the English documents of a corpus: what its sentences say is a kind of what.

M. Hearst, Automatic acquisition of hyponyms from large text corpora, COLING 1992. The patterns are sought
between all noun phrases, whether they are terms or not: a term may be a kind of something that is none.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Self

from fcwseo_ontology.corpus.background import Kind, background_of_terms
from fcwseo_ontology.corpus.documents import Corpus
from fcwseo_ontology.corpus.tagging import Sentence, Tagger, is_plural, sentences, uses
from fcwseo_ontology.corpus.tokens import key
from fcwseo_ontology.terms.candidates import LONGEST

SUCH_AS, OTHER, IS_A, CALLED, INCLUDING, NAMELY, ESPECIALLY = 0.75, 0.75, 0.7, 0.65, 0.5, 0.5, 0.5
DOUBTFUL = 0.25  # less trust where the phrase may only complete another: "floods in areas such as"
LONGEST_QUOTE = 300  # characters
LONGEST_PHRASE = 7  # words of a noun phrase; a longer one is a row of menu entries
PROSE = 0.3  # of the words stand in whole sentences, or else the corpus is one of titles

_BE = frozenset(("is", "are", "was", "were"))
_EXAMPLES = {"including": INCLUDING, "namely": NAMELY} | dict.fromkeys(
    ("especially", "particularly", "notably"), ESPECIALLY
)
_CALLED = frozenset(("called", "named", "termed"))
_CUES = frozenset(("such", "other", *_EXAMPLES, *_BE, *_CALLED))
_NOT = frozenset(("not", "never", "no", "neither", "nor", "hardly"))
# A kind of hazard is a hazard, and so are types of hazards.
_KINDS = frozenset(
    """breed breeds category categories class classes form forms genus kind kinds race races sort sorts
    species strain strains subset type types varieties variety""".split()
)
# These are hazards too: "a number of hazards such as".
_AMOUNTS = _KINDS | frozenset(
    "example examples family families group groups member members number range series set sets".split()
)


# "These events are" speaks of some events, not of all.
_POINTING = frozenset("this these that those such all most some both many several other another".split())


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun phrase: as written, without determiner; its stems; its last word in lower case."""

    text: str
    key: str
    head: str


@dataclass(frozen=True, slots=True)
class SentencePair:
    """A sentence that calls the child a kind of the parent.

    ``cue`` are the words that say so, ``document`` is the position in the corpus, and ``quote`` the sentence.
    """

    child: Phrase
    parent: Phrase
    trust: float
    cue: str
    document: int
    quote: str


@dataclass(frozen=True, slots=True)
class Uses:
    """How often a lower-case word stood as a noun and as a verb."""

    noun: int
    verb: int


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read in the English documents of a corpus.

    ``uses`` counts each lower-case word that is a noun or a verb somewhere; ``phrases`` has each part of a
    noun phrase that ends in a noun, in lower case, without those that have a verb by what the corpus does
    elsewhere with their words ("mark specialty coffee"). Both are of whole sentences, which have a verb,
    unless most of the corpus are titles.
    """

    pairs: tuple[SentencePair, ...] = ()
    uses: Mapping[str, Uses] = field(default_factory=dict)
    phrases: frozenset[str] = frozenset()


def read(corpus: Corpus) -> Reading:
    """Read the English documents of a corpus, once, in their order.

    >>> from fcwseo_ontology.corpus.read import corpus_of_texts
    >>> said = read(corpus_of_texts(["Natural hazards such as floods and debris flows harm towns."])).pairs
    >>> [(pair.child.text, pair.cue, pair.parent.text, pair.trust) for pair in said]
    [('floods', 'such as', 'Natural hazards', 0.75), ('debris flows', 'such as', 'Natural hazards', 0.75)]
    """
    tagger = Tagger()
    pairs: list[SentencePair] = []
    whole, fragments = _Nouns(), _Nouns()
    for number, document in enumerate(corpus.documents):
        if document.language != "en":
            continue
        title = tuple(tagger.tag(document.title).lower)
        for text in (document.title, *sentences(document.text)):
            sentence = tagger.tag(text)
            (whole if sentence.is_whole else fragments).add(sentence)
            if not _CUES.isdisjoint(sentence.lower):
                pairs.extend(_pairs(_Phrases(sentence, title), number, text))
    if whole.tokens < PROSE * (whole.tokens + fragments.tokens):
        whole.join(fragments)
    return Reading(tuple(pairs), whole.uses(), whole.kept())


class _Nouns:
    """What is counted of some sentences."""

    def __init__(self) -> None:
        self.tokens = 0
        self._phrases: set[str] = set()
        self._nouns: Counter[str] = Counter()
        self._verbs: Counter[str] = Counter()
        self._joined: Counter[tuple[str, str]] = Counter()  # two words that stand together in phrases
        self._parted: Counter[tuple[str, str]] = Counter()  # two words of which one is a verb

    def add(self, sentence: Sentence) -> None:
        self.tokens += len(sentence.tokens)
        tagged = [*zip(sentence.lower, sentence.tags, strict=True)]
        self._nouns.update([word for word, tag in tagged if tag == "N"])
        self._verbs.update([word for word, tag in tagged if tag in "VE"])
        for (one, tag), (other, then) in pairwise(tagged):
            if tag in "JN" and then in "JN":
                self._joined[one, other] += 1
            elif "V" in (tag, then):
                self._parted[one, other] += 1
        for start, end in sentence.phrases():
            if end - start <= LONGEST_PHRASE:
                self._phrases.update(_parts(sentence, start, end))

    def join(self, others: Self) -> None:
        self._phrases |= others._phrases
        self._nouns.update(others._nouns)
        self._verbs.update(others._verbs)
        self._joined.update(others._joined)
        self._parted.update(others._parted)

    def kept(self) -> frozenset[str]:
        """The phrases but those with a verb, by what the corpus does elsewhere with their words."""
        return frozenset(phrase for phrase in self._phrases if not self._has_verb(phrase.split(" ")))

    def _has_verb(self, phrase: Sequence[str]) -> bool:
        last = len(phrase) - 2
        return any(
            self._is_parted(pair) or self._is_clause(*pair, ends=at == last)
            for at, pair in enumerate(pairwise(phrase))
        )

    def _is_parted(self, pair: tuple[str, str]) -> bool:
        """Whether one of two words is mostly a verb, and here at least as often as not."""
        return self._parted[pair] >= self._joined[pair] and any(self._is_verb(word) for word in pair)

    def _is_clause(self, one: str, other: str, *, ends: bool) -> bool:
        """Whether two words are a noun and its verb, or such a verb and what follows it.

        A verb in -s is one before a further word, and one without -s at the end, after a plural.
        """
        if is_plural(one) and self._is_verb_elsewhere(one):
            return True
        return ends and is_plural(one) and not is_plural(other) and self._is_verb_elsewhere(other)

    def _is_verb(self, word: str) -> bool:
        return self._verbs[word] > self._nouns[word]

    def _is_verb_elsewhere(self, word: str) -> bool:
        """Whether a word is mostly a verb, here and in general."""
        noun, verb, _, _ = uses(word)
        return self._is_verb(word) and verb > noun

    def uses(self) -> dict[str, Uses]:
        return {word: Uses(self._nouns[word], self._verbs[word]) for word in self._nouns | self._verbs}


def _parts(sentence: Sentence, start: int, end: int) -> Iterator[str]:
    """The parts of a noun phrase that end in a noun."""
    for last in range(start, end):
        if sentence.tags[last] == "N":
            for first in range(max(start, last + 1 - LONGEST), last + 1):
                yield " ".join(sentence.lower[first : last + 1])


Span = tuple[int, int]


class _Phrases:
    """The noun phrases of a sentence, by where they begin and end."""

    def __init__(self, sentence: Sentence, title: tuple[str, ...] = ()) -> None:
        self.lower, self.tags = sentence.lower, sentence.tags
        self._title = title
        self._tokens = sentence.tokens
        whole = sentence.phrases()
        spans = [(self._start(start, end), end) for start, end in whole]
        self.starts = {start: span for (start, _), span in zip(whole, spans, strict=True)}
        self.starts |= {span[0]: span for span in spans}
        self.ends = {span[1]: span for span in spans}

    def _start(self, start: int, end: int) -> int:
        """Without leading words that stand in no term."""
        while start < end - 1 and background_of_terms("en").kinds.get(self.lower[start]) is Kind.STOP:
            start += 1
        return start

    def phrase(self, span: Span) -> Phrase:
        text = " ".join(self._tokens[span[0] : span[1]])
        return Phrase(text, key(text), self.lower[span[1] - 1])

    def before(self, at: int) -> Span | None:
        """The phrase that ends at a token, but for a comma or bracket, and what stands in brackets."""
        if self.tag(at - 1) in ",(":
            at -= 1
        if at > 2 and self.tags[at - 1] == ")" and "(" in self.tags[max(0, at - 6) : at]:
            at = self.tags.rindex("(", 0, at)
        return self.ends.get(at)

    def after(self, at: int) -> Span | None:
        """The phrase that begins at a token, but for determiners, numbers, adverbs and "clear," in a list."""
        while self.tag(at) in "DMR" or (self.tag(at) == "J" and self.tag(at + 1) in ",C"):
            at += 1 if self.tag(at) != "J" else 2
        return self.starts.get(at)

    def tag(self, at: int) -> str:
        return self.tags[at] if 0 <= at < len(self.tags) else "."

    def word(self, at: int) -> str:
        return self.lower[at] if 0 <= at < len(self.lower) else ""

    def first(self, span: Span) -> int:
        """Where a phrase begins with its determiners."""
        at = span[0]
        while at > 0 and self.tags[at - 1] in "DMRJ":
            at -= 1
        return at

    def without_title(self, span: Span) -> Span:
        """Without the title or caption that stands before a subject in a text without line ends.

        It ends where the title of the document or a capital begins the sentence, or the subject is repeated.
        """
        start, end = span
        half = (end - start) // 2
        if half and self.lower[start : end - half] == self.lower[start + half : end]:
            return start + half, end
        own = end - len(self._title)
        if start + 1 < own < end and self.lower[own:end] == self._title and self._capital(start):
            return own, end
        capitals = (at for at in range(start + 1, end) if self._capital(at) and not self._capital(at - 1))
        return next(((at, end) for at in capitals if uses(self.lower[at])[0]), span)

    def _capital(self, at: int) -> bool:
        return self._tokens[at][0].isupper()

    def completes(self, span: Span) -> bool:
        """Whether it may only complete the phrase before: the areas of "floods in areas"."""
        at = self.first(span)
        return self.tag(at - 1) == "P" and self.tag(at - 2) == "N" and self.word(at - 2) not in _AMOUNTS

    def is_whole(self, child: Span, parent: Span) -> bool:
        """Whether neither is part of a longer phrase, and the child is all of the subject of a clause."""
        if self.completed(parent) or self.completes(child):
            return False
        return self.tag(self.first(child) - 1) not in "VBLEN"

    def completed(self, span: Span) -> bool:
        """Whether an "of" follows, so that the phrase is not whole: the loss of "loss of life"."""
        return self.word(span[1]) == "of"

    def all_after(self, at: int) -> list[Span]:
        """The phrases of a list that begins at a token: "A", "A and B", "A, B, and C"."""
        found: list[tuple[Span, bool]] = []
        closed = False
        while (span := self.after(at)) is not None:
            found.append((span, at == span[0]))
            at = self._behind_brackets(span[1])
            if closed or self.tag(at) not in ",C/":
                break
            while self.tag(at) in ",C/":
                closed = closed or self.tag(at) == "C"
                at += 1
        if not found:
            return []
        # After commas alone, a phrase before a verb begins the next clause: "areas such as Rome, models are".
        bare = [bare for _, bare in found]
        if len(found) > 1 and self.tag(at) in "VBLE" and (not closed or (bare[0] and not bare[-1])):
            found.pop()
        return [span for span, _ in found if not self.completed(span)]

    def _behind_brackets(self, at: int) -> int:
        return at + 3 if self.tags[at : at + 3] == "(N)" else at

    def all_before(self, at: int) -> list[Span]:
        """The phrases of a list that ends at a token: "A, B" in "A, B and other"."""
        found: list[Span] = []
        while (span := self.before(at)) is not None:
            found.append(span)
            at = self.first(span)
            if self.tag(at - 1) not in ",C":
                break
            at -= self.tag(at - 1) == "C"
        return found[::-1]


def _pairs(phrases: _Phrases, document: int, text: str) -> Iterator[SentencePair]:
    quote = " ".join(text.split())[:LONGEST_QUOTE]
    for children, parent, trust, cue in _found(phrases):
        for child in children:
            one, two = phrases.phrase(child), phrases.phrase(parent)
            if one.key != two.key and one.key and two.key:
                yield SentencePair(one, two, round(trust, 2), cue, document, quote)


_Found = tuple[Sequence[Span], Span, float, str]


def _found(phrases: _Phrases) -> Iterator[_Found]:
    """The children, the parent, the trust and the cue of each pattern in a sentence."""
    lower = phrases.lower
    for at, word in enumerate(lower):
        if word not in _CUES:
            continue
        if word == "such" and phrases.word(at + 1) == "as":
            yield from _examples(phrases, at, at + 2, SUCH_AS, "such as")
        elif word == "such":
            yield from _such_parent(phrases, at)
        elif word == "other":
            yield from _and_other(phrases, at)
        elif word in _CALLED:
            yield from _called(phrases, at)
        elif word in _EXAMPLES:
            yield from _examples(phrases, at, at + 1, _EXAMPLES[word], word)
        else:
            yield from _is_a(phrases, at)


def _examples(phrases: _Phrases, at: int, then: int, trust: float, cue: str) -> Iterator[_Found]:
    """ "hazards such as floods" """
    parent = phrases.before(at)
    if parent is not None:
        doubt = DOUBTFUL if phrases.completes(parent) else 0.0
        yield phrases.all_after(then), parent, trust - doubt, cue


def _such_parent(phrases: _Phrases, at: int) -> Iterator[_Found]:
    """ "such hazards as floods" """
    parent = phrases.after(at + 1)
    if parent is not None and phrases.word(parent[1]) == "as":
        yield phrases.all_after(parent[1] + 1), parent, SUCH_AS, "such ... as"


def _and_other(phrases: _Phrases, at: int) -> Iterator[_Found]:
    """ "floods, storms and other hazards" """
    before = at - 1 if phrases.word(at - 1) == "any" else at
    parent = phrases.after(at + 1)
    if phrases.tag(before - 1) == "C" and parent is not None:
        children = phrases.all_before(before - 1)
        doubt = DOUBTFUL if children and phrases.completes(children[0]) else 0.0
        yield children, parent, OTHER - doubt, f"{phrases.word(before - 1)} other"


def _called(phrases: _Phrases, at: int) -> Iterator[_Found]:
    """ "a flood called Lothar" """
    parent, child = phrases.before(at), phrases.after(at + 1)
    if parent is not None and child is not None and phrases.word(parent[0] - 1) in ("a", "an"):
        doubt = DOUBTFUL if phrases.completes(parent) else 0.0
        yield [child], parent, CALLED - doubt, phrases.word(at)


def _is_a(phrases: _Phrases, at: int) -> Iterator[_Found]:
    """ "a flood is a hazard", "floods are hazards", "a flood is one of the hazards" """
    article = phrases.word(at + 1)
    one_of = article == "one" and phrases.word(at + 2) == "of"
    parent = phrases.after(at + 3 if one_of else at + 1)
    children = _subjects(phrases, at)
    if parent is None or not children or not _NOT.isdisjoint(phrases.lower[at - 1 : parent[0]]):
        return
    if article == "the" and not _is_superlative(phrases.word(at + 2)):
        return
    if phrases.word(parent[1] - 1) in _KINDS and phrases.completed(parent):
        parent = phrases.after(parent[1] + 1)
    elif article not in ("a", "an", "one", "the") and not _plural(phrases, at, parent, children):
        return
    if parent is None:
        return
    doubt = 0.0 if phrases.is_whole(children[0], parent) else DOUBTFUL
    said = ("one of",) if one_of else (article,) if article in ("a", "an", "the") else ()
    named = [phrases.without_title(child) for child in children]
    yield named, parent, IS_A - doubt, " ".join((phrases.word(at), *said))


def _is_superlative(word: str) -> bool:
    return word.endswith("est") or word in ("best", "first", "most", "only", "worst")


def _plural(phrases: _Phrases, at: int, parent: Span, children: Sequence[Span]) -> bool:
    """Whether both sides are in the plural, without a number: "floods are natural hazards"."""
    both = (parent, children[-1])
    if "M" in phrases.tags[at : parent[0]]:
        return False
    return phrases.word(at) in ("are", "were") and all(phrases.word(end - 1).endswith("s") for _, end in both)


def _subjects(phrases: _Phrases, at: int) -> list[Span]:
    """What stands before "is"; of "the varroa mite, Varroa destructor, is" both."""
    verb = at
    if phrases.tag(at - 1) == "O" and phrases.word(at - 1) in ("which", "that"):
        at -= 1
    while phrases.tag(at - 1) == "R":
        at -= 1
    found = phrases.before(at)
    if found is None:
        return []
    start = phrases.first(found)
    if not _POINTING.isdisjoint(phrases.lower[start : found[0]]):
        return []
    if phrases.tag(at - 1) == "," and phrases.tag(start - 1) == ",":
        named = phrases.ends.get(start - 1)
        return [named, found] if named else []
    return phrases.all_before(at) if phrases.word(verb) in ("are", "were") else [found]
