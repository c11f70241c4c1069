"""Public functions: the settings in force, and the links that a crawl would follow first."""

from collections.abc import Sequence
from typing import Any

from fcwseo.crawling.settings import Settings, load_settings
from fcwseo.door.arguments import AnyPath, AnySeeds, path_of, seeds_of
from fcwseo.door.topics import AnyTopic, topic_of
from fcwseo.tables import Table


def settings(config: AnyPath | None = None) -> Settings:
    """Read the settings in force from a file and from environment variables such as ``FCWSEO_CRAWL__WIDTH``.

    Args:
        config: A TOML file.

    Returns:
        The settings, in the sections ``crawl``, ``live`` and ``traps``.

    Raises:
        InvalidInput: If a setting is unknown or cannot be used.

    >>> import fcwseo as f
    >>> f.settings().crawl.strategy
    'fcwseo'
    """
    return load_settings(None if config is None else path_of(config, "config"))


def preview(
    *,
    topic: AnyTopic,
    seeds: AnySeeds,
    strategy: str | None = None,
    seed: int | None = None,
    seed_set: int | None = None,
    include: Sequence[str] | None = None,
    exclude: Sequence[str] | None = None,
    config: AnyPath | None = None,
) -> Table[Any]:
    """Find the links that a live crawl would follow first. Nothing is fetched.

    Args:
        topic: The topic of the crawl, as in ``crawl``.
        seeds: Where to start: a file, a URL, or a list of them.
        strategy: How to choose links (``"fcwseo"``).
        seed: Seed of the random numbers (0).
        seed_set: Number of the seed set, if a file has several (1).
        include: Fetch only URLs that match one of these regular expressions.
        exclude: Fetch no URL that matches one of these regular expressions.
        config: A TOML file of settings; arguments take precedence.

    Returns:
        A record for each link: its URL, and the reason if it would be refused.

    Raises:
        InvalidInput: If a topic, a seed or a setting cannot be used.

    >>> import fcwseo as f
    >>> found = f.preview(topic="rainstorm", seeds="http://a.example/", exclude=["a.example"])
    >>> found[0].url, bool(found[0].refused)
    ('http://a.example/', True)
    """
    from fcwseo.uses.preview import First, first_links

    chosen = load_settings(
        None if config is None else path_of(config, "config"),
        given={
            "crawl": {"strategy": strategy, "seed": seed, "seed_set": seed_set},
            "live": {"include": include, "exclude": exclude},
        },
        where="the call",
    )
    return Table(First, first_links(chosen, topic_of(topic), seeds_of(seeds, seed_set=chosen.crawl.seed_set)))
