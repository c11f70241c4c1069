"""Documents and their words: reading a corpus, tokens, boilerplate, background frequencies."""
