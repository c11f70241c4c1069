"""Suggestions for misspelt names."""

import difflib
from collections.abc import Iterable


def nearest(word: str, known: Iterable[str]) -> str:
    """The end of an error message about an unknown name: the most similar known name, or else all known
    names.

    >>> nearest("witdh", ["seed", "width"]), nearest("colour", ["seed", "width"])
    (": did you mean 'width'?", '; there are: seed, width')
    """
    names = list(known)
    near = difflib.get_close_matches(word, names, n=1)
    return f": did you mean {near[0]!r}?" if near else f"; there are: {', '.join(names)}"
