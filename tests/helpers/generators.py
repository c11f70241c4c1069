"""Hypothesis strategies: addresses and HTML, whole and damaged."""

from hypothesis import strategies as st

# --- addresses --------------------------------------------------------------------------------------------

# What has a meaning in an address, what has none, what must be encoded, and what looks like a session.
_URL_LETTERS = "abXY019._~-/%?#&=:@ ;\\é\t"
_URL_WORDS = [
    *("", "/", "//", ".", "..", "../", "./", "%2e", "%2F", "%41", "%zz", "?", "#", "&", "&&", "=", "a", "é"),
    *(";sid=1", ";jsessionid=9A", "utm_source=x", "PHPSESSID=1", "sid=1", "q=1", "q=2", "index.html", "@"),
]


def url_tails() -> st.SearchStrategy[str]:
    """What may follow the host in an address, or stand in a ``href``."""
    words = st.lists(st.sampled_from(_URL_WORDS), max_size=6).map("".join)
    return (
        words
        | st.text(_URL_LETTERS, max_size=12)
        | st.tuples(words, st.text(_URL_LETTERS, max_size=4)).map("".join)
    )


def origins() -> st.SearchStrategy[str]:
    return st.sampled_from(
        [
            *("http://a.example", "https://a.b.example", "HTTP://A.Example", "http://a.example:80"),
            *("https://a.example:443", "http://a.example:8080", "http://ann:pw@a.example", "http://10.0.0.1"),
            *("http://127.1", "http://xn--bcher-kva.example", "http://bücher.example", "http://[::1]"),
            *("http://1.2.3.example", "http://a-b.example", "http://a..example", "http://a.example."),
        ]
    )


def urls() -> st.SearchStrategy[str]:
    """Absolute addresses, most of them of the web."""
    return st.builds(lambda origin, tail: f"{origin}/{tail}", origins(), url_tails())


def hrefs() -> st.SearchStrategy[str]:
    """What stands in a ``href``: relative, absolute, or of another scheme."""
    other = st.sampled_from(
        ["mailto:a@b.example", "javascript:void(0)", "data:,x", "http:", "https:b", "\ud800"]
    )
    return url_tails() | urls() | st.builds(lambda o, t: o + t, origins(), url_tails()) | other


# --- HTML -------------------------------------------------------------------------------------------------

_TEXTS = [
    *(
        "rain",
        "storm",
        " ",
        "\n ",
        "flood ",
        " river",
        "雨",
        "&amp;",
        "&nbsp;",
        "&lt;b&gt;",
        "&eacute",
        "a &",
    ),
    *("A long sentence about the river that rose last night and about the rain that fell before it. ",),
]
_LINKS = [
    *(
        '<a href="b.html">',
        "<a href=/c title='a title'>",
        '<a href="#part">',
        '<a href="">',
        "<a name=x>",
        "<a>",
    ),
    *('<a href="http://b.example/x y">', '<a rel="nofollow" href="?q=1&amp;r=2">', "<a href='mailto:a@b.c'>"),
    *('<a href=" d " rel="noopener NoFollow">', "<A HREF=e HREF=f>"),
]
_VOIDS = [
    *("<br>", "<hr>", "<img>", '<img alt="an image">', "<img alt=''>", "<br/>", "<input value=x>"),
    *("<area href=/map alt='a place'>", "<!-- a comment -->", "<!---->"),
]
_UNSEEN = [
    *("<script>'<p>never</p>'</script>", "<style>p {}</style>", "<noscript>never</noscript>"),
    *('<iframe src="frame.html">never</iframe>', "<iframe></iframe>"),
]
_HEAD = [
    *("<title>Rain</title>", "<title> A &amp; B\n</title>", '<base href="/base/">', "<base href=other/>"),
    *('<meta name="keywords" content="rain, storm">', '<meta name="Description" content="about  rain">'),
    *('<meta name="robots" content="NOINDEX, nofollow">', '<meta name="robots" content="none">'),
    *('<link rel="canonical" href="/one">', '<link rel="stylesheet" href="/style">', "<meta>"),
    *('<meta http-equiv="content-language" content="de-AT">', "<script>'<p>never</p>'</script>"),
]
_INLINE = "b strong i span em font u small code".split()
_BLOCK = "div p h1 h2 h3 h4 h5 h6 blockquote center section article nav footer aside address pre".split()
_LIST = "ul ol menu li dl dt dd".split()
_TABLE = "table tbody tr td th caption".split()
_FORM = "form textarea button".split()
_TAGS = _INLINE + _BLOCK + _LIST + _TABLE + _FORM
_SHARDS = [
    "<",
    ">",
    "</",
    "</>",
    '"',
    "'",
    "=",
    "&",
    "&#",
    "&#x",
    "<!",
    "<!-",
    "<?",
    "\0",
    "<a",
    "<b ",
    "<p/>",
    "</ p>",
]


