"""Words, stems and languages: what all parts agree on when they ask whether two texts say the same word.

Stems are those of Snowball (M. F. Porter, "Snowball: A language for stemming algorithms", 2001); Chinese
words are those of jieba.
"""

import re
import unicodedata
import warnings
from collections import Counter
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib import import_module
from operator import add
from typing import Any

from fcwseo_ontology.errors import MissingExtra

STEMMERS = {
    "ar": "Arabic",
    "da": "Danish",
    "de": "German",
    "el": "Greek",
    "en": "English",
    "es": "Spanish",
    "fi": "Finnish",
    "fr": "French",
    "hu": "Hungarian",
    "it": "Italian",
    "nl": "Dutch",
    "no": "Norwegian",
    "pt": "Portuguese",
    "ro": "Romanian",
    "ru": "Russian",
    "sv": "Swedish",
    "tr": "Turkish",
}

SCRIPTS = {
    "CYRILLIC": "ru",
    "ARABIC": "ar",
    "GREEK": "el",
    "HEBREW": "he",
    "THAI": "th",
    "DEVANAGARI": "hi",
}

FUNCTION_WORDS = {
    "en": "the of and to in is for that with on are by was from this which as be at has",
    "de": "der die das und ist von den mit des für auf eine ein nicht zu werden auch sich dem durch",
    "fr": "le la les des et est une du que dans pour par sur avec qui pas sont au ce cette",
    "es": "el los las del y es una por con que para se su como más entre este fue son lo",
    "it": "il gli che di e è della per una con sono del nel alla dei non si le come più",
    "pt": "o os as do da dos das e é uma para com que em não por mais foi como ao",
    "nl": "de het een van en is dat op te voor met zijn niet aan er door wordt ook bij naar",
}

SOFT_HYPHEN = "\xad"  # where a word may be parted at the end of a line; it is no part of the word
ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")  # colours and moves of a terminal
CONTROL = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f-\x84\x86-\x9f]")
LONGEST_WORD = 64  # letters; what is longer is no word, and slow to stem
WORD = re.compile(r"[^\W_]+(?:(?<=\d)\.(?=\d)[^\W_]+)*")
HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f]+")
HAN_OR_WORD = re.compile(rf"{HAN.pattern}|(?:(?!{HAN.pattern})[^\W_]|(?<=\d)\.(?=\d))+")
_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_KATAKANA = "\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f"
_HIRAGANA = "\u3041-\u3096\u309d-\u309f"
_HAN_RUN = re.compile(f"[{_HAN}]+")
_RUN = re.compile(
    rf"[{_HAN}]+|[{_KATAKANA}]+|[{_HIRAGANA}][{_HIRAGANA}\u30fc]*|[^\W_{_HAN}{_KATAKANA}{_HIRAGANA}]+"
)
POSSESSIVE = re.compile(r"['\u2019]s\b")
PLURAL_OF_ACRONYM = re.compile(r"\b([A-Z][A-Z0-9]+)s\b")


def normal(text: str, language: str = "en") -> str:
    """The text in one form: widths unified; soft hyphens, ``'s`` and the plural ``s`` of acronyms gone.

    >>> normal("Alzheimer\u2019s \uff27\uff30\uff33 and LLMs")
    'Alzheimer GPS and LLM'
    """
    text = unicodedata.normalize("NFKC", text).replace(SOFT_HYPHEN, "")
    if language != "en":
        return text
    return PLURAL_OF_ACRONYM.sub(r"\1", POSSESSIVE.sub("", text))


def printable(text: str) -> str:
    """The text without what steers a terminal; other control characters are blanks.

    >>> printable("\\x1b[31mroaster\\x1b[0m\\x07")
    'roaster '
    """
    return CONTROL.sub(" ", ESCAPE.sub("", text))


def words(text: str, language: str = "en") -> list[str]:
    """The words of a text in lower case; a hyphen parts words.

    >>> words("Flash-flood risk: PM2.5, HEC-RAS and the river's bed")
    ['flash', 'flood', 'risk', 'pm2.5', 'hec', 'ras', 'and', 'the', 'river', 'bed']
    """
    text = normal(text, language)
    if language == "zh":
        return [word.lower() for word in segments(text)]
    return [word.lower() for word in WORD.findall(text)]


