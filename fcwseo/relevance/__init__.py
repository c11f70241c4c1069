"""Text -> [0, 1]: how much a page is about a topic."""

from typing import Protocol

from fcwseo.pages import Page
from fcwseo.relevance.topical import TopicalRelevance
from fcwseo.relevance.words import WordRelevance

__all__ = ["Relevance", "TopicalRelevance", "WordRelevance"]


class Relevance(Protocol):
    """How much a page, or a text such as an anchor, is about the topic of a crawl: a number in [0, 1].

    A page is judged once, when it was fetched; a relevance may learn from it what is common on this web. All
    strategies of a comparison judge by the same one.
    """

    def __call__(self, page: Page) -> float: ...

    def of_text(self, text: str) -> float: ...
