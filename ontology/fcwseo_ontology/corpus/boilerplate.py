"""Boilerplate: runs of words that many documents share, such as the menus and notices of a site."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from fcwseo_ontology.corpus.documents import Corpus
from fcwseo_ontology.corpus.tokens import HAN

RUN = 6  # tokens; a shorter run may be a phrase of the domain
FEWEST = 4  # documents that must share a run
SHARE = 0.5  # of the documents must share a run

_TOKEN = re.compile(rf"{HAN.pattern[:-1]}|(?:(?!{HAN.pattern})[^\W_])+")


def without_boilerplate(corpus: Corpus) -> Corpus:
    """Return the corpus without the runs of words that at least half of its documents share.

    >>> from fcwseo_ontology.corpus.read import corpus_of_texts
    >>> menu = "Home News Shop About Us Contact"
    >>> site = corpus_of_texts([f"{word} {menu}" for word in ("rain", "hail", "fog", "sun")])
    >>> [document.text for document in without_boilerplate(site).documents]
    ['rain ', 'hail ', 'fog ', 'sun ']
    """
    documents = corpus.documents
    runs = shared_runs([f"{document.title}\n{document.text}" for document in documents])
    if not runs:
        return corpus
    bare = (
        replace(document, title=without(document.title, runs), text=without(document.text, runs))
        for document in documents
    )
    return replace(corpus, documents=tuple(bare))


def shared_runs(texts: Sequence[str]) -> frozenset[tuple[str, ...]]:
    """Return the runs of six words that at least half of the texts contain, and at least four texts.

    >>> shared_runs(["Home News Shop About Us Contact: rain"] * 3)
    frozenset()
    """
    enough = max(FEWEST, SHARE * len(texts))
    if len(texts) < enough:
        return frozenset()
    documents = Counter(run for text in texts for run in dict.fromkeys(_runs(_TOKEN.findall(text.lower()))))
    return frozenset(run for run, count in documents.items() if count >= enough)


def _runs(tokens: Sequence[str]) -> list[tuple[str, ...]]:
    return list(zip(*(tokens[offset:] for offset in range(RUN)), strict=False))


def without(text: str, shared: frozenset[tuple[str, ...]]) -> str:
    """Return the text without the shared runs.

    >>> runs = shared_runs(["Home News Shop About Us Contact"] * 4)
    >>> without("Heavy rain. Home News Shop About Us Contact: floods", runs)
    'Heavy rain. : floods'
    """
    found = list(_TOKEN.finditer(text))
    kept, end = [], 0
    for start, run in enumerate(_runs([token[0].lower() for token in found])):
        if run in shared:
            kept.append(text[end : max(end, found[start].start())])
            end = max(end, found[start + RUN - 1].end())
    return "".join((*kept, text[end:]))
