"""A computed web for the demo, for tests, and for crawls of any size.

``layout`` defines the hosts, ``cards`` the topic of each page, ``links`` its links, ``text`` its text, and
``calendar`` is a trap.
"""

from fcwseo.webs.generated.web import GeneratedWeb

__all__ = ["GeneratedWeb"]
