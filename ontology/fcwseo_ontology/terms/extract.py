"""The terms of a domain, drawn from a corpus, best first.

Three rankings are fused: what authors give as keywords, what stands in the texts, and what in the titles, the
last two by C-value times domain contrast. Variants that differ in endings, hyphens or case are one term.
"""

import csv
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from fcwseo_ontology.corpus.background import Background, Kind, background_of_terms
from fcwseo_ontology.corpus.documents import Corpus, Document
from fcwseo_ontology.corpus.tokens import HAN, WORD
from fcwseo_ontology.corpus.tokens import key as key_of
from fcwseo_ontology.errors import InvalidCorpus, InvalidInput
from fcwseo_ontology.files import write_table
from fcwseo_ontology.terms.candidates import Key, Unit, Units, candidates
from fcwseo_ontology.terms.nominal import (
    RARE,
    Accept,
    among,
    anything,
    behind_articles,
    both,
    no_furniture,
    no_verbs,
)
from fcwseo_ontology.terms.ranking import best_first, c_values, contrast, contrasts, fuse
from fcwseo_ontology.terms.reading import Reading

KEYWORDS = 2.0  # the weight of the authors' keywords; texts and titles have 1 each
LONGEST_KEYWORD = 8  # words; what is longer is a sentence
LEAD = 30  # words: the beginning of a text, which stands in for a missing title
BEGINNING = (".", "!", "?", ":", "\u2022")  # a sentence begins behind them
TWICE = 2  # times a Chinese term is there: what stands there once may be badly cut into words
TWOFOLD = 0.69  # log-odds: a term of one word is at least twice as common as in other domains
FEW_DOCUMENTS = 40  # below, most good terms stand in one document only
REVIEW = ("term", "df", "score", "keep")
YES = ("yes", "y", "true", "1", "x", "keep", "是")
NO = ("no", "n", "false", "0", "drop", "否")


@dataclass(frozen=True, slots=True)
class Term:
    """A term, and how it was found: ``source`` is ``corpus``, or ``sentence`` where a sentence named it.

    ``documents`` is a bit mask: bit i says that document i of the corpus has the term, as text or keyword.

    >>> Term("flash flood", "flash flood", ("flash flood", "flash floods"), "en", 0b1011, 0.5).df
    3
    """

    label: str
    key: str
    variants: tuple[str, ...]
    language: str
    documents: int
    score: float
    keyword: bool = False
    source: str = "corpus"

    @property
    def df(self) -> int:
        return self.documents.bit_count()


@dataclass(frozen=True, slots=True)
class _Reading:
    """A document read as units; ``bit`` is its place in the corpus.

    Of a document without title the first words stand for it: ``titled`` is false then.
    """

    bit: int
    title: list[Unit]
    text: list[Unit]
    keywords: dict[Key, list[Unit]]
    titled: bool

    @property
    def running(self) -> Sequence[Unit]:
        """The text without a title."""
        return self.text if self.titled else (*self.title, *self.text)

    @property
    def words(self) -> list[str]:
        return [word for unit in (*self.title, *self.text) for word in unit.words]

    @property
    def stems(self) -> list[str]:
        """Punctuation is an empty stem, so that no phrase goes across it."""
        units = (*self.title, *self.text)
        return [stem for unit in units for stem in unit.stems or ("",)]


