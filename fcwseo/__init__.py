"""An ontology-driven, multi-objective focused crawler.

>>> from fcwseo import GeneratedWeb, run_crawl
>>> web = GeneratedWeb(seed=0, pages=1000)
>>> from pathlib import Path; from tempfile import mkdtemp
>>> result = run_crawl(web, web.topic(), web.seeds("rainstorm"), Path(mkdtemp()), max_pages=50)
>>> result.stop, result.counts["pages"]
(<Stop.BUDGET: 'budget'>, 50)
"""

from fcwseo.config import LiveSettings
from fcwseo.crawling import Result, run_crawl
from fcwseo.engine import Stop, Window, crawl, replay
from fcwseo.errors import FcwseoError
from fcwseo.frozen import FrozenWeb
from fcwseo.generated import GeneratedWeb
from fcwseo.live.crawling import run_live
from fcwseo.pages import Failure, Link, Page, Visit, Why
from fcwseo.runlog import read_visits
from fcwseo.strategies import STRATEGIES
from fcwseo.strategy import Strategy
from fcwseo.web import Web
from fcwseo.webs import open_web

__all__ = [
    "STRATEGIES",
    "Failure",
    "FcwseoError",
    "FrozenWeb",
    "GeneratedWeb",
    "Link",
    "LiveSettings",
    "Page",
    "Result",
    "Stop",
    "Strategy",
    "Visit",
    "Web",
    "Why",
    "Window",
    "crawl",
    "open_web",
    "read_visits",
    "replay",
    "run_crawl",
    "run_live",
]
