"""What Chinese sentences say about the terms of a corpus: 暴雨引发山洪, 滑坡、泥石流等地质灾害, 由河床和河岸组成.

Chinese is read without cutting it into words: terms are found as they stand, the longest first.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fcwseo_ontology.corpus import Corpus
from fcwseo_ontology.model import Relation
from fcwseo_ontology.patterns import Finding
from fcwseo_ontology.terms import Term

_CAUSES = "导致|引发|造成|引起|诱发|触发|致使"
_AROUND = r"(?:(?:会|将|可|可能|常|易|所|往往|容易|直接|能够|能|了|的|严重|大量|大面积|严重的){0,3})"
_END = r"(?=[,，。;；!！?？、)）和与及或等]|$)"


@dataclass(frozen=True, slots=True)
class Form:
    """A pattern over the terms; the groups ``child`` and ``parent`` are terms or enumerations of terms."""

    pattern: str
    relation: Relation
    trust: float
    said: str


def _forms() -> tuple[Form, ...]:
    """``T`` stands for a term, ``L`` for an enumeration of terms."""
    return (
        Form(rf"(?P<parent>T){_AROUND}(?:{_CAUSES}){_AROUND}(?P<child>L){_END}", Relation.INDUCE, 0.7, "{parent} 导致 {child}"),
        Form(rf"(?P<child>T)(?:是|主要是|多)?由(?:于)?(?P<parent>L)(?:等)?(?:所)?(?:{_CAUSES})", Relation.INDUCE, 0.7, "{child} 由 {parent} 引起"),
        Form(rf"由(?P<parent>L)(?:等)?(?:所)?(?:{_CAUSES})的(?P<child>L){_END}", Relation.INDUCE, 0.7, "由 {parent} 引起的 {child}"),
        Form(rf"(?P<child>T)是一[种类][^,，。;；]{{0,12}}?(?P<parent>T){_END}", Relation.IS_A, 0.7, "{child} 是一种 {parent}"),
        Form(rf"(?P<child>L)等(?:各类|多种|主要|自然)?(?P<parent>T){_END}", Relation.IS_A, 0.6, "{child} 等 {parent}"),
        Form(rf"(?P<parent>T)(?:主要)?(?:包括|包含)了?(?P<child>L){_END}", Relation.IS_A, 0.45, "{parent} 包括 {child}"),
        Form(rf"(?P<parent>T)(?:主要)?由(?P<child>L)(?:等)?(?:几部分)?(?:组成|构成)", Relation.PART_OF, 0.65, "{parent} 由 {child} 组成"),
        Form(rf"(?P<child>T)是(?P<parent>T)的(?:重要|主要)?(?:组成部分|一部分)", Relation.PART_OF, 0.7, "{child} 是 {parent} 的组成部分"),
    )


def read_sentences(terms: Sequence[Term], corpus: Corpus) -> tuple[Finding, ...]:
    """What the Chinese documents of the corpus state about the terms, in the order of the documents."""
    known: dict[str, int] = {}
    for position, term in enumerate(terms):
        if term.language == "zh":
            for variant in (term.label, *term.variants):
                known.setdefault(variant, position)
    if not known:
        return ()
    one = "|".join(re.escape(label) for label in sorted(known, key=lambda label: (-len(label), label)))
    some = rf"(?:{one})(?:[、和与及或](?:{one}))*"
    compiled = [
        (form, re.compile(re.sub(r"(?<=>)[TL](?=\))", lambda found: one if found[0] == "T" else some, form.pattern)))
        for form in _forms()
    ]
    return tuple(
        finding
        for number, document in enumerate(corpus.documents)
        if document.language == "zh"
        for form, pattern in compiled
        for found in pattern.finditer(f"{document.title}\n{document.text}")
        for finding in _found(form, found, known, number)
    )


def _found(form: Form, found: re.Match[str], known: dict[str, int], document: int) -> Iterator[Finding]:
    for child in _enumerated(found["child"], known):
        for parent in _enumerated(found["parent"], known):
            if child != parent:
                yield Finding(child, parent, form.relation, form.trust, form.said, document)


def _enumerated(text: str, known: dict[str, int]) -> list[int]:
    if text in known:
        return [known[text]]
    return [known[part] for part in re.split("[、和与及或]", text) if part in known]
