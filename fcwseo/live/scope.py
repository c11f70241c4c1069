"""What the user wants crawled: addresses that match one of some patterns, and none of others."""

import re
from collections.abc import Sequence

from fcwseo.errors import InvalidInput


class Scope:
    """Patterns are looked for anywhere in an address.

    >>> scope = Scope(include=["example"], exclude=["[.]pdf$"])
    >>> scope.why_not("http://a.example/b.pdf"), scope.why_not("http://a.example/")
    ("matches '[.]pdf$'", '')
    """

    def __init__(self, *, include: Sequence[str] = (), exclude: Sequence[str] = ()) -> None:
        self._include = [_compiled(pattern) for pattern in include]
        self._exclude = [_compiled(pattern) for pattern in exclude]

    def why_not(self, url: str) -> str:
        """Why an address is left out; nothing if it is not."""
        for pattern in self._exclude:
            if pattern.search(url):
                return f"matches {pattern.pattern!r}"
        if self._include and not any(pattern.search(url) for pattern in self._include):
            return "matches nothing that is to be included"
        return ""


def _compiled(pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern)
    except re.error as error:
        raise InvalidInput(f"{pattern!r} is no pattern for addresses: {error}") from error
