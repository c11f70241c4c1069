"""Whether a page of a report stands alone."""

from html.parser import HTMLParser

VOID = {"meta", "link", "br", "hr", "img", "input"}


class Page(HTMLParser):
    """Checks that tags are closed in order, and collects what would be fetched and what is said."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.fetched: list[str] = []
        self.styled = 0
        self.scripts = 0
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.fetched += [str(given[name]) for name in ("src", "srcset", "data", "poster") if name in given]
        self.fetched += [str(given["href"])] if tag == "link" else []
        self.styled += "style" in given or any(name.startswith("on") for name in given)
        self.scripts += tag == "script"
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def is_alone(text: str) -> bool:
    """Whether a page is whole, fetches nothing, and has no style or handler that its policy would refuse."""
    page = Page(text)
    return page.fetched == [] and page.styled == 0 and page.scripts == 2 and "default-src 'none'" in text
