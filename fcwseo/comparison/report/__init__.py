"""Tables, figures and pages of comparisons and of single crawls."""

from fcwseo.comparison.report.comparison import report_comparison, write_comparison
from fcwseo.comparison.report.crawl.page import report_run

__all__ = ["report_comparison", "report_run", "write_comparison"]
