"""What holds for every test."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("suite", deadline=None)  # cores are shared, and the first example loads tables
settings.register_profile("quick", deadline=None, max_examples=20)  # a fifth of the usual, for `make quick`
settings.load_profile("suite")


@pytest.fixture(autouse=True, scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Parsed webs are kept in a folder of this session: no test touches the user's cache."""
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FCWSEO_CACHE", str(folder))
        yield folder


@pytest.fixture
def all_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the most relevant pages as of others."""
    monkeypatch.setattr("fcwseo.links.evidence.table.CAP", 100.0)
