"""What Chinese sentences say about the terms of a corpus: 暴雨引发山洪, 滑坡、泥石流等灾害, 由河床和河岸组成.

Chinese is read without cutting it into words: terms are found as they stand, the longest first.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from fcwseo_ontology.corpus.documents import Corpus
from fcwseo_ontology.corpus.wordlists import tables
from fcwseo_ontology.model import Relation
from fcwseo_ontology.relations.patterns import Finding
from fcwseo_ontology.terms.extract import Term

_SEPARATORS = "[、和与及或]"


def read_sentences(terms: Sequence[Term], corpus: Corpus) -> tuple[Finding, ...]:
    """What the Chinese documents of the corpus state about the terms, in the order of the documents."""
    known: dict[str, int] = {}
    for position, term in enumerate(terms):
        for variant in (term.label, *term.variants) if term.language == "zh" else ():
            known.setdefault(variant, position)
    if not known:
        return ()
    forms = [(form, _compiled(form["pattern"], known)) for form in tables("zh")["patterns"]]
    return tuple(
        finding
        for number, document in enumerate(corpus.documents)
        if document.language == "zh"
        for form, pattern in forms
        for found in pattern.finditer(f"{document.title}\n{document.text}")
        for finding in _found(form, found, known, number)
    )


def _compiled(pattern: str, known: Mapping[str, int]) -> re.Pattern[str]:
    """A pattern of the word list with the terms put in."""
    one = "|".join(re.escape(label) for label in sorted(known, key=lambda label: (-len(label), label)))
    lists = tables("zh")["sentences"]
    parts = {
        "T": one,
        "L": rf"(?:{one})(?:{_SEPARATORS}(?:{one}|\w{{1,8}}?))*",
        "V": lists["causes"],
        "A": lists["around"],
        "E": lists["ends"],
    }
    return re.compile(re.sub("[TLVAE]", lambda found: parts[found[0]], pattern))


def _found(
    form: Mapping[str, str], found: re.Match[str], known: Mapping[str, int], document: int
) -> Iterator[Finding]:
    relation, trust = Relation(form["relation"]), float(form["trust"])
    for child in _enumerated(found["child"], known):
        for parent in _enumerated(found["parent"], known):
            if child != parent:
                yield Finding(child, parent, relation, trust, form["said"], document)


def _enumerated(text: str, known: Mapping[str, int]) -> list[int]:
    if text in known:
        return [known[text]]
    return [known[part] for part in re.split(_SEPARATORS, text) if part in known]
