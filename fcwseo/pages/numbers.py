"""Whole numbers in headers, which anybody may have written."""

import re

_DIGITS = re.compile(r"[0-9]+")
_LARGEST = 10**18


def whole_number(text: str) -> int | None:
    """The number that ASCII digits write, at most 10**18; None if there is anything else.

    ``str.isdigit`` also accepts "²", which ``int`` refuses, and ``int`` refuses more than 4,300 digits.

    >>> whole_number("0120"), whole_number("²"), whole_number("-1"), whole_number("9" * 5000) == 10**18
    (120, None, None, True)
    """
    if not _DIGITS.fullmatch(text):
        return None
    digits = text.lstrip("0")
    return min(int(digits or "0"), _LARGEST) if len(digits) < 20 else _LARGEST
