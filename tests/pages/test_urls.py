"""Addresses: one canonical form, the same by every way to it."""

import json
from pathlib import Path
from typing import Any

import pytest
from ada_url import join_url, normalize_url
from helpers.generators import hrefs, urls
from hypothesis import given, settings

from fcwseo.pages.urls import canonical, host, loose, resolver

STANDARD = Path(__file__).parents[3] / "shared" / "external" / "url" / "urltestdata.json"


@settings(max_examples=500, deadline=None)
@given(urls())
def test_the_canonical_form_of_a_canonical_form_is_itself(url: str) -> None:
    once = canonical(url)
    if once is not None:
        assert canonical(once) == once


@pytest.mark.slow
@settings(max_examples=500, deadline=None)
@given(hrefs(), urls())
def test_a_joined_address_is_canonical(href: str, base: str) -> None:
    joined = canonical(href, canonical(base) or "http://a.example/")
    if joined is not None:
        assert canonical(joined) == joined


@pytest.mark.slow
@settings(max_examples=1000, deadline=None)
@given(hrefs(), urls())
def test_a_resolver_knows_shortcuts_and_no_other_answers(href: str, base: str) -> None:
    page = canonical(base) or "http://a.example/b/c.html"
    resolve = resolver(page)
    assert resolve(href) == canonical(href, page)
    assert resolve(href) == canonical(href, page)  # from memory


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("HTTP://Example.COM/A", "http://example.com/A"),
        ("http://example.com", "http://example.com/"),
        ("http://example.com:80/", "http://example.com/"),
        ("https://example.com:443/", "https://example.com/"),
        ("https://example.com:80/", "https://example.com:80/"),
        ("http://example.com/a/./b/../c", "http://example.com/a/c"),
        ("http://example.com/a#part", "http://example.com/a"),
        ("http://example.com/a#", "http://example.com/a"),
        ("http://example.com/?", "http://example.com/"),
        ("http://ann:secret@example.com/", "http://example.com/"),
        ("http://a@b@example.com/x@y", "http://example.com/x@y"),
        ("http://example.com/?mail=a@b", "http://example.com/?mail=a@b"),
        (" http://example.com/a b\n", "http://example.com/a%20b"),
        ("http://bücher.example/", "http://xn--bcher-kva.example/"),
        ("http:\\\\example.com\\a", "http://example.com/a"),
    ],
)
def test_spellings_of_one_address_become_one(url: str, expected: str) -> None:
    assert canonical(url) == expected


@pytest.mark.parametrize(
    "url",
    [
        *("", "a.html", "/a", "mailto:ann@example.com", "javascript:void(0)", "ftp://a.example/", "data:,x"),
        *("http://", "http://a b/", "http://example.com:99999/", "file:///etc/hosts", "http://\ud800/"),
    ],
)
def test_what_is_no_address_of_the_web_has_no_canonical_form(url: str) -> None:
    assert canonical(url) is None


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("b=2&a=1", "?a=1&b=2"),
        ("a=2&b=0&a=1", "?a=2&a=1&b=0"),  # the order among equals may mean something
        ("a&&b&", "?a&b"),
        ("A=1&a=2&B=3", "?A=1&B=3&a=2"),
        ("q=a+b%20c", "?q=a+b%20c"),
        ("q=1?x=2", "?q=1?x=2"),
    ],
)
def test_parameters_stand_in_order_of_their_names(query: str, expected: str) -> None:
    assert canonical(f"http://example.com/?{query}") == f"http://example.com/{expected}"


TRACKING = """utm_source utm_Campaign mtm_kwd gclid fbclid dclid msclkid yclid igshid mc_cid mc_eid _ga _gl
    _hsenc mkt_tok"""
SESSIONS = """PHPSESSID jsessionid sessionid session_id sessid aspsessionidabc authsessid CFID cftoken zenid
    osCsid"""


@pytest.mark.parametrize("name", f"{TRACKING} {SESSIONS}".split())
def test_tracking_and_session_parameters_do_not_make_another_page(name: str) -> None:
    assert canonical(f"http://example.com/a?{name}=1&q=2") == "http://example.com/a?q=2"
    assert canonical(f"http://example.com/a?{name}") == "http://example.com/a"


