"""A shallow tagger of English: what each word of a sentence is, told by counts and by its neighbours.

The counts say how often a word is a noun, a verb, an adjective or an adverb in the texts tagged for WordNet
(S. Landes, C. Leacock, R. Tengi, Building semantic concordances, 1998). Where a word may be more than one of
them, the words beside it decide.

A tag is a letter, so that the tags of a sentence are a string in which patterns can be sought:

- ``N`` noun, ``J`` adjective, ``V`` verb, ``G`` verb in -ing, ``E`` past form of a verb, ``R`` adverb,
- ``D`` determiner, ``O`` pronoun, ``P`` preposition, ``T`` "to", ``B`` a form of be or have, ``L`` other
  auxiliary, ``C`` "and" or "or", ``X`` other conjunction, ``M`` number,
- a punctuation mark is itself; ``.`` stands for all that end a clause.
"""

import gzip
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from fcwseo_ontology.corpus.background import ADJECTIVE, Background, Kind, background_of_terms
from fcwseo_ontology.corpus.tokens import normal

TOKEN = re.compile(r"[^\W_]+(?:['\u2019.\-\u2010\u2011][^\W_]+)*|[^\w\s]")
ABBREVIATED = re.compile(r"\be\.\s?g\.,?", re.IGNORECASE)
ENDING = re.compile(r"(?<=[.!?])\s+(?=[^a-z\s])|[;\u2022\u00b7|]|\n\s*\n|\n(?=\s*[^a-z\s])")
PHRASE = re.compile(r"[JN]*N")

_CLOSED = {
    "D": """the a an this these those such other another many several some any all both each every either
        neither no certain various numerous different few fewer more most less least much my your his her its
        our their whose same own following""",
    "O": """i you he she it we they me him us them who whom which what that there here himself itself
        themselves anyone everyone someone nobody nothing something everything whoever whatever others""",
    "P": """of in on at for from by with without within into onto over under between among amongst through
        throughout during after before since until across against along around about above below beneath upon
        toward towards via per despite like unlike near beyond beside besides behind inside outside off up
        down out as than except versus vs including concerning regarding following""",
    "T": "to",
    "B": "is are was were be been being am has have had having",
    "L": "can could may might must shall should will would do does did cannot",
    "C": "and or",
    "X": "but if because although though while whereas when where whether how why so nor then thus hence",
    "R": """not never also often usually mostly mainly generally typically very too quite rather just only
        even still already always sometimes however therefore moreover furthermore especially particularly
        again once well almost perhaps instead namely notably together away ago yet soon later""",
    "M": "one two three four five six seven eight nine ten eleven twelve twenty hundred thousand million",
}  # fmt: skip
_FUNCTION: Final = {word: tag for tag, listed in _CLOSED.items() for word in listed.split()}
_CLAUSE_ENDS = ".!?:;\u2014\u2013"
_FINITE = frozenset("VBLE")
_SINGULAR = frozenset("a an each every another this".split())
_LETTING = frozenset("let lets letting".split())
_IRREGULAR = frozenset("bacteria children feet fungi geese men mice people teeth women".split())
SINGLE_SUBJECT = 4.0  # times as likely is a word in -s a verb after "a" and a noun, where no plural stands
_ENDINGS = (
    ("ies", "y"),
    ("es", ""),
    ("s", ""),
    ("ied", "y"),
    ("ed", ""),
    ("d", ""),
    ("ing", ""),
    ("ing", "e"),
)


@dataclass(frozen=True, slots=True)
class _Word:
    """``tag`` of a word that is only one thing, or else ``""``; ``likely`` is what it mostly is."""

    lower: str
    tag: str
    likely: str
    noun: float = 0.0
    verb: float = 0.0
    adjective: float = 0.0
    adverb: float = 0.0
    plural: bool = False