def segments(text: str) -> Iterator[str]:
    """The words of a Chinese text as they stand, words of other scripts among them."""
    for run in HAN_OR_WORD.findall(text):
        if HAN.match(run):
            yield from _jieba().cut(run)
        else:
            yield run


def written_words(text: str) -> list[str]:
    """Return the words of a text in lower case, unstemmed, with Han characters in pairs."""
    return split_words(text.lower().replace(SOFT_HYPHEN, ""))


def split_words(text: str) -> list[str]:
    """The words of a text; Han characters in overlapping pairs, and Japanese split where the script changes.

    >>> split_words("linux容器云 x"), split_words("大型のストームが来た")
    (['linux', '容器', '器云', 'x'], ['大型', 'の', 'ストーム', 'が', '来', 'た'])
    """
    words: list[str] = []
    for run in _RUN.findall(text):
        if len(run) > 1 and is_han(run):
            words += map(add, run, run[1:])
        else:
            words.append(run)
    return words


def is_han(token: str) -> bool:
    """Whether a word begins with a Han character."""
    return not token.isascii() and _HAN_RUN.match(token) is not None


def stem(word: str, language: str = "en") -> str:
    """A lower-cased word without its endings; the word as it is where a language has no stemmer here.

    >>> stem("flooding"), stem("floods"), stem("inondations", "fr"), stem("暴雨", "zh")
    ('flood', 'flood', 'inond', '暴雨')
    """
    return _stem(word, language) if language in STEMMERS and len(word) <= LONGEST_WORD else word


def key(phrase: str, language: str = "en") -> str:
    """What merges the variants of a phrase: the stems of its words, joined by blanks.

    >>> key("Flash-Floods") == key("flash flooding")
    True
    """
    return " ".join(stem(word, language) for word in words(phrase, language))


def language_of(text: str) -> str:
    """The language of a text as its two-letter code, told without any model.

    Japanese is told by kana, Korean by Hangul, Chinese by Han characters (a fifth of the letters is enough),
    Russian, Arabic, Greek, Hebrew, Thai and Hindi by their script, and English, German, French, Spanish,
    Italian, Portuguese and Dutch by counting function words. All else, and too short a text, is English.

    >>> [language_of(text) for text in ("暴雨引发城市内涝", "Heavy rain", "Das ist der Regen", "Наводнение")]
    ['zh', 'en', 'de', 'ru']
    """
    sample = text[:3000]
    return _language_by_script(sample) or _language_by_words(sample)


def _language_by_script(sample: str) -> str | None:
    foreign = [char for char in sample if char > "\u02ff" and char.isalpha()]
    if 5 * len(foreign) <= sum(map(str.isalpha, sample)):
        return None
    first = [re.split("[ -]", unicodedata.name(char, ""))[0] for char in foreign]
    if first.count("HIRAGANA") + first.count("KATAKANA") > len(first) / 20:
        return "ja"
    scripts = {"HANGUL": "ko", "CJK": "zh", **SCRIPTS}
    best = max(scripts, key=first.count)
    return scripts[best] if first.count(best) else None


def _language_by_words(sample: str) -> str:
    votes = language_votes(sample)
    return max(votes, key=lambda language: votes[language])


def language_votes(text: str) -> dict[str, int]:
    """How many function words of each language a text has, of those that are told by them."""
    found = Counter(WORD.findall(text.lower()))
    return {
        language: sum(found[word] for word in listed.split()) for language, listed in FUNCTION_WORDS.items()
    }


@lru_cache(maxsize=200_000)
def _stem(word: str, language: str) -> str:
    # A new stemmer each time: they keep state, so one is not safe in several threads.
    result: str = _stemmer(STEMMERS[language])().stemWord(word)
    return result


@cache
def _stemmer(name: str) -> Any:
    # By its module: ``snowballstemmer.stemmer`` gives PyStemmer where installed, with other rules.
    return getattr(import_module(f"snowballstemmer.{name.lower()}_stemmer"), f"{name}Stemmer")


@cache
def _jieba() -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import jieba
    except ImportError as error:
        raise MissingExtra("Chinese text needs jieba: pip install 'fcwseo[zh]'") from error
    tokenizer = jieba.Tokenizer()
    # What its own ``initialize`` does, less the messages and the cache file in a folder open to everyone.
    tokenizer.FREQ, tokenizer.total = tokenizer.gen_pfdict(tokenizer.get_dict_file())
    tokenizer.initialized = True
    return tokenizer
