"""An ontology-driven, multi-objective focused crawler.

>>> from fcwseo import GeneratedWeb, Plan, run_crawl
>>> web = GeneratedWeb(seed=0, pages=1000)
>>> from pathlib import Path; from tempfile import mkdtemp
>>> result = run_crawl(web, web.topic(), web.seeds("rainstorm"), Path(mkdtemp()), Plan(max_pages=50))
>>> result.stop, result.counts["pages"]
(<Stop.BUDGET: 'budget'>, 50)
"""

import typing as _typing
from importlib import import_module as _import_module

if _typing.TYPE_CHECKING:
    from fcwseo.crawling.engine import Stop, Window, crawl, replay
    from fcwseo.crawling.plan import Plan
    from fcwseo.crawling.run import Result, run_crawl
    from fcwseo.crawling.run_directory import read_visits
    from fcwseo.crawling.run_live import run_live
    from fcwseo.crawling.settings import LiveSettings
    from fcwseo.errors import FcwseoError
    from fcwseo.pages import Failure, Link, Page, Visit, Why
    from fcwseo.strategies import STRATEGIES
    from fcwseo.strategies.protocol import AT_ONCE, Strategy, Turns
    from fcwseo.webs.frozen import FrozenWeb
    from fcwseo.webs.generated import GeneratedWeb
    from fcwseo.webs.opening import open_web
    from fcwseo.webs.protocol import Web

__all__ = [
    "AT_ONCE",
    "STRATEGIES",
    "Failure",
    "FcwseoError",
    "FrozenWeb",
    "GeneratedWeb",
    "Link",
    "LiveSettings",
    "Page",
    "Plan",
    "Result",
    "Stop",
    "Strategy",
    "Turns",
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

# Where each public name is. It is imported when it is first asked for: a program pays for what it uses.
_WHERE = {
    "AT_ONCE": "fcwseo.strategies.protocol",
    "STRATEGIES": "fcwseo.strategies",
    "Failure": "fcwseo.pages",
    "FcwseoError": "fcwseo.errors",
    "FrozenWeb": "fcwseo.webs.frozen",
    "GeneratedWeb": "fcwseo.webs.generated",
    "Link": "fcwseo.pages",
    "LiveSettings": "fcwseo.crawling.settings",
    "Page": "fcwseo.pages",
    "Plan": "fcwseo.crawling.plan",
    "Result": "fcwseo.crawling.run",
    "Stop": "fcwseo.crawling.engine",
    "Strategy": "fcwseo.strategies.protocol",
    "Turns": "fcwseo.strategies.protocol",
    "Visit": "fcwseo.pages",
    "Web": "fcwseo.webs.protocol",
    "Why": "fcwseo.pages",
    "Window": "fcwseo.crawling.engine",
    "crawl": "fcwseo.crawling.engine",
    "open_web": "fcwseo.webs.opening",
    "read_visits": "fcwseo.crawling.run_directory",
    "replay": "fcwseo.crawling.engine",
    "run_crawl": "fcwseo.crawling.run",
    "run_live": "fcwseo.crawling.run_live",
}


if not _typing.TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name not in _WHERE:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        globals()[name] = getattr(_import_module(_WHERE[name]), name)
        return globals()[name]

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
