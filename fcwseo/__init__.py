"""An ontology-driven, multi-objective focused crawler.

>>> from fcwseo import GeneratedWeb, run_crawl
>>> web = GeneratedWeb(seed=0, pages=1000)
>>> from pathlib import Path; from tempfile import mkdtemp
>>> result = run_crawl(web, web.topic(), web.seeds("rainstorm"), Path(mkdtemp()), max_pages=50)
>>> result.stop, result.counts["pages"]
(<Stop.BUDGET: 'budget'>, 50)
"""

from fcwseo.crawling.engine import Stop, Window, crawl, replay
from fcwseo.crawling.run import Result, run_crawl
from fcwseo.crawling.run_directory import read_visits
from fcwseo.crawling.run_live import run_live
from fcwseo.crawling.settings import LiveSettings
from fcwseo.errors import FcwseoError
from fcwseo.pages import Failure, Link, Page, Visit, Why
from fcwseo.strategies import STRATEGIES
from fcwseo.strategies.protocol import Strategy
from fcwseo.webs.frozen import FrozenWeb
from fcwseo.webs.generated import GeneratedWeb
from fcwseo.webs.opening import open_web
from fcwseo.webs.protocol import Web

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
