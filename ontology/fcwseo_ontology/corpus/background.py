"""How common a word is outside the domain, and whether it can stand in a term: the tables in ``data``."""

import gzip
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from importlib.resources import files
from math import exp

from fcwseo_ontology.corpus.tokens import FUNCTION_WORDS

TABLES = ("ar", "de", "en", "es", "fr", "it", "nl", "pt", "ru", "zh")
MANUALS = ("de", "en", "es", "fr", "it", "nl", "pt", "ru", "zh")  # with a table of words of manuals
WRITTEN = ("de", "es", "fr", "it", "nl", "pt", "ru")  # with a large table of words
TAGGED = ("en", "zh")  # whose tables say of words what they can be in a term
STOPS = ("da", "de", "en", "es", "fi", "fr", "hu", "it", "nl", "no", "pt", "ru", "sv", "zh")
COMMON = 3e-4  # the rate from which on an English stop word is one in texts of other languages too
FOREIGN = 0.015  # below this part of its English rate a word of another table is an English one
VERY_COMMON = 1e-3  # the rate from which on any word is a stop word in a language without a list of them
IN_ALL_MANUALS = 3e-4  # the rate from which on a word of manuals is no term by itself on pages with menus
RARE = 100e-9  # the rate of a word too rare for the large tables, which leave out what is rarer
ADJECTIVE = re.compile(r".{2,}(al|ive|ous|ic|ary|able|ible|ed|less|ful|oid|ular)$")


class Kind(StrEnum):
    """What part of a term a word may be."""

    HEAD = "N"  # may end a term, or be one
    MODIFIER = "M"  # may stand before the end of a term
    GENERIC = "G"  # may stand anywhere in a term, but is none by itself
    STOP = "X"  # stands in no term


@dataclass(frozen=True, slots=True)
class Background:
    """``rates``: of a word in general and in scholarly language, per running word."""

    language: str
    rates: Mapping[str, tuple[float, float]]
    kinds: Mapping[str, Kind]
    rare: float = RARE

    def expected(self, variants: Iterable[str], length: float) -> float:
        """The chance that ``length`` words of another domain have one of the variants.

        Of general and scholarly language, that which has the variants more often counts.

        >>> english = background("en")
        >>> english.expected(["study", "studies"], 200) > 0.3 > 0.01 > english.expected(["catchment"], 200)
        True
        """
        rates = [self.rates.get(variant, (0.0, 0.0)) for variant in variants]
        rate = max(self.rare, sum(general for general, _ in rates), sum(scholarly for _, scholarly in rates))
        return 1 - exp(-rate * length)

    def kind(self, word: str) -> Kind:
        """What a lower-cased word can be in a term; told by its ending where the tables do not know it.

        >>> [background("en").kind(word).name for word in ("the", "flood", "hydraulic", "result", "pluvial")]
        ['STOP', 'HEAD', 'MODIFIER', 'GENERIC', 'MODIFIER']
        """
        kind = self.kinds.get(word) or self._guess(word)
        return Kind.GENERIC if kind is Kind.HEAD and len(word) == 1 else kind

    def _guess(self, word: str) -> Kind:
        if len(word) == 1 or word.replace(".", "").isdigit():
            return Kind.STOP
        if self.language == "zh" and word.isascii():
            return background("en").kind(word)
        if word[0].isdigit() or (self.language == "en" and ADJECTIVE.match(word)):
            return Kind.MODIFIER
        return Kind.STOP if self.language == "en" and self._is_adverb(word) else Kind.HEAD

    def _is_adverb(self, word: str) -> bool:
        """Whether it is made from a known word: "spatially" and "wetly" are, "Sicily" is not."""
        bases = (word[:-2], word[:-4], word[:-1] + "e", word[:-3] + "y")
        return word.endswith("ly") and any(len(base) > 2 and base in self.rates for base in bases)


@cache
def background(language: str) -> Background:
    """The table of a language; of one without a table its stop words or commonest function words, if that."""
    rates: dict[str, tuple[float, float]] = {}
    kinds: dict[str, Kind] = {}
    if language in TABLES:
        table = gzip.decompress(_data(f"background-{language}.tsv.gz")).decode()
        for line in table.splitlines():
            word, general, scholarly, kind = line.split("\t")
            rates[word] = int(general) * 1e-9, int(scholarly) * 1e-9
            if kind:
                kinds[word] = Kind(kind)
    if language in TAGGED:
        kinds |= dict.fromkeys(_data(f"generic-{language}.txt").decode().split(), Kind.GENERIC)
    elif rates:
        kinds |= dict.fromkeys(_english_stops(rates), Kind.STOP)
    if language in STOPS:
        stops = _data(f"stop-{language}.txt").decode().split()
    else:
        common = (word for word, (rate, _) in rates.items() if rate >= VERY_COMMON)
        stops = [*FUNCTION_WORDS.get(language, "").split(), *common]
    rare = RARE if language in TAGGED or not rates else min(rate for rate, _ in rates.values()) / 2
    return Background(language, rates, kinds | dict.fromkeys(stops, Kind.STOP), rare)


