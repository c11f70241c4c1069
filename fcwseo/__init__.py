"""An ontology-driven, multi-objective focused crawler.

>>> import fcwseo as f
>>> from tempfile import mkdtemp
>>> web, topic = f.open_web("generated-1000-0"), f.load_topic("rainstorm")
>>> run = f.crawl(web=web, topic=topic, seeds=web.seeds("rainstorm"), max_pages=50, out=mkdtemp())
>>> run.stop, run.counts["pages"], run.harvest_rate > 0.5
('budget', 50, True)
"""

import typing as _typing
from importlib import import_module as _import_module

if _typing.TYPE_CHECKING:
    from fcwseo.comparison.compare import Comparison, open_comparison
    from fcwseo.crawling.rehearsal import Rehearsal
    from fcwseo.door import seeds
    from fcwseo.door.comparisons import acompare, compare
    from fcwseo.door.crawls import acrawl, crawl
    from fcwseo.door.ontologies import build_ontology, calibrate, check_ontology, load_ontology, load_topic
    from fcwseo.door.previews import preview, settings
    from fcwseo.door.progress import Progress
    from fcwseo.door.runs import Run, open_run, repair
    from fcwseo.door.scaffolds import new_strategy
    from fcwseo.door.topics import Ontology, Topic
    from fcwseo.door.webs import describe_web, import_web, make_web, open_web, serve_web
    from fcwseo.errors import FcwseoError
    from fcwseo.pages import Failure, Link, Page, Visit, Why
    from fcwseo.relevance.protocol import Relevance
    from fcwseo.strategies import STRATEGIES
    from fcwseo.strategies.loading import strategies
    from fcwseo.strategies.protocol import AT_ONCE, Strategy, Turns
    from fcwseo.tables import Table
    from fcwseo.webs.frozen import FrozenWeb
    from fcwseo.webs.generated import GeneratedWeb
    from fcwseo.webs.protocol import Web

__all__ = [
    "AT_ONCE",
    "STRATEGIES",
    "Comparison",
    "Failure",
    "FcwseoError",
    "FrozenWeb",
    "GeneratedWeb",
    "Link",
    "Ontology",
    "Page",
    "Progress",
    "Rehearsal",
    "Relevance",
    "Run",
    "Strategy",
    "Table",
    "Topic",
    "Turns",
    "Visit",
    "Web",
    "Why",
    "acompare",
    "acrawl",
    "build_ontology",
    "calibrate",
    "check_ontology",
    "compare",
    "crawl",
    "describe_web",
    "import_web",
    "load_ontology",
    "load_topic",
    "make_web",
    "new_strategy",
    "open_comparison",
    "open_run",
    "open_web",
    "preview",
    "repair",
    "seeds",
    "serve_web",
    "settings",
    "strategies",
]

# Where each public name is. It is imported when it is first used, so that a program loads what it needs.
_WHERE = {
    "AT_ONCE": "fcwseo.strategies.protocol",
    "STRATEGIES": "fcwseo.strategies",
    "Comparison": "fcwseo.comparison.compare",
    "Failure": "fcwseo.pages",
    "FcwseoError": "fcwseo.errors",
    "FrozenWeb": "fcwseo.webs.frozen",
    "GeneratedWeb": "fcwseo.webs.generated",
    "Link": "fcwseo.pages",
    "Ontology": "fcwseo.door.topics",
    "Page": "fcwseo.pages",
    "Progress": "fcwseo.door.progress",
    "Rehearsal": "fcwseo.crawling.rehearsal",
    "Relevance": "fcwseo.relevance.protocol",
    "Run": "fcwseo.door.runs",
    "Strategy": "fcwseo.strategies.protocol",
    "Table": "fcwseo.tables",
    "Topic": "fcwseo.door.topics",
    "Turns": "fcwseo.strategies.protocol",
    "Visit": "fcwseo.pages",
    "Web": "fcwseo.webs.protocol",
    "Why": "fcwseo.pages",
    "acompare": "fcwseo.door.comparisons",
    "acrawl": "fcwseo.door.crawls",
    "build_ontology": "fcwseo.door.ontologies",
    "calibrate": "fcwseo.door.ontologies",
    "check_ontology": "fcwseo.door.ontologies",
    "compare": "fcwseo.door.comparisons",
    "crawl": "fcwseo.door.crawls",
    "describe_web": "fcwseo.door.webs",
    "import_web": "fcwseo.door.webs",
    "load_ontology": "fcwseo.door.ontologies",
    "load_topic": "fcwseo.door.ontologies",
    "make_web": "fcwseo.door.webs",
    "new_strategy": "fcwseo.door.scaffolds",
    "open_comparison": "fcwseo.comparison.compare",
    "open_run": "fcwseo.door.runs",
    "open_web": "fcwseo.door.webs",
    "preview": "fcwseo.door.previews",
    "repair": "fcwseo.door.runs",
    "seeds": "fcwseo.door.seeds",
    "serve_web": "fcwseo.door.webs",
    "settings": "fcwseo.door.previews",
    "strategies": "fcwseo.strategies",
}


if not _typing.TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name not in _WHERE:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        found = _import_module(_WHERE[name])
        globals()[name] = getattr(found, name, found)  # ``seeds`` and ``strategies`` are modules
        return globals()[name]

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