def extract_terms(
    corpus: Corpus, *, limit: int = 80, minimum_df: int | None = None, reading: Reading | None = None
) -> list[Term]:
    """The terms that stand in at least ``minimum_df`` documents (or in all there are), best first.

    Without a minimum it is 1 in a language with fewer than 40 documents, and 2 in others. Each language gets
    its share of the terms. English, Chinese and eight others have tables to compare with; in the rest only
    C-value ranks, so check those terms by eye. With a reading of the corpus, an English term of several words
    is a noun phrase.
    """
    if limit < 1 or (minimum_df is not None and minimum_df < 1):
        raise InvalidInput(f"terms: limit {limit} and minimum_df {minimum_df} must be 1 or more")
    terms: list[Term] = []
    for language in dict.fromkeys(document.language for document in corpus.documents):
        table = background_of_terms(language, menus=corpus.menus)
        readings = _read(corpus.documents, table)
        least = min(minimum_df or default_df(len(readings)), len(corpus.documents))
        case = _usual_case(readings)
        accept = _accepting(readings, language, case, reading, menus=corpus.menus)
        counts = _count(readings, accept)
        scores = _score(readings, counts, table, least, len(corpus.documents))
        best = best_first(scores)
        if language == "zh" and minimum_df is None:
            scores, best = _surest_first(scores, _score(readings, counts, table, 2, len(corpus.documents)))
        terms += _terms(readings, scores, best[:limit], language, case)
    if not terms:
        total = the_documents(len(corpus.documents))
        raise InvalidCorpus(f"no term stands in {total}: give more or longer ones")
    return _once(sorted(terms, key=lambda term: (-term.score, term.key)))[:limit]


def _surest_first(
    scores: Mapping[Key, float], sure: Mapping[Key, float]
) -> tuple[dict[Key, float], list[Key]]:
    """Scores and candidates with the sure ones first: a Chinese term of one document may be badly cut.

    >>> _surest_first({("a",): 0.9, ("b",): 0.8}, {("b",): 0.7})
    ({('a',): 0.9, ('b',): 0.7}, [('b',), ('a',)])
    """
    return {**scores, **sure}, list(dict.fromkeys((*best_first(sure), *best_first(scores))))


def the_documents(count: int) -> str:
    """
    >>> the_documents(1), the_documents(2)
    ('1 document', 'the 2 documents')
    """
    return "1 document" if count == 1 else f"the {count} documents"


def default_df(documents: int) -> int:
    """In how many documents a term must stand, of as many: in one where there are few.

    >>> default_df(39), default_df(40)
    (1, 2)
    """
    return 1 if documents < FEW_DOCUMENTS else 2


def _once(terms: Sequence[Term]) -> list[Term]:
    """A name that stands in texts of several languages is one term, of the language where it is best."""
    first: dict[str, Term] = {}
    for term in terms:
        same = first.setdefault(term.key, term)
        if same is not term:
            texts = tuple(dict.fromkeys((*same.variants, *term.variants)))
            first[term.key] = replace(
                same,
                variants=texts,
                documents=same.documents | term.documents,
                keyword=same.keyword or term.keyword,
            )
    return list(first.values())


def _accepting(
    readings: Sequence[_Reading],
    language: str,
    case: Mapping[str, str],
    reading: Reading | None,
    *,
    menus: bool,
) -> Accept:
    """What decides which candidates of a language are noun phrases, and no furniture of pages with menus."""
    accept: Accept = anything
    if language == "en" and reading:
        accept = among(reading.phrases)
    elif language == "ru":
        accept = no_verbs
    elif language != "en":
        texts = (one.text for one in readings)
        accept = behind_articles(texts, language, case, rare=0 if menus else RARE)
    if not menus:
        return accept
    return both(accept, no_furniture([[*one.title, *one.text] for one in readings], language))


def _read(documents: Sequence[Document], table: Background) -> list[_Reading]:
    units = Units(table)
    chosen = [
        (bit, document) for bit, document in enumerate(documents) if document.language == table.language
    ]
    return [_reading(bit, document, units) for bit, document in chosen]


def _reading(bit: int, document: Document, units: Units) -> _Reading:
    title, text = units.read(document.title), units.read(document.text)
    titled = bool(title)
    if not titled:
        title, text = text[:LEAD], text[LEAD:]
    keywords: dict[Key, list[Unit]] = {}
    for keyword in document.keywords:
        parts = [unit for unit in units.read(keyword) if unit.words]
        stems = tuple(stem for unit in parts for stem in unit.stems)
        specific = any(unit.kind in (Kind.HEAD, Kind.MODIFIER) for unit in parts)
        if specific and len(stems) <= LONGEST_KEYWORD:
            keywords.setdefault(stems, parts)
    return _Reading(bit, title, text, keywords, titled)


