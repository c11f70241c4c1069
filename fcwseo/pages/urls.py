"""Canonical URLs. URLs are made canonical once, where they enter: in the parser, seed files and frozen webs.

Parsing and joining follow the WHATWG URL standard (ada-url). In addition, fragments, credentials, tracking
parameters and session parameters are removed, and query parameters are sorted by name. Two URLs with the same
canonical form count as one page.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from urllib.parse import unquote_to_bytes

from ada_url import join_url, normalize_url

_TRACKING = re.compile(
    r"""(?: utm_\w+ | mtm_\w+ | hsa_\w+ | oly_\w+_id | _hs(?:enc|mi) | _g[al] | mc_[ce]id | mkt_tok
        | vero_(?:id|conv) | (?:g|d|fb|tt|y|ms|tw|wb|gb)clid | msclkid | yclid | igshid | wickedid |
        rb_clickid | s_cid | (?:php|j|asp|auth)?sess(?:ion)?_?id\w* | aspsessionid\w* | cfid | cftoken |
        zenid | oscsid )\Z""",
    re.IGNORECASE | re.VERBOSE,
)
_PATH_SESSION = re.compile(r";(?:jsessionid|phpsessid|sid)=[^/?]*", re.IGNORECASE)
_CREDENTIALS = re.compile(r"(?<=://)[^/?#]*@")
_INDEX = re.compile(r"(?<=/)(?:index|default|home)\.(?:html?|php|shtml)\Z", re.IGNORECASE)
# URLs that the standard leaves unchanged, recognised without a parser: most links of most pages.
_PLAIN_CHARACTERS = r"[A-Za-z0-9._~/+,=-]*+(?:%(?!2[Ee])[A-Za-z0-9._~/+,=-]*+)*+"
_PLAIN_PATH = re.compile(rf"[A-Za-z0-9_~/-]{_PLAIN_CHARACTERS}")
_PLAIN_ORIGIN = re.compile(r"https?://(?:[a-wyz0-9][a-z0-9]*+(?:-[a-z0-9]++)*+\.)+[a-wyz][a-z]++(?=/)")
_PLAIN_URL = re.compile(rf"{_PLAIN_ORIGIN.pattern}{_PLAIN_CHARACTERS}")


def canonical(url: str, base: str | None = None) -> str | None:
    """The canonical form of ``url``, resolved against ``base``; None if it is not an http or https URL.

    >>> canonical("HTTP://Example.COM:80/a/../b?z=1&utm_source=x&a=2#top")
    'http://example.com/b?a=2&z=1'
    >>> canonical("../c", "http://example.com/a/b")
    'http://example.com/c'
    >>> canonical("mailto:someone@example.com") is None
    True
    """
    try:
        href = normalize_url(url) if base is None else join_url(base, url)
    except (ValueError, UnicodeEncodeError):  # UnicodeEncodeError: a lone surrogate
        return None
    if not href.startswith(("http://", "https://")):
        return None
    href, _, _ = href.partition("#")
    if "@" in href:
        href = _CREDENTIALS.sub("", href)
    path, question, query = href.partition("?")
    if ";" in path:
        path = _without_session(path)
    if not question:
        return path
    query = _ordered(query)
    return f"{path}?{query}" if query else path


def header_url(field: str) -> str:
    """A URL in a header that was decoded as Latin-1, decoded as UTF-8 if possible, as browsers do.

    >>> header_url("/caf\u00c3\u00a9"), header_url("/caf\u00e9")
    ('/café', '/café')
    """
    try:
        return field.encode("latin-1").decode()
    except UnicodeError:
        return field


def _without_session(url: str) -> str:
    """The URL without session parameters in its path, resolved again, since ``/a/..;sid=1`` leaves ``..``."""
    start = url.index("/", len("https://"))
    path = _PATH_SESSION.sub("", url[start:])
    return normalize_url(url[:start] + path)


def _ordered(query: str) -> str:
    """The query without tracking and session parameters, sorted by name; the sort is stable."""
    parameters = [part for part in query.split("&") if part and not _TRACKING.match(part.partition("=")[0])]
    return "&".join(sorted(parameters, key=lambda part: part.partition("=")[0]))


def resolver(base: str) -> Callable[[str], str | None]:
    """A function that returns the canonical URL of a link on the page ``base``; None if it has none.

    >>> resolve = resolver("http://example.com/a/b.html?c")
    >>> resolve("c.html"), resolve("/c.html#part"), resolve("?d"), resolve("javascript:void(0)")
    ('http://example.com/a/c.html', 'http://example.com/c.html', 'http://example.com/a/b.html?d', None)
    """
    folder = base.partition("?")[0].rpartition("/")[0] + "/"
    origin = _PLAIN_ORIGIN.match(base)
    root = origin.group() if origin else ""

    def resolve(href: str) -> str | None:
        if href.startswith(("mailto:", "javascript:")):
            return None
        # Only a URL without a path depends on more than the folder of its page.
        has_path = href.startswith(("/", ".", "http://", "https://")) or (
            href[:1].isalnum() and ":" not in href
        )
        return _resolved(root, folder, href) if has_path else canonical(href, base)

    return resolve


@lru_cache(maxsize=1 << 15)  # menus: pages of a folder repeat the same links
def _resolved(root: str, folder: str, href: str) -> str | None:
    path = href.partition("#")[0] if "#" in href else href
    return (_shortcut(root, folder, path) if root else None) or canonical(href, folder)


def _shortcut(root: str, folder: str, path: str) -> str | None:
    """The absolute URL of a path if the standard would change nothing but leading ``../``; else None."""
    if path.startswith("http"):
        return path if "/." not in path and _PLAIN_URL.fullmatch(path) else None
    if path.startswith("//"):
        return _shortcut(root, folder, root.partition("/")[0] + path)
    if path.startswith("/"):
        return root + path if "/." not in path and _PLAIN_PATH.fullmatch(path) else None
    while path.startswith("../"):
        path = path[3:]
        folder = folder[: folder.rfind("/", len(root), -1) + 1] or f"{root}/"
    if path.startswith("/") or "/." in path or not _PLAIN_PATH.fullmatch(path):
        return None
    return folder + path


def host(url: str) -> str:
    """The host of a canonical URL, with its port unless it is the default port.

    >>> host("http://example.com:8080/a")
    'example.com:8080'
    """
    return url.split("/", 3)[2]


def loose(url: str) -> str:
    """The key under which frozen webs with ``loose_urls`` look up a canonical URL.

    It ignores the scheme, trailing slashes, index files and percent-encoding.

    >>> loose("https://example.com/%7Eann/index.html") == loose("http://example.com/~ann")
    True
    """
    rest = url.partition("://")[2]
    if "%" in rest:
        rest = unquote_to_bytes(rest).decode("utf-8", "backslashreplace")
    return _INDEX.sub("", rest.rstrip("/")).rstrip("/")
