"""Settings: precedence, and errors of unusable settings."""

from pathlib import Path

import pytest

from fcwseo.crawling.settings import CrawlSettings, Settings, load_settings
from fcwseo.errors import InvalidInput
from fcwseo_ontology.errors import FcwseoError


def toml(folder: Path, text: str) -> Path:
    path = folder / "settings.toml"
    path.write_text(text, encoding="utf-8")
    return path


def message(file: Path | None = None, environment: dict[str, str] | None = None) -> str:
    """The error of an unusable setting: one line."""
    with pytest.raises(InvalidInput) as caught:
        load_settings(file, environment or {})
    assert caught.value.exit_code == 4 and "\n" not in str(caught.value)
    return str(caught.value)


def test_the_defaults() -> None:
    assert load_settings(None, {}) == Settings(CrawlSettings("fcwseo", 1000, 0, 1, None, None))


def test_the_command_line_counts_more_than_the_environment_than_the_file(tmp_path: Path) -> None:
    file = toml(tmp_path, "[crawl]\nmax_pages = 11\nwidth = 2\nseed = 3\n")
    environment = {"FCWSEO_CRAWL__MAX_PAGES": "22", "FCWSEO_CRAWL__WIDTH": "4"}
    given = {"crawl": {"max_pages": 33, "width": None, "seed": None, "eta": None}}
    assert load_settings(file, {}).crawl == CrawlSettings(max_pages=11, width=2, seed=3)
    assert load_settings(file, environment).crawl == CrawlSettings(max_pages=22, width=4, seed=3)
    assert load_settings(file, environment, given).crawl == CrawlSettings(max_pages=33, width=4, seed=3)
    assert load_settings(None, environment, given).crawl == CrawlSettings(max_pages=33, width=4)


def test_a_zero_on_the_command_line_counts(tmp_path: Path) -> None:
    file = toml(tmp_path, "[crawl]\nseed = 3\neta = 0.5\n")
    assert load_settings(file, {}, {"crawl": {"seed": 0, "eta": 0.0}}).crawl == CrawlSettings(seed=0, eta=0.0)


@pytest.mark.parametrize("key", CrawlSettings.__struct_fields__)
def test_every_key_is_an_environment_variable(key: str) -> None:
    value = {"strategy": "bfs", "eta": "0.25"}.get(key, "7")
    settings = load_settings(None, {f"FCWSEO_CRAWL__{key.upper()}": value}).crawl
    assert str(getattr(settings, key)) == value


def test_other_variables_are_not_settings() -> None:
    environment = {"FCWSEO_CACHE": "here", "FCWSEO_WORDNET": "there", "PATH": "", "XFCWSEO_CRAWL__WIDTH": "3"}
    assert load_settings(None, environment) == Settings()


def test_an_empty_file_and_one_with_a_mark_are_settings(tmp_path: Path) -> None:
    assert load_settings(toml(tmp_path, ""), {}) == Settings()
    assert load_settings(toml(tmp_path, "\ufeff[crawl]\nwidth = 5\n"), {}).crawl.width == 5


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[crawl]\nwidht = 3\n", "settings.toml has an unknown key crawl.widht: did you mean 'width'?"),
        ("[crawl]\nmax-pages = 3\n", "unknown key crawl.max-pages: did you mean 'max_pages'?"),
        ("[crawl]\nzzz = 3\n", "unknown key crawl.zzz; there are: strategy, max_pages"),
        ("[crwl]\nwidth = 3\n", "unknown section 'crwl': did you mean 'crawl'?"),
        ("width = 3\n", "unknown section 'width'; there are: crawl"),
        ("crawl = 3\n", "settings.toml sets 'crawl' to a value"),
        ("[crawl]\nwidth = 'x'\n", "settings.toml has a setting that cannot be used: Expected `int`"),
        ("[crawl]\nwidth = 0\n", "cannot be used: Expected `int` >= 1 for crawl.width, not 0"),
        ("[crawl]\nmax_pages = -5\n", "cannot be used: Expected `int` >= 1 for crawl.max_pages, not -5"),
        ("[crawl]\nmax_pages = 1_000_000_001\n", "cannot be used: Expected `int` <= 1000000000"),
        ("[crawl]\nmax_pages = 99999999999999999999999\n", "cannot be used: Expected `int` <= 1000000000"),
        ("[crawl]\nmax_pages = true\n", "cannot be used: Expected `int` for crawl.max_pages, not True"),
        ("[crawl]\nmax_pages = 2.5\n", "cannot be used: Expected `int`"),
        ("[crawl]\neta = 1.5\n", "Expected `float` <= 1.0 for crawl.eta, not 1.5"),
        ("[crawl]\neta = nan\n", "cannot be used: Expected `float`"),
        ("[crawl]\nstrategy = [1]\n", "cannot be used: Expected `str`"),
        ("[crawl\n", "settings.toml is not TOML: "),
        ("[crawl]\nwidth = 1\nwidth = 2\n", "settings.toml is not TOML: "),
        ("\0", "settings.toml is not TOML: "),
    ],
)
def test_a_file_that_cannot_be_used(tmp_path: Path, text: str, said: str) -> None:
    assert said in message(toml(tmp_path, text))


def test_a_file_that_is_not_text(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_bytes(b"\xff\xfe\x00")
    assert "settings.toml is not TOML: " in message(tmp_path / "settings.toml")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    said = message(tmp_path / "settings.toml")
    assert said.startswith("cannot read the configuration ") and said.endswith("No such file or directory")
    assert message(tmp_path).endswith("Is a directory")


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("FCWSEO_CRAWL__WIDHT", "3", "the environment has an unknown key crawl.widht: did you mean 'width'?"),
        ("FCWSEO_CRWL__WIDTH", "3", "the environment has an unknown section 'crwl': did you mean 'crawl'?"),
        ("FCWSEO_CRAWL", "3", "the environment has an unknown key crawl."),
        ("FCWSEO_CRAWL__WIDTH", "many", "the environment has a setting that cannot be used: Expected `int`"),
        ("FCWSEO_CRAWL__WIDTH", "-1", "Expected `int` >= 1"),
        ("FCWSEO_CRAWL__ETA", "nan", "Expected `float`"),
    ],
)
def test_a_variable_that_cannot_be_used(name: str, value: str, said: str) -> None:
    assert said in message(None, {name: value})


def test_a_bad_file_is_said_even_if_the_command_line_counts_more(tmp_path: Path) -> None:
    file = toml(tmp_path, "[crawl]\nwidth = 0\n")
    with pytest.raises(FcwseoError, match=r"settings\.toml has a setting"):
        load_settings(file, {}, {"crawl": {"width": 3}})


def test_a_pause_without_end_and_a_disk_with_less_than_nothing_are_refused(tmp_path: Path) -> None:
    assert "delay" in message(toml(tmp_path, "[live]\ndelay = inf"))
    assert "delay" in message(toml(tmp_path, "[live]\ndelay = nan"))
    assert "live.min_free" in message(toml(tmp_path, "[live]\nmin_free = -1"))