@dataclass(frozen=True, slots=True)
class _Counts:
    """``frequency``: occurrences in all texts. The others count documents."""

    frequency: Counter[Key]
    documents: Counter[Key]
    titles: Counter[Key]
    keywords: Counter[Key]


def _score(
    readings: Sequence[_Reading], counts: "_Counts", table: Background, least: int, documents: int
) -> dict[Key, float]:
    """The fused score of each candidate; ``documents`` are those of all languages."""
    stems = contrasts((reading.words for reading in readings), table)
    least_often = max(least, TWICE) if table.language == "zh" else least
    weight = {
        key: contrast(key, stems)
        for key, count in counts.documents.items()
        if count >= least and (counts.frequency[key] >= least_often or key in counts.keywords)
    }
    weight = {
        key: value
        for key, value in weight.items()
        if len(key) > 1 or value >= TWOFOLD or key in counts.keywords
    }
    rankings = []
    for counter in (counts.frequency, counts.titles):
        values = c_values({key: counter[key] for key in weight if key in counter})
        rankings.append(best_first({key: value * weight[key] for key, value in values.items()}))
    place = {key: rank for rank, key in enumerate(rankings[0])}
    given = [key for key in counts.keywords if key in weight]
    given.sort(key=lambda key: (-counts.keywords[key], place.get(key, len(place)), key))
    text, title = rankings
    share = len(readings) / documents
    return fuse([(text, 1.0), (title, 1.0), *([(given, KEYWORDS)] if given else [])], share=share)


def _count(readings: Sequence[_Reading], accept: Accept) -> _Counts:
    """Keywords that stand in no text are left out: codes of classifications, mostly."""
    counts = _Counts(Counter(), Counter(), Counter(), Counter())
    keywords = _index(dict.fromkeys(key for reading in readings for key in reading.keywords))
    for reading in readings:
        title = Counter(key for key, part in candidates(reading.title) if accept(key, part))
        here = title + Counter(key for key, part in candidates(reading.text) if accept(key, part))
        here |= Counter(_occurrences(reading.stems, keywords))
        counts.frequency.update(here)
        counts.titles.update(title.keys())
        counts.documents.update(dict.fromkeys([*here, *reading.keywords], 1))
    for reading in readings:
        counts.keywords.update(key for key in reading.keywords if key in counts.frequency)
    return counts


def _index(keys: Iterable[Key]) -> dict[str, list[Key]]:
    """The keys by their first stems."""
    index: defaultdict[str, list[Key]] = defaultdict(list)
    for key in keys:
        index[key[0]].append(key)
    return dict(index)


def _occurrences(stems: Sequence[str], index: Mapping[str, Sequence[Key]]) -> Iterator[Key]:
    for start, stem in enumerate(stems):
        for key in index.get(stem, ()):
            if len(key) == 1 or tuple(stems[start : start + len(key)]) == key:
                yield key


def _terms(
    readings: Sequence[_Reading],
    scores: Mapping[Key, float],
    best: Sequence[Key],
    language: str,
    case: Mapping[str, str],
) -> Iterator[Term]:
    variants = _variants(readings, best, case)
    masks = _masks(readings, variants) if language != "zh" else _masks_by_letters(readings, variants)
    given = {key for reading in readings for key in reading.keywords}
    seen = set()
    for stems, forms in variants.items():
        # Chinese words that were cut in two ways are two candidates, but one term
        if (shown := key_of(forms[0], language)) not in seen:
            seen.add(shown)
            yield Term(forms[0], shown, forms, language, masks[stems], scores[stems], stems in given)


def _masks(readings: Sequence[_Reading], wanted: Iterable[Key]) -> dict[Key, int]:
    masks = dict.fromkeys(wanted, 0)
    index = _index(masks)
    for reading in readings:
        for key in (*_occurrences(reading.stems, index), *reading.keywords):
            if key in masks:
                masks[key] |= 1 << reading.bit
    return masks


