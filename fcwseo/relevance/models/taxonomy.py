"""A topic as a path in a taxonomy, and relevance by the URL of a link and its relation to the page.

Z. Chen and others, Computers and Mathematics with Applications 57, 2009, pages 1057 to 1072 (paper 004),
equations 1 to 7.

Label i of a path of D labels, from the root down, has the weight i / D: the topic itself has weight 1, labels
above it less. Our ontologies have the topic at the root and narrower concepts below it, so the path is
reversed: the topic is the last label, the concepts of level 2 share the step before it, and so on. A topic in
a file may also be such a path (``fcwseo_ontology.topic``).

A URL is split into tokens. A label matches if one of its forms is part of a token: English in full or short,
pinyin in full or its initials. The paper's table of 556 topics is not published; short forms come from a
small list of ours and from labels in capitals. Pinyin needs ``pypinyin`` (``fcwseo[zh]``).
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from urllib.parse import unquote

from fcwseo.pages.urls import host
from fcwseo_ontology.topic import ADDRESSES, FeatureWord, Topic

FULL = 1.0  # alpha 1
SHORT, PINYIN, INITIALS = ADDRESSES["short"], ADDRESSES["pinyin"], ADDRESSES["initials"]
STOP_TOKENS = frozenset(
    "com cn org net edu gov html htm shtml php asp aspx jsp www index default home http".split()
)
SHORT_FORMS = {
    "automobile": "auto",
    "business": "biz",
    "computer": "comp",
    "document": "doc",
    "economy": "econ",
    "education": "edu",
    "environment": "env",
    "finance": "fin",
    "government": "gov",
    "information": "info",
    "international": "intl",
    "mathematics": "math",
    "medicine": "med",
    "meteorology": "met",
    "military": "mil",
    "photograph": "photo",
    "politics": "pol",
    "science": "sci",
    "software": "soft",
    "technology": "tech",
    "university": "univ",
}

_LEAST_FORM = 3  # smallest length of a derived form; shorter initials would match everywhere
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]+")
_NOT_ALNUM = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the path: alternative words, and their forms in URLs."""

    words: tuple[FeatureWord, ...]
    forms: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Taxonomy:
    """The path from the root to the topic."""

    name: str
    path: tuple[Step, ...]

    @property
    def topic(self) -> Topic:
        """v_t: the words of all steps, with weight i / D."""
        depth = len(self.path)
        words = [
            FeatureWord(word.word, i / depth, word.labels)
            for i, step in enumerate(self.path, 1)
            for word in step.words
        ]
        return Topic(self.name, tuple(words))

    def of_url(self, url: str) -> float:
        """R_url, equations 5 and 6."""
        tokens = " ".join(url_tokens(url))
        depth = len(self.path)
        found = sum(i / depth * _match(step, tokens) for i, step in enumerate(self.path, 1))
        return found / sum(i / depth for i in range(1, depth + 1))


def _match(step: Step, tokens: str) -> float:
    return max((strength for form, strength in step.forms.items() if form in tokens), default=0.0)


def url_tokens(url: str) -> list[str]:
    """The tokens of a URL in lower case, without hyphens and similar signs inside a token.

    >>> url_tokens("http://sports.sohu.com/lanqiu.shtml"), url_tokens("https://a.org/wiki/Flash_flood?page=2")
    (['sports', 'sohu', 'lanqiu'], ['a', 'wiki', 'flashflood', 'page2'])
    """
    pieces = re.split(r"[/.?#&]+", unquote(url.partition("://")[2]).lower())
    return [_NOT_ALNUM.sub("", piece) for piece in pieces if piece and piece not in STOP_TOKENS]


def taxonomy_of(topic: Topic) -> Taxonomy:
    """The taxonomy of an ontology's topic: its levels, the deepest first."""
    levels: dict[int, list[FeatureWord]] = {}
    for word in topic.words:
        levels.setdefault(word.level, []).append(word)
    steps = (tuple(levels[level]) for level in sorted(levels, reverse=True))
    return Taxonomy(topic.name, tuple(Step(words, _forms_of_words(words)) for words in steps))


