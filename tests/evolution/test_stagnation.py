"""Whether a crawl is stuck: which pages count."""

from fcwseo.evolution.stagnation import Stagnation


def successful() -> Stagnation:
    crawl = Stagnation()
    crawl.add(True, is_seed=True)
    for _ in range(50):
        crawl.add(True)
    return crawl


def test_a_crawl_that_finds_nothing_more_is_stuck() -> None:
    crawl = successful()
    assert crawl.stuck == 0
    for _ in range(200):
        crawl.add(False)
    assert crawl.stuck > 0.9


def test_pages_of_exploring_links_do_not_count() -> None:
    crawl = successful()
    for _ in range(200):
        crawl.add(False, explores=True)
    assert crawl.stuck == 0


def test_seeds_do_not_count() -> None:
    crawl = successful()
    for _ in range(200):
        crawl.add(False, is_seed=True)
    assert crawl.stuck == 0