@dataclass(frozen=True, slots=True)
class Sentence:
    """The tokens of a sentence as written and in lower case, and a letter for each."""

    tokens: tuple[str, ...]
    lower: tuple[str, ...]
    tags: str

    @property
    def is_whole(self) -> bool:
        """Whether it has a verb, as a title or an entry of a menu seldom has.

        >>> Tagger().tag("The hive is a box.").is_whole, Tagger().tag("About us").is_whole
        (True, False)
        """
        return not _FINITE.isdisjoint(self.tags)

    def phrases(self) -> list[tuple[int, int]]:
        """The longest noun phrases, each from its first token to before the end, without determiners.

        >>> sentence = Tagger().tag("Heavy rain causes flash floods in the small catchments of Sicily.")
        >>> [" ".join(sentence.tokens[start:end]) for start, end in sentence.phrases()]
        ['Heavy rain', 'flash floods', 'small catchments', 'Sicily']
        """
        return [found.span() for found in PHRASE.finditer(self.tags)]


def sentences(text: str) -> list[str]:
    """The sentences of a text; a line that does not go on in lower case is one, too.

    >>> sentences("Floods, e.g. in\\nItaly, are common. Rain\\n\\nfalls")
    ['Floods, e.g. in', 'Italy, are common.', 'Rain', 'falls']
    """
    return [found for part in ENDING.split(text) if (found := part.strip())]


def is_function_word(word: str) -> bool:
    """Whether a lower-case word only holds sentences together.

    >>> is_function_word("being"), is_function_word("human")
    (True, False)
    """
    return word in _FUNCTION


class Tagger:
    """Tags English sentences; it keeps what it knows of the words it has met.

    >>> Tagger().tag("A flood control model controls the floods that flood the town.").tags
    'DNNNVDNOVDN.'
    """

    def __init__(self) -> None:
        self._background = background_of_terms("en")
        self._words: dict[str, _Word] = {}

    def tag(self, text: str) -> Sentence:
        """The tokens of a sentence, and what each of them is."""
        tokens = TOKEN.findall(normal(ABBREVIATED.sub(" such as ", text)))
        words = [self._words.get(token) or self._learn(token) for token in tokens]
        tags = [word.tag for word in words]
        if "" in tags:
            _resolve(words, tags)
        return Sentence(tuple(tokens), tuple([word.lower for word in words]), "".join(tags))

    def _learn(self, token: str) -> _Word:
        word = self._words[token] = _word(token, self._background)
        return word


def _word(token: str, table: Background) -> _Word:
    """What is known of a word by itself."""
    lower = token.lower()
    if not token[0].isalnum():
        tag = "." if token in _CLAUSE_ENDS else token
        return _Word(lower, tag, tag)
    if lower in _FUNCTION and not (len(token) > 1 and token.isupper() and _FUNCTION[lower] in "OL"):
        return _Word(lower, _FUNCTION[lower], _FUNCTION[lower])
    if token[0].isdigit():
        tag = "M" if lower.replace(".", "").isdigit() else "J"
        return _Word(lower, tag, tag)
    last = re.split(r"[-\u2010\u2011]", lower)[-1]
    acronym = len(token) > 1 and any(char.isupper() for char in token[1:])
    if acronym or not last or not last[0].isalpha():
        return _Word(lower, "N", "N", noun=1.0)
    if last != lower:  # a compound is no verb of its own
        adjective = last.endswith("ed") or uses(last)[2] > uses(last)[0] or _guess(last, table) == "J"
        return _Word(lower, "J" if adjective else "N", "J" if adjective else "N", plural=_plural(last))
    return _known(lower, table)


def _known(lower: str, table: Background) -> _Word:
    noun, verb, adjective, adverb = uses(lower)
    if noun == verb == adjective == adverb == 0:
        tag = _guess(lower, table)
        return _Word(lower, tag, tag, noun=float(tag == "N"), verb=float(tag == "V"), plural=_plural(lower))
    if adverb > noun + verb + adjective:
        return _Word(lower, "" if adjective else "R", "R", adjective=adjective, adverb=adverb)
    form = "G" if lower.endswith("ing") and verb else "E" if lower.endswith("ed") and verb else "V"
    found = {"N": noun, form: verb, "J": adjective}
    likely = max(found, key=lambda tag: found[tag])
    only = [tag for tag, count in found.items() if count > 0]
    tag = only[0] if only == ["N"] or only == ["J"] or only == ["V"] else ""
    return _Word(lower, tag, likely, noun, verb, adjective, plural=_plural(lower))


