"""A web that is computed, not stored: the embedded default for the demo, for tests, for crawls of any size.

``layout`` says which hosts there are, ``cards`` what each page is about, ``links`` where it links to,
``text`` writes it, and ``calendar`` is a trap.
"""

from fcwseo.webs.generated.web import GeneratedWeb

__all__ = ["GeneratedWeb"]
