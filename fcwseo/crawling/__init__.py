"""The crawl: engine, settings, seeds, metrics, and the run directory that holds its log."""
