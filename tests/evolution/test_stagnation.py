"""Whether a crawl is stuck: which pages count."""

from fcwseo.evolution.stagnation import Stagnation


def successful() -> Stagnation:
    crawl = Stagnation()
    crawl.add(0.5, is_seed=True)
    for _ in range(50):
        crawl.add(0.5)
    return crawl


def test_a_crawl_that_finds_nothing_more_is_stuck() -> None:
    crawl = successful()
    assert crawl.stuck == 0
    for _ in range(200):
        crawl.add(0.0)
    assert crawl.stuck > 0.9


def test_pages_of_exploring_links_do_not_count() -> None:
    crawl = successful()
    for _ in range(200):
        crawl.add(0.0, explores=True)
    assert crawl.stuck == 0


def test_seeds_do_not_count() -> None:
    crawl = successful()
    for _ in range(200):
        crawl.add(0.0, is_seed=True)
    assert crawl.stuck == 0
