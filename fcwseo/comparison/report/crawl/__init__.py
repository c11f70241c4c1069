"""The page of one crawl: what it found, by which rules and objectives, and which concepts it covers."""

from fcwseo.comparison.report.crawl.page import report_run, run_page

__all__ = ["report_run", "run_page"]