def _forms_of_words(words: Sequence[FeatureWord]) -> dict[str, float]:
    derived = (pair for word in words for pair in _forms(word) if len(pair[0]) >= _LEAST_FORM)
    known = ((_NOT_ALNUM.sub("", form.lower()), says) for word in words for form, says in word.addresses)
    return _strongest([*derived, *known])


def _strongest(pairs: Iterable[tuple[str, float]]) -> dict[str, float]:
    best: dict[str, float] = {}
    for form, strength in pairs:
        if form:
            best[form] = max(strength, best.get(form, 0.0))
    return best


def _forms(word: FeatureWord) -> Iterable[tuple[str, float]]:
    for label in dict.fromkeys((word.word, *word.labels)):
        form = _NOT_ALNUM.sub("", label.lower())
        if _HAN.search(label):
            yield form, FULL  # some URLs contain Chinese
            yield from pinyin_forms(_NOT_ALNUM.sub("", label))
        else:
            yield form, SHORT if label.isupper() else FULL
            if form in SHORT_FORMS:
                yield SHORT_FORMS[form], SHORT


@cache
def pinyin_forms(label: str) -> tuple[tuple[str, float], ...]:
    """Pinyin in full and its initials; empty without ``pypinyin``."""
    try:
        from pypinyin import lazy_pinyin
    except ImportError:
        return ()
    syllables = [syllable.lower() for syllable in lazy_pinyin(label)]
    return ("".join(syllables), PINYIN), ("".join(syllable[:1] for syllable in syllables), INITIALS)


class LinkType(StrEnum):
    """The relation of the URL of a link to the URL of its page."""

    DOWNWARD = "downward"
    SIBLING = "sibling"
    CROSSWISE = "crosswise"
    OUTWARD = "outward"
    UPWARD = "upward"


# Weight of a type if the anchor names the topic (gamma 1), and if only the page does (gamma 2).
GAMMAS = {
    LinkType.DOWNWARD: (0.4, 0.2),
    LinkType.SIBLING: (0.2, 0.1),
    LinkType.CROSSWISE: (0.1, 0.1),
    LinkType.OUTWARD: (0.2, 0.01),
    LinkType.UPWARD: (0.2, 0.0),
}


def link_type(page: str, target: str, *, content: bool) -> LinkType:
    """``content``: whether the page has text besides its links; the neighbours of a mere list of links may
    differ.

    >>> link_type("http://a.org/x/", "http://a.org/x/y/z.html", content=True).value
    'downward'
    >>> link_type("http://a.org/x/1", "http://a.org/x/2", content=False).value
    'crosswise'
    """
    if _host(page) != _host(target):
        return LinkType.OUTWARD
    here, there = _folder(page), _folder(target)
    if here == there:
        return LinkType.SIBLING if content else LinkType.CROSSWISE
    if there.startswith(here):
        return LinkType.DOWNWARD
    return LinkType.UPWARD if here.startswith(there) else LinkType.CROSSWISE


def _host(url: str) -> str:
    return host(url) if "//" in url else ""


def _folder(url: str) -> str:
    path = re.split("[?#]", url.partition("://")[2], maxsplit=1)[0].partition("/")[2]
    return f"/{path}".rpartition("/")[0] + "/"


def of_link_type(kind: LinkType, *, anchor: float, page: float) -> float:
    """R_LT, equation 7. The paper omits the case of an anchor that names the topic on a page that does not:
    here the anchor decides.

    >>> of_link_type(LinkType.DOWNWARD, anchor=0.3, page=0.0)
    0.4
    >>> of_link_type(LinkType.OUTWARD, anchor=0.0, page=0.3)
    0.01
    """
    by_anchor, by_page = GAMMAS[kind]
    return by_anchor if anchor > 0 else by_page if page > 0 else 0.0
