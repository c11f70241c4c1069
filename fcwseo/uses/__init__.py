"""Uses of a topic or a finished run: explain, export, search, recrawl, calibrate."""