@cache
def background_of_terms(language: str, *, menus: bool = False) -> Background:
    """The table of a language for choosing terms: the words of calendars and of any text are none.

    Words of manuals are expected as often as they stand there, in English and Chinese only on web pages,
    which have ``menus``. There the commonest of them, and the words of buttons and menus, are generic too.
    English words are expected in texts of other languages. Published models do not use this table.

    >>> background_of_terms("it").kind("oggi").name
    'STOP'
    >>> background_of_terms("it", menus=True).kind("immagine").name
    'GENERIC'
    """
    table = background(language)
    manuals = _in_manuals(language) if menus or language not in TAGGED else {}
    generic = _listed("generic", language)
    if menus:
        generic += _listed("interface", language)
        generic += [word for word, rate in manuals.items() if rate >= IN_ALL_MANUALS]
    stops = [*_listed("calendar", language), *_listed("function", language)]
    kinds = {word: Kind.GENERIC for word in generic if table.kinds.get(word) is not Kind.STOP}
    written = _written(language)
    rates = {**_english(table), **written, **table.rates}
    for word, rate in manuals.items():
        general, scholarly = rates.get(word, (0.0, 0.0))
        rates[word] = general, max(scholarly, rate)
    rare = min(rate for rate, _ in written.values()) / 2 if written else table.rare
    kinds = {**table.kinds, **kinds, **dict.fromkeys(stops, Kind.STOP)}
    return replace(table, rates=rates, kinds=kinds, rare=rare)


def _written(language: str) -> dict[str, tuple[float, float]]:
    """Rates of many more words than the table of a language has, from texts of many kinds.

    Each line has a rate, in hundredths of powers of ten below 1, and the words that are so frequent.
    """
    if language not in WRITTEN:
        return {}
    lines = gzip.decompress(_data(f"words-{language}.tsv.gz")).decode().splitlines()
    parts = (line.split("\t") for line in lines)
    return {word: (10 ** (-int(power) / 100),) * 2 for power, found in parts for word in found.split()}


def _in_manuals(language: str) -> dict[str, float]:
    """The words of manuals with their rates there."""
    if language not in MANUALS:
        return {}
    lines = gzip.decompress(_data(f"manuals-{language}.tsv.gz")).decode().splitlines()
    return {word: int(rate) * 1e-9 for word, rate in (line.split("\t") for line in lines)}


def _english(table: Background) -> Mapping[str, tuple[float, float]]:
    """What English words are expected in texts of a language that has a table."""
    return {} if table.language in TAGGED or not table.rates else background("en").rates


def articles(language: str) -> frozenset[str]:
    """What stands before a noun and seldom before a verb; empty where that is not known.

    >>> "della" in articles("it"), articles("en")
    (True, frozenset())
    """
    return frozenset(_listed("articles", language))


def bylines(language: str) -> frozenset[str]:
    """What stands before the name of somebody who wrote a page or works where it comes from.

    >>> "professor" in bylines("en"), bylines("ar")
    (True, frozenset())
    """
    return frozenset(_listed("bylines", language))


def institutions(language: str) -> frozenset[str]:
    """Those who keep a site, and what they give out.

    >>> "university" in institutions("en"), institutions("ar")
    (True, frozenset())
    """
    return frozenset(_listed("institutions", language))


def _listed(name: str, language: str) -> list[str]:
    listed: str = _web_words()[name].get(language, "")
    return listed.split()


@cache
def _web_words() -> dict[str, dict[str, str]]:
    return tomllib.loads(_data("web-words.toml").decode())


def _english_stops(rates: Mapping[str, tuple[float, float]]) -> list[str]:
    """What stands in texts of another language, whose rates are given, where they are left in English."""
    english = background("en")
    return [
        word
        for word, (rate, _) in english.rates.items()
        if rate >= COMMON
        and english.kinds.get(word) is Kind.STOP
        and rates.get(word, (0.0, 0.0))[0] < FOREIGN * rate
    ]


def _data(name: str) -> bytes:
    return (files("fcwseo_ontology") / "data" / name).read_bytes()
