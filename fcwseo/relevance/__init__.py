"""Text -> [0, 1]: how much a page is about a topic."""

from fcwseo.relevance.loading import load_relevance
from fcwseo.relevance.protocol import Relevance
from fcwseo.relevance.topical import TopicalRelevance

__all__ = ["Relevance", "TopicalRelevance", "load_relevance"]
