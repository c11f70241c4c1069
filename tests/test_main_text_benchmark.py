"""The measures of ``benchmarks/main_text.py``, and the main text of its pages of five kinds."""

import pytest
from main_text import KINDS, Shares, extractor, is_held_out, marked, own_pages, scores, shares, shingles


def test_a_line_with_a_plus_is_main_text() -> None:
    page = marked("x", "  <div>menu</div>\n+ <p>Rain &amp; hail</p>\n")
    assert (page.html, page.gold) == ("<div>menu</div>\n<p>Rain &amp; hail</p>", "Rain & hail")


def test_shingles_are_runs_of_four_tokens() -> None:
    assert sorted(shingles("a b, c d e")) == [("a", "b", "c", "d"), ("b", "c", "d", "e")]
    assert list(shingles("a b")) == [("a", "b")] and not shingles("")
    assert list(shingles("大雨 ok")) == [("大", "雨", "ok")]


def test_shares_and_scores_by_hand() -> None:
    assert shares("a b c d e", "a b c d") == Shares(0.5, 0.5, 0.0)
    assert scores([Shares(0.5, 0.5, 0.0), Shares(0.5, 0.0, 0.5)]) == pytest.approx((2 / 3, 2 / 3, 2 / 3))
    assert scores([Shares(0.0, 0.0, 1.0)]) == (0.0, 0.0, 0.0)


def test_a_third_is_held_out() -> None:
    assert [is_held_out(name) for name in ("0", "1", "2", "a3")] == [True, False, False, False]


@pytest.mark.parametrize("kind", KINDS)
def test_five_pages_of_each_kind_and_their_main_text(kind: str) -> None:
    pages = own_pages(kind)
    assert len(pages) == 5 and {page.name[-2:] for page in pages} == {"en", "de", "zh"}
    ours = extractor("fcwseo")
    assert scores([shares(ours(page.html), page.gold) for page in pages])[2] > 0.8
