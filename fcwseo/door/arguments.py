"""What users give: webs, seeds and paths in the forms that are at hand."""

from collections.abc import Sequence
from pathlib import Path

from fcwseo.crawling.seeds import gather_seeds
from fcwseo.errors import InvalidInput
from fcwseo.webs.opening import open_web
from fcwseo.webs.protocol import ClosedWeb

AnyPath = str | Path
AnySeeds = str | Path | Sequence[str | Path]
AnyWeb = ClosedWeb | str | Path


def seed_names(given: AnySeeds) -> list[str]:
    """Seeds as the command line gives them: files and URLs.

    >>> seed_names("http://a.example/"), seed_names([Path("seeds.txt")])
    (['http://a.example/'], ['seeds.txt'])
    """
    return [str(given)] if isinstance(given, str | Path) else [str(one) for one in given]


def seeds_of(given: AnySeeds, *, seed_set: int = 1) -> list[str]:
    """The addresses to start from."""
    return gather_seeds(seed_names(given), seed_set=seed_set)


def web_of(given: AnyWeb) -> ClosedWeb:
    """A closed web that a user gives, opened if need be."""
    if isinstance(given, str | Path):
        return open_web(str(given))
    if not all(hasattr(given, name) for name in ("fetch", "identity", "spec")):
        raise InvalidInput(
            f"a {type(given).__name__} is not a web: give a folder, an archive, generated-PAGES-SEED or a web"
        )
    return given


def spec_of(given: AnyWeb) -> str:
    """What other processes open a web by.

    >>> spec_of(open_web("generated-500-0")), spec_of("webs/bees")
    ('generated-500-0', 'webs/bees')
    """
    return str(given) if isinstance(given, str | Path) else given.spec