def _heads() -> st.SearchStrategy[str]:
    language = st.sampled_from(["", ' lang="en-GB"', ' xml:lang="fr"'])
    head = st.lists(st.sampled_from(_HEAD), max_size=4).map("".join)
    return st.builds("<!DOCTYPE html><html{}><head>{}</head>".format, language, head)


def tag_soup() -> st.SearchStrategy[str]:
    """Tags and texts in any order: nothing is nested as it should be."""
    tags = [mark for tag in _TAGS for mark in (f"<{tag}>", f"</{tag}>")]
    links = st.sampled_from([*_LINKS, "</a>", "</a>", "</a>"])
    rest = st.sampled_from(_VOIDS + _UNSEEN + _HEAD)
    token = st.sampled_from(tags) | st.sampled_from(_TEXTS) | links | rest
    body = st.lists(token, max_size=25).map("".join)
    return body | st.builds("{}<body>{}".format, _heads(), body)


def broken_html() -> st.SearchStrategy[str]:
    """Tag soup in which tags themselves are cut, doubled or torn apart."""

    def wound(page: str, wounds: list[tuple[int, int, str]]) -> str:
        for where, length, shard in wounds:
            start = where % (len(page) + 1)
            page = page[:start] + shard + page[start + length :]
        return page

    wounds = st.tuples(st.integers(0, 1000), st.integers(0, 12), st.sampled_from(["", *_SHARDS]))
    return st.builds(wound, tag_soup(), st.lists(wounds, min_size=1, max_size=5))


def well_formed_html() -> st.SearchStrategy[str]:
    """Pages as the standard wants them: every parser builds the same tree."""
    leaf = [mark for mark in (*_TEXTS, *_VOIDS, *_UNSEEN) if mark not in ("<hr>", "&eacute")]
    token = st.sampled_from([*_INLINE, *_BLOCK]) | st.sampled_from(leaf) | st.just("/")
    link = st.sampled_from([mark for mark in _LINKS if mark != "<A HREF=e HREF=f>"])
    body = st.lists(token | link | st.just("/"), max_size=25).map(_nested)
    return st.builds("{}<body>{}</body></html>".format, _heads(), body)


def _nested(tokens: list[str]) -> str:
    """Tags where they may stand, each closed in its turn."""
    page: list[str] = []
    open_tags: list[str] = []
    for token in tokens:
        tag = "a" if token.startswith("<a ") or token == "<a>" else token
        if token == "/":
            page += [f"</{open_tags.pop()}>"] if open_tags else []
        elif tag == "a" or tag in _INLINE or tag in _BLOCK:
            if _may_open(tag, open_tags):
                page.append(token if tag == "a" else f"<{tag}>")
                open_tags.append(tag)
        else:
            page.append(token)
    return "".join(page) + "".join(f"</{tag}>" for tag in reversed(open_tags))


def _may_open(tag: str, open_tags: list[str]) -> bool:
    """No link in a link; no block in a paragraph, a heading or an inline element."""
    if tag == "a":
        return "a" not in open_tags
    holders = {*_INLINE, "a", "p", "h1", "h2", "h3", "h4", "h5", "h6"}
    return tag in _INLINE or not holders.intersection(open_tags)
