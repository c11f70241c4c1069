"""Archives of fetched pages: exchanges, and reading and writing of WARC files."""
