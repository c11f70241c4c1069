"""Models of relevance from other papers: vector space, senses, word vectors, a taxonomy, keywords."""
