"""Before a crawl: the settings in force, and the links that it would follow first."""

from collections.abc import Sequence
from typing import Any

from fcwseo.crawling.settings import Settings, load_settings
from fcwseo.door.arguments import AnyPath, AnySeeds, path_of, seeds_of
from fcwseo.door.topics import AnyTopic, topic_of
from fcwseo.tables import Table


def settings(config: AnyPath | None = None) -> Settings:
    """Read the settings in force: of a file, of environment variables such as ``FCWSEO_CRAWL__WIDTH``.

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
        topic: What the crawl would look for.
        seeds: Where it would start: a file, a URL, or a list of them.
        strategy: How it would choose links (``"fcwseo"``).
        seed: The seed of all chance (0).
        seed_set: Which of the alternative seed sets of a file (1).
        include: Fetch only URLs that match one of these patterns.
        exclude: Fetch no URL that matches one of these patterns.
        config: A TOML file of settings; what is given here counts more.

    Returns:
        A record for each link: its URL, and why it would be refused, if so.

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
