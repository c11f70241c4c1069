"""The scope of a crawl: URLs that match the include patterns and no exclude pattern."""

import re
from collections.abc import Sequence

from fcwseo.errors import InvalidInput


class Scope:
    """Patterns may match anywhere in a URL.

    >>> scope = Scope(include=["example"], exclude=["[.]pdf$"])
    >>> scope.why_not("http://a.example/b.pdf"), scope.why_not("http://a.example/")
    ("matches '[.]pdf$'", '')
    """

    def __init__(self, *, include: Sequence[str] = (), exclude: Sequence[str] = ()) -> None:
        self._include = [_compiled(pattern) for pattern in include]
        self._exclude = [_compiled(pattern) for pattern in exclude]

    def why_not(self, url: str) -> str:
        """The reason why a URL is excluded; empty if it is not."""
        for pattern in self._exclude:
            if pattern.search(url):
                return f"matches {pattern.pattern!r}"
        if self._include and not any(pattern.search(url) for pattern in self._include):
            return "matches no include pattern"
        return ""


def _compiled(pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern)
    except re.error as error:
        raise InvalidInput(f"{pattern!r} is not a regular expression: {error}") from error
