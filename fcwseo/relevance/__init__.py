"""Text -> [0, 1]: how much a page is about a topic."""

from fcwseo.relevance.protocol import Relevance
from fcwseo.relevance.topical import TopicalRelevance
from fcwseo.relevance.words import TokenCache
from fcwseo_ontology.topic import Topic

__all__ = ["Relevance", "TopicalRelevance", "crawl_relevance"]


def crawl_relevance(topic: Topic, token_cache: TokenCache | None = None) -> Relevance:
    """What crawls judge pages by."""
    return TopicalRelevance(topic, token_cache)