def _masks_by_letters(readings: Sequence[_Reading], variants: Mapping[Key, Sequence[str]]) -> dict[Key, int]:
    """Chinese is cut into words in more ways than one, so its terms are sought in the text as it stands."""
    masks = dict.fromkeys(variants, 0)
    for reading in readings:
        text = "".join(unit.text for unit in (*reading.title, *reading.text)).lower()
        for key, forms in variants.items():
            if key in reading.keywords or any(form.replace(" ", "").lower() in text for form in forms):
                masks[key] |= 1 << reading.bit
    return masks


def _variants(
    readings: Sequence[_Reading], best: Sequence[Key], case: Mapping[str, str]
) -> dict[Key, tuple[str, ...]]:
    """The forms in which each term is written, the commonest first."""
    forms: defaultdict[Key, Counter[str]] = defaultdict(Counter)
    wanted = dict.fromkeys(best)
    for reading in readings:
        written = (*candidates(reading.title), *candidates(reading.text), *reading.keywords.items())
        for key, units in written:
            if key in wanted:
                forms[key][_join(_recased(unit.text, case) for unit in units)] += 1
    return {key: tuple(sorted(forms[key], key=lambda form: (-forms[key][form], form))) for key in best}


def _usual_case(readings: Sequence[_Reading]) -> dict[str, str]:
    """How each word is mostly written in running text, since titles and sentences capitalise anything.

    What stands only at the beginning of sentences is written as there.
    """
    inside: defaultdict[str, Counter[str]] = defaultdict(Counter)
    first: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for reading in readings:
        begins = True
        for unit in reading.running:
            forms = first if begins else inside
            for word in WORD.findall(unit.text):
                forms[word.lower()][word] += 1
            begins = unit.text in BEGINNING or not unit.text.strip()
    return {
        low: low if 4 * found[low] > found.total() else max(found, key=lambda form: (found[form], form))
        for low, found in {**first, **inside}.items()
    }


def _recased(text: str, case: Mapping[str, str]) -> str:
    return WORD.sub(lambda word: case.get(word[0].lower(), word[0]), text)


def _join(parts: Iterable[str]) -> str:
    """Blanks between words, but none beside a Chinese one."""
    joined = ""
    for part in parts:
        blank = joined and not HAN.match(joined[-1]) and not HAN.match(part)
        joined += f" {part}" if blank else part
    return joined


def write_review(terms: Iterable[Term], path: Path, *, taken: int) -> None:
    """A table for the expert, who writes yes or no into ``keep``; the first ``taken`` terms have a yes."""
    rows = [
        (term.label, term.df, f"{term.score:.4f}", "yes" if place < taken else "")
        for place, term in enumerate(terms)
    ]
    write_table(path, REVIEW, rows)


def read_review(path: Path) -> dict[str, bool]:
    """The expert's decisions by term; an empty cell decides nothing. Semicolons or tabs may part it too."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InvalidInput(f"cannot read the review {path}: {error.strerror}") from error
    except ValueError as error:
        raise InvalidInput(f"the review {path} is not UTF-8: save it as CSV in UTF-8") from error
    header, *lines = text.splitlines() or [""]
    delimiter = max(",;\t", key=header.count)
    names = [name.lower() for name in _cells(header, delimiter)]
    if "term" not in names or "keep" not in names:
        found = ", ".join(names) or "none"
        raise InvalidInput(f"the review {path} needs the columns term and keep; found: {found}")
    decisions: dict[str, bool] = {}
    for number, line in enumerate(lines, 2):
        row = dict(zip(names, _cells(line, delimiter), strict=False))
        term, keep = row.get("term", ""), row.get("keep", "").lower()
        if line.strip(f"{delimiter} ") and (keep not in ("", *YES, *NO) or not term):
            raise InvalidInput(f"{path}, line {number}: keep is {keep!r} for {term!r}; write yes or no")
        if keep and decisions.setdefault(term, keep in YES) != (keep in YES):
            raise InvalidInput(f"{path}, line {number}: {term!r} is both kept and dropped; decide once")
    return decisions


def _cells(line: str, delimiter: str) -> list[str]:
    """The cells of a line; none where it cannot be a line of the table."""
    try:
        return [cell.strip() for cell in next(csv.reader([line], delimiter=delimiter), [])]
    except csv.Error:
        return []