def _guess(word: str, table: Background) -> str:
    """The tag of a word that no count knows."""
    if word.endswith("ly"):
        return "R"
    if word.endswith("ed") or ADJECTIVE.match(word):
        return "J"
    kind = table.kinds.get(word)
    return "J" if kind is Kind.MODIFIER else "X" if kind is Kind.STOP else "N"


def _plural(word: str) -> bool:
    return word.endswith("s") and not word.endswith(("ss", "us", "is"))


def is_plural(word: str) -> bool:
    """Whether a lower-case word has the form of a plural, or of the third person of a verb.

    >>> is_plural("larvae"), is_plural("mites"), is_plural("glass")
    (True, True, False)
    """
    return _plural(word) or word in _IRREGULAR or word.endswith("ae")


def uses(word: str) -> tuple[float, float, float, float]:
    """How often a lower-case word is a noun, verb, adjective and adverb; 0 for never.

    The forms of a word have the counts of the word; what was never met as one, but can be, counts a half.

    >>> uses("floods") == uses("flood"), uses("sings")[0], uses("catchment")[1]
    (True, 0.0, 0.0)
    """
    counts = _counts()
    noun, verb, adjective, adverb = counts.get(word, _NEVER)
    for base, ending in _bases(word):
        other = counts.get(base)
        if other is None:
            continue
        if ending == "s":
            noun, verb = max(noun, other[0]), max(verb, other[1])
        else:
            verb = max(verb, other[1])
    return noun, verb, adjective, adverb


_NEVER = (0.0, 0.0, 0.0, 0.0)


def _bases(word: str) -> list[tuple[str, str]]:
    """The words of which a word may be a regular form, and which form: s, ed or ing.

    >>> _bases("stopped")
    [('stopp', 'ed'), ('stop', 'ed'), ('stoppe', 'ed')]
    """
    found = []
    for ending, instead in _ENDINGS:
        if ending == "es" and not word.endswith(("ses", "xes", "zes", "ches", "shes", "oes")):
            continue
        if word.endswith(ending) and len(word) - len(ending) > 1 and not word.endswith("ss"):
            form = "s" if ending.endswith("s") else "ing" if ending == "ing" else "ed"
            base = word[: len(word) - len(ending)]
            found.append((base + instead, form))
            if form != "s" and not instead and ending != "d" and base[-1] == base[-2]:
                found.append((base[:-1], form))
    return found


@cache
def _counts() -> dict[str, tuple[float, float, float, float]]:
    packed = (files("fcwseo_ontology") / "data" / "tags-en.tsv.gz").read_bytes()
    table = {}
    for line in gzip.decompress(packed).decode().splitlines():
        word, *cells = line.split("\t")
        noun, verb, adjective, adverb = (float(cell) or 0.5 if cell else 0.0 for cell in cells)
        table[word] = noun, verb, adjective, adverb
    return table


def _resolve(words: list[_Word], tags: list[str]) -> None:
    """Decide the tags that are open, from left to right."""
    before, last, several, single = ".", None, False, False
    agreeing = []  # the words that fit as verbs to what stands before them
    for at, word in enumerate(words):
        subjects = several or (last is not None and is_plural(last.lower))
        noun = before == "N" or (before == "J" and last is not None and last.noun > 0)
        if not tags[at]:
            then = _lookahead(words[at + 1]) if at + 1 < len(words) else "."
            alone = single and noun and not subjects
            tags[at] = "V" if alone and _is_verb_of_one(word, then) else _decide(word, before, subjects, then)
        if word.verb and noun and tags[at] == "N" and word.plural != subjects:
            agreeing.append(at)
        if noun and tags[at] == "V":
            _end_phrase(words, tags, at)
        if tags[at] != "R":  # what stands before an adverb says more
            # What is let do something does it in the base form, as a plural does.
            several = tags[at] == "C" or word.lower in _LETTING or (several and tags[at] in "DJN")
            single = word.lower in _SINGULAR or (single and tags[at] in "JN")
            before, last = tags[at], word
    if tags[-1] == "." and _FINITE.isdisjoint(tags):
        _find_verb(words, tags, agreeing)


