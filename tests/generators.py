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
