"""Bytes to text: byte order mark, then header, then meta element, then detection."""

import codecs
import encodings
import pkgutil

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fcwseo.pages.charset import decode

RAIN = "Überflutung nach Starkregen"
GERMAN = "Die Überflutung in Köln war größer als erwartet, sagte Frau Müller. "
CHINESE = "暴雨引发洪水。城市道路被淹。居民被迫转移到安全地带。"
RUSSIAN = "Сильный дождь вызвал наводнение, дороги затоплены, жители эвакуированы. "
JAPANESE = "大雨による洪水で、市内の道路が冠水し、住民が避難した。これは雨です。" * 4
PLAIN = "<p>rain and more rain</p>\n" * 3000


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
    ],
)
def test_a_byte_order_mark_counts_more_than_any_declaration(mark: bytes, encoding: str) -> None:
    body = mark + f"<meta charset=koi8-r>{RAIN}".encode(encoding)
    assert decode(body, "text/html; charset=latin-1") == f"<meta charset=koi8-r>{RAIN}"


def test_the_header_counts_more_than_the_meta_element() -> None:
    body = f"<meta charset=utf-8>{RAIN}".encode("cp1252")
    assert decode(body, "text/html; charset=windows-1252").endswith(RAIN)


@pytest.mark.parametrize(
    "header",
    [
        'text/html; charset="windows-1251"',
        "text/html;charset=WINDOWS-1251",
        "text/html; Charset = windows-1251; x=y",
        "text/html; charset='cp1251'",
    ],
)
def test_spellings_of_the_header(header: str) -> None:
    assert decode(RUSSIAN.encode("cp1251"), header) == RUSSIAN


@pytest.mark.parametrize(
    "element",
    [
        "<meta charset=windows-1251>",
        "<META CHARSET='Windows-1251'/>",
        '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">',
        '<?xml version="1.0" encoding="windows-1251"?>',
    ],
)
def test_spellings_of_the_meta_element(element: str) -> None:
    assert decode(f"<html>{element}{RUSSIAN}".encode("cp1251")) == f"<html>{element}{RUSSIAN}"


@pytest.mark.parametrize(
    ("declared", "written", "text"),
    [
        ("iso-8859-1", "cp1252", "“rain” for 20 €"),
        ("us-ascii", "cp1252", "café"),
        ("gb2312", "gb18030", "朱镕基"),
        ("euc-kr", "cp949", "똠방각하"),
        ("shift_jis", "cp932", "①②"),
        ("utf-16", "utf-8", RAIN),  # the declaration could be read, so that it is wrong
    ],
)
def test_declarations_mean_what_they_mean_on_the_web(declared: str, written: str, text: str) -> None:
    assert decode(f"<meta charset={declared}>{text}".encode(written)).endswith(text)


def test_a_header_may_say_that_the_page_is_in_utf_16() -> None:
    assert decode(RAIN.encode("utf-16-be"), "text/html; charset=utf-16be") == RAIN


@pytest.mark.parametrize(
    "name", ["nonsense", "undefined", "base64", "rot13", "idna", "punycode", "x" * 500, "-"]
)
def test_a_declaration_that_names_no_encoding_of_text_is_passed_over(name: str) -> None:
    assert decode(RAIN.encode(), f"text/html; charset={name}") == RAIN
    assert decode(f"<meta charset={name}>{RAIN}".encode()).endswith(RAIN)


@pytest.mark.parametrize("name", sorted(module.name for module in pkgutil.iter_modules(encodings.__path__)))
def test_no_declaration_makes_decoding_fail(name: str) -> None:
    for body in (f"<p>{RAIN} \\x \\u12".encode(), bytes(range(255, -1, -1)), b"xn--\xff.example"):
        assert isinstance(decode(body, f"text/html; charset={name}"), str)


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (GERMAN, "utf-8"),
        (GERMAN, "cp1252"),
        ("Copyright © 2005 Ann Lee", "latin-1"),
        ("It is raining “hard” at 20 °C", "cp1252"),
        (CHINESE, "gb18030"),
        (RUSSIAN, "cp1251"),
        (RUSSIAN, "koi8-r"),
        (JAPANESE, "shift_jis"),
        (JAPANESE, "euc-jp"),
        ("plain", "ascii"),
    ],
)
@pytest.mark.parametrize("before", ["", PLAIN], ids=["alone", "after much that is plain"])
def test_without_a_declaration_the_encoding_is_detected(text: str, encoding: str, before: str) -> None:
    assert decode(before.encode() + text.encode(encoding)) == before + text


@pytest.mark.parametrize("text", [GERMAN * 5, CHINESE])
def test_a_page_that_was_cut_inside_of_a_letter_keeps_its_other_letters(text: str) -> None:
    cut = PLAIN.encode() + text.encode() + "雨".encode()[:2]
    assert decode(cut) == f"{PLAIN}{text}\ufffd"


@settings(max_examples=200, deadline=None)
@given(
    st.binary(max_size=300), st.sampled_from(["", "text/html", "text/html; charset=", "charset=big5", "é\0"])
)
def test_any_bytes_become_text(body: bytes, header: str) -> None:
    assert isinstance(decode(body, header), str)


def test_a_long_line_takes_no_longer_than_many_short_ones() -> None:
    """The square of these lengths would take hours."""
    assert decode(b"x" * 3_000_000 + b"\xfc").endswith("xü")
