"""What a page says to robots."""

import pytest

from fcwseo.pages.parse import parse


@pytest.mark.parametrize(
    ("content", "nofollow", "noindex"),
    [
        ("index, follow", False, False),
        ("NOINDEX,nofollow", True, True),
        ("none", True, True),
        ("noindex", False, True),
        ("index, max-image-preview:none", False, False),
    ],
)
def test_robots(content: str, nofollow: bool, noindex: bool) -> None:
    page = parse(f'<meta name="robots" content="{content}">', "http://example.com/")
    assert (page.nofollow, page.noindex) == (nofollow, noindex)
