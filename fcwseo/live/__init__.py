"""The live web: what a crawl of real servers needs, behind the one method of ``Web``."""