@pytest.mark.parametrize("name", "id page q s session utm source sessions_of_day gclids ga cid".split())
def test_parameters_that_say_which_page_stay(name: str) -> None:
    assert canonical(f"http://example.com/a?{name}=1") == f"http://example.com/a?{name}=1"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/a;jsessionid=9F?q=1", "/a?q=1"),
        ("/a;JSESSIONID=9F/b;sid=2/c", "/a/b/c"),
        ("/a;version=2", "/a;version=2"),
        ("/a;inside=1", "/a;inside=1"),
        ("/a/..;sid=1/b", "/b"),  # what is left are dots
        ("/a?q=;sid=1", "/a?q=;sid=1"),
    ],
)
def test_sessions_in_a_path_do_not_make_another_page(path: str, expected: str) -> None:
    assert canonical(f"http://example.com{path}") == f"http://example.com{expected}"


def test_what_looks_like_a_session_in_a_host_is_part_of_the_host() -> None:
    assert canonical("http://a;sid=1/b") == "http://a;sid=1/b"


@pytest.mark.parametrize(
    ("url", "expected"), [("http://a.example/b", "a.example"), ("https://a:81/", "a:81")]
)
def test_the_host_of_an_address_keeps_an_unusual_port(url: str, expected: str) -> None:
    assert host(url) == expected


# --- loose matching ---------------------------------------------------------------------------------------

LOOSELY_ONE = [
    *("http://a.example/b", "https://a.example/b", "http://a.example/b/", "http://a.example/b/index.html"),
    *("http://a.example/b/index.htm", "http://a.example/b/default.php", "http://a.example/b/home.shtml"),
    *(
        "http://a.example/%62",
        "http://a.example/%62/Index.HTML",
        "http://a.example/b%2F",
        "http://a.example/b//",
    ),
]


@pytest.mark.parametrize("url", LOOSELY_ONE)
def test_scheme_slash_index_file_and_encoding_are_ignored_by_loose_matching(url: str) -> None:
    assert loose(url) == loose("http://a.example/b")


@pytest.mark.parametrize(
    "url",
    [
        *("http://a.example/B", "http://a.example/b.html", "http://b.example/b", "http://a.example:81/b"),
        *("http://a.example/b?q=1", "http://a.example/b/index.txt", "http://a.example/b/myindex.html"),
        *("http://a.example/b/index.html/c", "http://a.example/b-index.html", "http://a.example/"),
    ],
)
def test_other_differences_count_in_loose_matching(url: str) -> None:
    assert loose(url) != loose("http://a.example/b")


def test_loose_matching_distinguishes_hosts_named_like_index_files() -> None:
    assert loose("http://index.html/") != loose("http://home.php/")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://a.example/%E9", "http://a.example/%e9"),  # not UTF-8: still the same bytes
        ("http://a.example/caf%C3%A9", "http://a.example/caf%c3%a9"),
        ("http://a.example/", "https://a.example/index.html"),
    ],
)
def test_loose_matching_of_bytes_that_are_no_text(one: str, other: str) -> None:
    assert loose(one) == loose(other)


@settings(max_examples=300, deadline=None)
@given(urls())
def test_loose_matching_never_fails(url: str) -> None:
    address = canonical(url)
    if address is not None:
        assert loose(address) == loose(address.replace("http://", "https://", 1))
        if "?" not in address:
            assert loose(address) == loose(address + "/")


# --- the standard -----------------------------------------------------------------------------------------


def standard_cases() -> list[dict[str, Any]]:
    if not STANDARD.is_file():
        pytest.skip(f"the test data of the URL standard is not at {STANDARD}")
    cases = json.loads(STANDARD.read_text(encoding="utf-8"))
    return [case for case in cases if isinstance(case, dict)]


def test_addresses_are_read_as_the_standard_reads_them() -> None:
    cases = [case for case in standard_cases() if case.get("href", "").startswith(("http://", "https://"))]
    assert len(cases) == 247
    for case in cases:
        base, url, expected = case["base"], case["input"], case["href"]
        assert (normalize_url(url) if base is None else join_url(base, url)) == expected, case
        assert canonical(url, base) == canonical(expected), case


def test_what_the_standard_rejects_has_no_canonical_form() -> None:
    failures = [case for case in standard_cases() if case.get("failure")]
    of_the_web = [
        case for case in failures if any((case[key] or "").startswith("http") for key in ("input", "base"))
    ]
    assert len(of_the_web) == 199
    for case in failures:
        assert canonical(case["input"], case["base"]) is None, case
