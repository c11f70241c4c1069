"""One canonical form for every URL, made once, where a URL enters: in the parser, in seed files, in frozen
webs.

Parsing and joining follow the WHATWG URL standard (ada-url). On top of it: fragments and credentials are
dropped, query parameters are put in order of their names, tracking and session parameters are left out. Two
URLs with the same canonical form count as one page.
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
# Addresses that the URL standard leaves as they are, told without a parser: most links of most pages.
_PLAIN_CHARACTERS = r"[A-Za-z0-9._~/+,=-]*+(?:%(?!2[Ee])[A-Za-z0-9._~/+,=-]*+)*+"
_PLAIN_PATH = re.compile(rf"[A-Za-z0-9_~/-]{_PLAIN_CHARACTERS}")
_PLAIN_ORIGIN = re.compile(r"https?://(?:[a-wyz0-9][a-z0-9]*+(?:-[a-z0-9]++)*+\.)+[a-wyz][a-z]++(?=/)")
_PLAIN_URL = re.compile(rf"{_PLAIN_ORIGIN.pattern}{_PLAIN_CHARACTERS}")


def canonical(url: str, base: str | None = None) -> str | None:
    """The canonical form of ``url``, seen from ``base``; None if it is no address of the web.

    >>> canonical("HTTP://Example.COM:80/a/../b?z=1&utm_source=x&a=2#top")
    'http://example.com/b?a=2&z=1'
    >>> canonical("../c", "http://example.com/a/b")
    'http://example.com/c'
    >>> canonical("mailto:someone@example.com") is None
    True
    """
    try:
        href = normalize_url(url) if base is None else join_url(base, url)
    except (ValueError, UnicodeEncodeError):  # the latter: half of a surrogate pair
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
    """An address in a header that was read as Latin-1, read as browsers do: as UTF-8 if it can be.

    >>> header_url("/caf\u00c3\u00a9"), header_url("/caf\u00e9")
    ('/café', '/café')
    """
    try:
        return field.encode("latin-1").decode()
    except UnicodeError:
        return field


def _without_session(address: str) -> str:
    """Taken out of the path, never out of the host; ``/a/..;sid=1`` leaves dots to resolve."""
    start = address.index("/", len("https://"))
    path = _PATH_SESSION.sub("", address[start:])
    return normalize_url(address[:start] + path)


def _ordered(query: str) -> str:
    """The parameters in order of their names, those of one name as they came, without tracking and
    sessions.
    """
    parameters = [part for part in query.split("&") if part and not _TRACKING.match(part.partition("=")[0])]
    return "&".join(sorted(parameters, key=lambda part: part.partition("=")[0]))


def resolver(base: str) -> Callable[[str], str | None]:
    """Makes the links of one page canonical.

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
        # Only an address without a path depends on more than the folder of its page.
        has_path = href.startswith(("/", ".", "http://", "https://")) or (
            href[:1].isalnum() and ":" not in href
        )
        return _resolved(root, folder, href) if has_path else canonical(href, base)

    return resolve


@lru_cache(maxsize=1 << 15)  # menus: the pages of a folder link to the same places again and again
def _resolved(root: str, folder: str, href: str) -> str | None:
    path = href.partition("#")[0] if "#" in href else href
    return (_shortcut(root, folder, path) if root else None) or canonical(href, folder)


def _shortcut(root: str, folder: str, path: str) -> str | None:
    """The whole address of a path below a plain root, if the standard changes nothing in it but steps up."""
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
    """The host of a canonical URL, with its port if that is an unusual one.

    >>> host("http://example.com:8080/a")
    'example.com:8080'
    """
    return url.split("/", 3)[2]


def loose(url: str) -> str:
    """What is left of a canonical URL when frozen webs with ``loose_urls`` look it up.

    >>> loose("https://example.com/%7Eann/index.html") == loose("http://example.com/~ann")
    True
    """
    rest = url.partition("://")[2]
    if "%" in rest:
        rest = unquote_to_bytes(rest).decode("utf-8", "backslashreplace")
    return _INDEX.sub("", rest.rstrip("/")).rstrip("/")
