"""Archives of fetched pages: what an exchange is, and how WARC files are read and written."""
