"""Text -> [0, 1]: how relevant a page is to a topic."""

from fcwseo.relevance.words import WordRelevance

__all__ = ["WordRelevance"]