def _lookahead(word: _Word) -> str:
    """The tag of the next word, which is not decided yet."""
    return word.tag or ("N" if word.noun > word.verb / 5 and word.likely in "VG" else word.likely)


def _find_verb(words: list[_Word], tags: list[str], agreeing: list[int]) -> None:
    """A whole sentence has a verb, so the likeliest of those taken for nouns is one."""
    some = [at for at in agreeing if tags[at + 1] in "DJNOPT"]
    if some:
        found = max(some, key=lambda at: words[at].verb / (1 + words[at].noun))
        tags[found] = "V"
        _end_phrase(words, tags, found)


def _end_phrase(words: list[_Word], tags: list[str], verb: int) -> None:
    """What was taken for the adjective of a word that is a verb is the noun before it."""
    if verb and tags[verb - 1] == "J" and words[verb - 1].noun:
        tags[verb - 1] = "N"


def _decide(word: _Word, before: str, several: bool, then: str) -> str:
    if word.adverb:
        return "J" if then in "NJ" and before in "DPJ" else "R"
    if word.verb and word.lower.endswith("ing"):
        return _with_ing(word, before, then)
    if word.verb and word.lower.endswith("ed"):
        return _with_ed(word, before, then)
    if word.verb and before in "LO":
        return "V"
    if word.adjective and word.adjective >= word.verb and not word.plural:
        if then in "NJ" or (before == "B" and word.adjective >= word.noun):
            return "J"
        if before in "DJ" and word.noun:
            return "J" if word.adjective > word.noun and then in ",C" else "N"
        return "N" if word.noun > word.adjective else "J"
    if not word.noun:
        return "V"
    return "V" if _is_verb(word, before, several, then) else "N"


def _is_verb_of_one(word: _Word, then: str) -> bool:
    """Whether a word in -s after "a" and a noun is a verb: "a colony lives", since no plural stands there."""
    odds = SINGLE_SUBJECT * word.verb * (6.0 if then in "DO" else 1.0)
    return word.plural and not word.adjective and odds > word.noun


def _with_ing(word: _Word, before: str, then: str) -> str:
    if word.noun > word.verb:
        return "N"
    if then in "DO" or (before == "B" and then in "DNJMPT"):
        return "G"
    if word.noun or before in "DJ":
        return "N"
    if word.adjective > 1:
        return "J"
    if before == "N":
        return "N" if then in "BLV.,C)" else "G"
    if then in "NJ":
        return "J" if before in "DJC" else "G"
    return "N" if before in "P.,C" and then in "PBLV.,C" else "G"


def _with_ed(word: _Word, before: str, then: str) -> str:
    if word.noun > word.verb:
        return "N"
    if before in "BNO":
        return "J" if before == "B" and word.adjective > word.verb else "E"
    return "J" if then in "NJ" else "E"


def _is_verb(word: _Word, before: str, several: bool, then: str) -> bool:
    """Of a word that may be a noun or a verb; ``several``: its subject, if it is a verb, is in the plural."""
    if before in "DJPMVGE":
        return False
    if before == "T":
        return not word.plural and 8 * word.verb > word.noun
    if before == "B":
        return word.verb > 8 * word.noun
    odds = word.verb * (
        0.3 if before != "N" else (0.5 if then == "D" else 0.1) if word.plural == several else 1.0
    )
    odds *= 6.0 if then in "DO" else 2.0 if then == "T" else 0.15 if then in ".,CBLVE)" else 1.0
    return odds > word.noun * (2.0 if then == "P" else 1.0)
