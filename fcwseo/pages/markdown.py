"""The main text of a page as Markdown: headings, lists, quotations, code."""

import re
from itertools import groupby

from fcwseo.pages import Page

# Characters that Markdown would interpret at the start of a line: headings, lists, quotations, tables, HTML.
_MARK = re.compile(r"(?=[#>|<]|[-+*]\s|[-=*_]{3,}\s*$|```|~~~)|\d{1,9}(?=[.)]\s)")


def markdown(page: Page) -> str:
    """The main text of a page as Markdown, without links and emphasis.

    >>> page = Page("u", text="Rain\\nIt rains.\\nhail\\nsnow\\n# of floods: 3", kinds="1pllp")
    >>> print(markdown(page))
    # Rain
    <BLANKLINE>
    It rains.
    <BLANKLINE>
    - hail
    - snow
    <BLANKLINE>
    \\# of floods: 3
    """
    lines = page.text.split("\n") if page.text else []
    kinds = page.kinds.ljust(len(lines), "p")
    parts = []
    for kind, group in groupby(zip(kinds, lines, strict=False), key=lambda pair: pair[0]):
        texts = [text for _, text in group]
        if kind == "c":
            parts.append("\n".join(("````", *texts, "````")))
        elif kind == "l":
            parts.append("\n".join(f"- {_plain(text)}" for text in texts))
        elif kind == "q":
            parts.append("\n>\n".join(f"> {_plain(text)}" for text in texts))
        else:
            hashes = "#" * int(kind) + " " if kind.isdigit() else ""
            parts.extend(f"{hashes}{_plain(text)}" for text in texts)
    return "\n\n".join(parts)


def _plain(text: str) -> str:
    """A line with its first characters escaped if Markdown would interpret them."""
    begins = _MARK.match(text)
    return f"{text[: begins.end()]}\\{text[begins.end() :]}" if begins else text
