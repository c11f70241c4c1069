"""The blogs of the benchmarks: what they are, and that whole posts on lists do not mislead a crawl."""

import asyncio

import pytest
from blogs import LABEL, SHOWN, BlogWeb, found

from fcwseo.pages import Page


def pages(web: BlogWeb, urls: list[str]) -> list[Page]:
    found = [asyncio.run(web.fetch(url)) for url in urls]
    assert all(isinstance(page, Page) for page in found)
    return found  # type: ignore[return-value]


@pytest.mark.parametrize("shown", SHOWN)
def test_lists_repeat_posts_as_announced_and_only_posts_have_labels(shown: str) -> None:
    web = BlogWeb(1, shown, blogs=3, posts=24)
    assert [web.html(url) for url in web.urls()] == [
        BlogWeb(1, shown, blogs=3, posts=24).html(url) for url in web.urls()
    ]
    for url in web.urls():
        (page,) = pages(web, [url])
        assert len(web.labels(url)) == (not web.is_list(url))
        assert all(link.target in web for link in page.links)
    for host in web._hosts:
        (home,) = pages(web, [f"{host}/"])
        for post in web._lists[f"{host}/"][:20]:
            repeated = [paragraph in home.text for paragraph in post.paragraphs]
            expected = {"whole": len(repeated), "part": 1, "titles": 0}[shown]
            assert sum(repeated) == expected and any(link.target == post.url for link in home.links)
    assert all(web.labels(url) == (LABEL,) for url in web.seeds())


@pytest.mark.slow
def test_whole_posts_on_lists_do_not_hide_the_posts() -> None:
    """Without the share of a page's own text, a crawl fetches many more lists, for about as many posts."""
    whole, titles = (BlogWeb(0, shown, blogs=1, posts=900) for shown in ("whole", "titles"))
    crawled = {web: found(web, "fcwseo", 250) for web in (whole, titles)}
    assert crawled[whole].posts >= 0.8 * crawled[titles].posts
    for web, own in crawled.items():
        before = found(web, "without-repeats", 250)
        assert own.lists < 0.7 * before.lists
        assert own.posts >= 0.95 * before.posts
