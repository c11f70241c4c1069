"""What the pages of a site say on every page: menus, notices, names. It is none of the topic."""

import re
from collections import Counter
from collections.abc import Sequence

from fcwseo_ontology.corpus.tokens import HAN

RUN = 6  # tokens in a row; fewer may be a phrase of the domain
FEWEST = 4  # documents that must share them
SHARE = 0.5  # of the documents that must share them

_TOKEN = re.compile(rf"{HAN.pattern[:-1]}|(?:(?!{HAN.pattern})[^\W_])+")


def shared_runs(texts: Sequence[str]) -> frozenset[tuple[str, ...]]:
    """The runs of words that at least half of the texts have, and at least four of them.

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
    """The text without the shared runs.

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
