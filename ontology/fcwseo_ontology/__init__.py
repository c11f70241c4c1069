"""From a corpus to a domain ontology to weighted feature words. Knows nothing of crawling."""
