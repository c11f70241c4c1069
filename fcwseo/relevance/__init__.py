"""Text -> [0, 1]: the relevance of a page for a topic."""

from fcwseo.relevance.loading import load_relevance
from fcwseo.relevance.protocol import Relevance
from fcwseo.relevance.topical import TopicalRelevance

__all__ = ["Relevance", "TopicalRelevance", "load_relevance"]
