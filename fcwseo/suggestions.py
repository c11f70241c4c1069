"""What a user may have meant who named something that is not there."""

import difflib
from collections.abc import Iterable


def nearest(word: str, known: Iterable[str]) -> str:
    """The end of a message about an unknown name: the known one that is nearest, or else all of them.

    >>> nearest("witdh", ["seed", "width"]), nearest("colour", ["seed", "width"])
    (": did you mean 'width'?", '; there are: seed, width')
    """
    names = list(known)
    near = difflib.get_close_matches(word, names, n=1)
    return f": did you mean {near[0]!r}?" if near else f"; there are: {', '.join(names)}"
