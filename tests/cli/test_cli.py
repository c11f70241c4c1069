"""The command line: every command, every bad input, and what goes where."""

import gzip
import json
import os
import re
import resource
import signal
import tomllib
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from helpers.commands import Fcwseo, Outcome, environment, finish, run, start, write_crawl
from helpers.runs import left_at, log
from helpers.sources import IS_TREE, NO_TREE, TREE
from helpers.webs import write_web

from fcwseo import GeneratedWeb
from fcwseo.crawling.plan import Plan
from fcwseo.crawling.run import run_crawl
from fcwseo.crawling.settings import load_settings
from fcwseo.uses.demo import STRATEGIES
from fcwseo.webs.opening import make_web
from fcwseo_cli import commands


@pytest.fixture(scope="session")
def web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A frozen web of 300 pages."""
    out = tmp_path_factory.mktemp("webs") / "small"
    make_web(GeneratedWeb(0, 300), out)
    return out


@pytest.fixture
def crawl(tmp_path: Path) -> list[str | Path]:
    """The arguments of a crawl of 20 pages, except the run directory; its files lie in ``tmp_path``."""
    return [*write_crawl(tmp_path, pages=300), "--max-pages", "20", "--out"]


def with_(arguments: list[str | Path], **options: str | Path) -> list[str | Path]:
    """The arguments with other values for some options."""
    changed = list(arguments)
    for name, value in options.items():
        changed[changed.index(f"--{name.replace('_', '-')}") + 1] = value
    return changed


# The command tree


def walk(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command that does something, with the words that call it."""
    below: Mapping[str, Any] = getattr(command, "commands", {})
    for name, child in below.items():
        yield from walk(child, (*path, name))
    if not below:
        yield path, command


COMMANDS = dict(item for name in commands.COMMANDS for item in walk(commands.loaded(name), (name,)))
every_command = pytest.mark.parametrize("path", COMMANDS, ids=" ".join)


def test_the_commands() -> None:
    wanted = "web info|web make|web import|web serve|crawl|status|export|search|demo|config show|seeds merge"
    assert {" ".join(path) for path in COMMANDS} >= set(wanted.split("|"))


@pytest.mark.parametrize("name", commands.COMMANDS)
def test_the_help_of_all_commands_is_that_of_each(name: str) -> None:
    assert commands.COMMANDS[name].help == commands.loaded(name).get_short_help_str(1000)


def test_the_list_of_commands_fits_into_80_columns(fcwseo: Fcwseo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    groups = {path[:1] for path in COMMANDS if len(path) > 1}
    for group in ((), *sorted(groups)):
        listed = fcwseo(*group, "--help").out.partition("Commands:")[2]
        assert listed and "..." not in listed, listed


@every_command
def test_every_command_has_help(fcwseo: Fcwseo, path: tuple[str, ...]) -> None:
    outcome = fcwseo(*path, "--help")
    assert outcome.code == 0 and outcome.err == ""
    assert outcome.out.startswith(f"Usage: fcwseo {' '.join(path)} ")
    assert re.search(r"\n\n  \w[^\n]+", outcome.out)


@every_command
def test_every_option_has_help(path: tuple[str, ...]) -> None:
    for parameter in COMMANDS[path].params:
        assert parameter.help, f"{' '.join(path)} {parameter.name}"


@pytest.mark.parametrize("group", ["web", "config", "seeds", "weights"])
def test_a_group_of_commands_shows_its_help(fcwseo: Fcwseo, group: str) -> None:
    outcome = fcwseo(group)
    assert outcome.code == 2 and outcome.err.startswith(f"Usage: fcwseo {group} ")
    assert fcwseo(group, "--help").code == 0


def test_no_command_shows_the_commands(fcwseo: Fcwseo) -> None:
    outcome = fcwseo()
    assert outcome.code == 2 and all(path[0] in outcome.err for path in COMMANDS)


@pytest.mark.skipif(not IS_TREE, reason=NO_TREE)
@every_command
def test_every_command_stands_in_the_readme(path: tuple[str, ...]) -> None:
    assert f"fcwseo {' '.join(path)}" in (TREE / "README.md").read_text(encoding="utf-8")


# Seeds and weights


def test_rankings_are_merged_into_seeds(fcwseo: Fcwseo, tmp_path: Path) -> None:
    for name, urls in (("one", "a b"), ("two", "b"), ("three", "c b")):
        (tmp_path / name).write_text("\n".join(f"http://{url}.example/" for url in urls.split()))
    rankings = [str(tmp_path / name) for name in ("one", "two", "three")]
    outcome = fcwseo("seeds", "merge", *rankings, "--out", str(tmp_path / "seeds.txt"))
    assert (outcome.code, outcome.out) == (0, "")
    assert "wrote 3 seeds" in outcome.err and "1 of priority 1, 2 of priority 3" in outcome.err
    assert (tmp_path / "seeds.txt").read_text().startswith("http://b.example/ # priority 1\n")


def test_a_ranking_that_is_not_there(fcwseo: Fcwseo, tmp_path: Path) -> None:
    outcome = fcwseo("seeds", "merge", str(tmp_path / "none"), "--out", str(tmp_path / "seeds.txt"))
    assert is_one_error(outcome, 4)
    assert not (tmp_path / "seeds.txt").exists()


def test_weights_are_fitted_to_a_crawl(fcwseo: Fcwseo, tmp_path: Path) -> None:
    run = str(tmp_path / "run")
    web = GeneratedWeb(0, 400)
    run_crawl(web, web.topic(), web.seeds("rainstorm"), Path(run), Plan(max_pages=60))
    equal, found = json.loads(fcwseo("weights", "fit", run, "--json").out)
    assert equal["weights"] == dict.fromkeys(("full", "anchor", "title", "context"), 0.25)
    assert found["name"] == "least-squares" and found["error"] < equal["error"]
    assert "least-squares" in fcwseo("weights", "fit", run).out
    assert is_one_error(fcwseo("weights", "fit", str(tmp_path)), 4)


# Bad input


def is_one_error(outcome: Outcome, code: int) -> bool:
    """One line that begins with ``error:``, the code, and nothing else."""
    lines = outcome.err.splitlines()
    return outcome.code == code and outcome.out == "" and len(lines) == 1 and lines[0].startswith("error: ")


def folder_of(path: Path) -> set[str]:
    return {str(below.relative_to(path)) for below in path.rglob("*")}


class Bad(NamedTuple):
    """A crawl that fails: the wrong option, its value (``@`` names a file) and the error."""

    option: str
    value: str
    said: str
    content: bytes = b""
    code: int = 4


BAD = [
    Bad("topic", "rainstrom", "no shipped topic 'rainstrom': did you mean 'rainstorm'?"),
    Bad("topic", "rain" * 99, "no shipped topic"),
    Bad("topic", "@none.owl", "cannot read .*none.owl: No such file"),
    Bad("topic", "@none.json", "cannot read the topic .*none.json: No such file"),
    Bad("topic", "@words.json", "words.json is not JSON", b"rain, storm"),
    Bad("topic", "@words.json", "words.json is not JSON", b"\xff\xfe{}"),
    Bad("topic", "@words.json", "words.json is not JSON", b'{"name": "rain", "weig'),
    Bad("topic", "@words.json", "unpaired surrogate", rb'{"name": "rain", "weights": {"rain\udc00": 1}}'),
    Bad("topic", "@words.json", 'words.json has no object "weights"', b'{"name": "rain"}'),
    Bad("topic", "@words.json", "no word with a positive weight", b'{"name": "rain", "weights": {}}'),
    Bad("topic", "@words.json", "no word with a positive weight", b'{"name": "rain", "weights": {"a": 0}}'),
    Bad("topic", "@words.json", "the weight of 'a' is 'much'", b'{"weights": {"a": "much"}}'),
    Bad("topic", "@words.json", "the weight of 'a' is nan", b'{"weights": {"a": NaN}}'),
    Bad("seeds", "@none.txt", "cannot read the seeds .*none.txt: No such file"),
    Bad("seeds", "@seeds.txt", "seeds.txt has no seeds", b"\n# only a comment\n\n"),
    Bad("seeds", "@seeds.txt", "seeds.txt has no seeds", b""),
    Bad(
        "seeds",
        "@seeds.txt",
        "line 2: 'www.a.example' is not an http URL",
        b"http://a.example/\nwww.a.example\n",
    ),
    Bad("seeds", "@seeds.txt", "seeds.txt is not a text file", b"\xff\xfe\x00h"),
    Bad(
        "seeds",
        "@seeds.txt",
        "no seed is a page of generated-300-0",
        b"http://outside.example/\n",
    ),
    Bad("seeds", "http://outside.example/", "no seed is a page of"),
    Bad("seeds", "http://", "is not an http URL"),
    Bad("web", "@nowhere", "there is no web at .*nowhere: give a folder"),
    Bad("web", "@empty/", "the folder .*empty has no pages.jsonl.gz"),
    Bad("web", "generated-3-0", "a generated web of 3 pages is too small"),
    Bad("max-pages", "-5", "Invalid value for '--max-pages'", code=2),
    Bad("max-pages", "0", "Invalid value for '--max-pages'", code=2),
    Bad("max-pages", "99999999999999999999999", "Invalid value for '--max-pages'", code=2),
    Bad("max-pages", "many", "Invalid value for '--max-pages'", code=2),
    Bad("out", "@words.json/run", "cannot write .*words.json/run: Not a directory"),
    Bad("out", "@words.json", "cannot write .*words.json: "),
    Bad("out", "/dev/null/run", "cannot write /dev/null/run: Not a directory"),
]


@pytest.mark.parametrize("bad", BAD, ids=lambda bad: f"{bad.option} {bad.said}"[:60])
def test_what_cannot_be_crawled(fcwseo: Fcwseo, crawl: list[str | Path], tmp_path: Path, bad: Bad) -> None:
    value = str(tmp_path / bad.value[1:]) if bad.value[0] == "@" else bad.value
    if bad.value.endswith("/") and bad.value[0] == "@":
        Path(value).mkdir()
    if bad.content or bad.value.startswith(f"@{bad.option}."):
        Path(value).write_bytes(bad.content)
    before = folder_of(tmp_path)
    outcome = fcwseo(*with_([*crawl, tmp_path / "run"], **{bad.option: value}))
    assert is_one_error(outcome, bad.code), outcome
    assert re.search(bad.said, outcome.err), outcome.err
    assert folder_of(tmp_path) == before


@pytest.mark.parametrize(
    ("more", "code", "said"),
    [
        (["--strategy", "beast-first"], 4, "no strategy 'beast-first': did you mean 'best-first'"),
        (["--seed-set", "2"], 4, "has 1 seed sets, so there is no set 2"),
        (["--config", "none.toml"], 4, "cannot read the configuration none.toml: No such file"),
        (["--width", "0"], 2, "Invalid value for '--width'"),
        (["--eta", "1.5"], 2, "Invalid value for '--eta'"),
        (["--eta", "nan"], 2, "Invalid value for '--eta'"),
        (["--stratgy", "bfs"], 2, "No such option: --stratgy"),
        (["more"], 2, "unexpected extra argument"),
    ],
)
def test_options_that_cannot_be_used(
    fcwseo: Fcwseo, crawl: list[str | Path], tmp_path: Path, more: list[str], code: int, said: str
) -> None:
    before = folder_of(tmp_path)
    outcome = fcwseo(*crawl, tmp_path / "run", *more)
    assert is_one_error(outcome, code), outcome
    assert said in outcome.err
    assert folder_of(tmp_path) == before


@pytest.mark.parametrize("missing", ["--topic", "--seeds", "--out"])
def test_options_that_are_missing(
    fcwseo: Fcwseo, crawl: list[str | Path], tmp_path: Path, missing: str
) -> None:
    arguments = [*crawl, tmp_path / "run"]
    at = arguments.index(missing)
    outcome = fcwseo(*arguments[:at], *arguments[at + 2 :])
    assert is_one_error(outcome, 2) and f"Missing option '{missing}'" in outcome.err


def test_a_setting_of_the_environment_that_cannot_be_used(
    fcwseo: Fcwseo, crawl: list[str | Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FCWSEO_CRAWL__WIDHT", "3")
    outcome = fcwseo(*crawl, tmp_path / "run")
    assert is_one_error(outcome, 4) and "did you mean 'width'?" in outcome.err


def frozen(folder: Path, content: bytes) -> Path:
    folder.mkdir()
    (folder / "pages.jsonl.gz").write_bytes(content)
    return folder


def cut_gzip(folder: Path, web: Path) -> Path:
    return frozen(folder, (web / "pages.jsonl.gz").read_bytes()[:-2000])


def no_gzip(folder: Path, web: Path) -> Path:
    return frozen(folder, b"not packed at all\n")


def cut_json(folder: Path, web: Path) -> Path:
    return frozen(folder, gzip.compress(b'{"url": "http://a.example/", "html": "<p>ra\n'))


def nothing_in_it(folder: Path, web: Path) -> Path:
    return frozen(folder, gzip.compress(b""))


def bad_meta(folder: Path, web: Path) -> Path:
    frozen(folder, (web / "pages.jsonl.gz").read_bytes())
    (folder / "meta.json").write_text('{"name": ')
    return folder


def cut_warc(folder: Path, web: Path) -> Path:
    return frozen(folder, b"") / "none.warc.gz"


DAMAGED = [
    (cut_gzip, r"pages\.jsonl\.gz is damaged after line \d+ \(.*\)"),
    (no_gzip, r"pages\.jsonl\.gz is damaged after line 0"),
    (cut_json, r"has no pages: .*pages\.jsonl\.gz, line 1: not a page \(JSONDecodeError"),
    (nothing_in_it, "has no pages"),
    (bad_meta, r"meta\.json as JSON"),
    (cut_warc, r"there is no web at .*none\.warc\.gz"),
]


@pytest.mark.parametrize(("damage", "said"), DAMAGED)
@pytest.mark.parametrize("command", ["crawl", "web info"])
def test_a_damaged_web(
    fcwseo: Fcwseo,
    crawl: list[str | Path],
    tmp_path: Path,
    web: Path,
    cache: Path,
    damage: Callable[[Path, Path], Path],
    said: str,
    command: str,
) -> None:
    path = damage(tmp_path / "web", web)
    before, kept = folder_of(tmp_path), folder_of(cache) | {"webs"}
    if command == "crawl":
        outcome = fcwseo(*with_([*crawl, tmp_path / "run"], web=path))
    else:
        outcome = fcwseo("web", "info", path)
    assert is_one_error(outcome, 4), outcome
    assert re.search(said, outcome.err), outcome.err
    assert folder_of(tmp_path) == before and folder_of(cache) | {"webs"} == kept


def test_a_line_of_a_web_that_is_cut_in_half_is_named_and_skipped(
    fcwseo: Fcwseo, crawl: list[str | Path], tmp_path: Path, web: Path
) -> None:
    lines = gzip.decompress((web / "pages.jsonl.gz").read_bytes()).splitlines(keepends=True)
    lines[200] = lines[200][:90] + b"\n"
    path = frozen(tmp_path / "web", gzip.compress(b"".join(lines)))
    outcome = fcwseo("web", "info", path, "--json")
    assert outcome.code == 0 and json.loads(outcome.out)["pages"] == 299
    assert re.fullmatch(r"skipped: .*pages\.jsonl\.gz, line 201: .*\n", outcome.err)
    outcome = fcwseo(*with_([*crawl, tmp_path / "run"], web=path))
    assert outcome.code == 0 and "line 201: not a page" in outcome.err


@pytest.mark.parametrize("what", ["", "notes.txt"])
def test_what_is_not_a_run(fcwseo: Fcwseo, tmp_path: Path, what: str) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    outcome = fcwseo("status", tmp_path / what)
    assert is_one_error(outcome, 4) and "is not a run directory: it has no run.json" in outcome.err


def test_a_folder_of_other_files_is_not_crawled_into(
    fcwseo: Fcwseo, crawl: list[str | Path], tmp_path: Path
) -> None:
    outcome = fcwseo(*crawl, tmp_path)
    assert is_one_error(outcome, 4) and "is not empty and not a run directory" in outcome.err
    assert folder_of(tmp_path) == {"seeds.txt", "words.json"}


def test_a_run_of_another_crawl_is_not_continued(
    fcwseo: Fcwseo, crawl: list[str | Path], tmp_path: Path
) -> None:
    assert fcwseo(*crawl, tmp_path / "run").code == 0
    before = (tmp_path / "run" / "visits.jsonl").read_bytes()
    outcome = fcwseo(*crawl, tmp_path / "run", "--strategy", "bfs")
    assert is_one_error(outcome, 4)
    assert 'contains a crawl with a different strategy ("fcwseo", now "bfs")' in outcome.err
    assert (tmp_path / "run" / "visits.jsonl").read_bytes() == before


def limit_files() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))


@pytest.mark.slow
def test_a_full_disk_while_a_web_is_made_or_parsed(tmp_path: Path, web: Path) -> None:
    """Nothing of the half-made web stays, neither of the one asked for nor of the parsed pages."""
    code, out, err = run("web", "make", tmp_path / "web", "--pages", "300", preexec_fn=limit_files)
    assert is_one_error(Outcome(code, out, err), 3) and "no space left to write" in err
    assert folder_of(tmp_path) == set()
    fresh = environment(FCWSEO_CACHE=str(tmp_path / "cache"))
    code, out, err = run("web", "info", web, preexec_fn=limit_files, env=fresh)
    assert is_one_error(Outcome(code, out, err), 3), err
    assert folder_of(tmp_path / "cache") == {"webs"}


@pytest.mark.slow
def test_a_full_disk_behind_the_output(tmp_path: Path) -> None:
    with Path("/dev/full").open("w") as full:
        code, _, err = run("config", "show", stdout=full)
    assert code == 3 and err.startswith("error: no space left") and len(err.splitlines()) == 1


@pytest.mark.slow
def test_a_reader_that_has_gone(crawl: list[str | Path], tmp_path: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    process = start([*crawl, tmp_path / "run"], stdout=write)
    os.close(write)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 1 and "Traceback" not in (err or "")
    assert len(log(tmp_path / "run")) >= 20  # the crawl is there all the same


def test_verbose_shows_where_an_error_arose(fcwseo: Fcwseo, tmp_path: Path) -> None:
    outcome = fcwseo("-v", "status", tmp_path)
    assert outcome.code == 4 and "Traceback" in outcome.err and outcome.err.splitlines()[-1][:7] == "error: "


def test_what_nobody_foresaw_is_one_line_too(
    fcwseo: Fcwseo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(path: Path) -> None:
        raise ZeroDivisionError("two\nlines")

    monkeypatch.setattr("fcwseo_cli.crawl.summary", fail)
    outcome = fcwseo("status", tmp_path)
    assert is_one_error(outcome, 17) and "unexpected ZeroDivisionError: two lines" in outcome.err


# What goes where


def test_data_goes_to_stdout_and_the_rest_to_stderr(
    fcwseo: Fcwseo, crawl: list[str | Path], tmp_path: Path
) -> None:
    outcome = fcwseo(*crawl, tmp_path / "run", "--json")
    assert outcome.code == 0
    facts = json.loads(outcome.out)
    assert facts["counts"]["pages"] == facts["max_pages"] == 20 and facts["stop"] == "budget"
    assert re.fullmatch(r"stopped: budget after 20 pages in [\d.]+ s; .*run\n", outcome.err)
    table = fcwseo(*crawl, tmp_path / "run")
    assert table.code == 0 and re.search(r"pages\W+20\b", table.out)


def test_quiet_says_nothing(fcwseo: Fcwseo, crawl: list[str | Path], tmp_path: Path) -> None:
    outcome = fcwseo("-q", *crawl, tmp_path / "run", "--json")
    assert outcome.code == 0 and outcome.err == "" and json.loads(outcome.out)
    assert is_one_error(fcwseo("-q", "status", tmp_path), 4)


def test_the_options_are_those_of_the_run(fcwseo: Fcwseo, crawl: list[str | Path], tmp_path: Path) -> None:
    (tmp_path / "crawl.toml").write_text("[crawl]\nwidth = 3\nseed = 8\neta = 0.5\n")
    more = ["--config", str(tmp_path / "crawl.toml"), "--seed", "9", "--strategy", "bfs"]
    assert fcwseo(*crawl, tmp_path / "run", *more).code == 0
    config = json.loads((tmp_path / "run" / "run.json").read_text())["config"]
    assert {key: config[key] for key in ("strategy", "seed", "width", "eta")} == {
        "strategy": "bfs",
        "seed": 9,
        "width": 3,
        "eta": 0.5,
    }


def test_the_same_command_again_continues(fcwseo: Fcwseo, crawl: list[str | Path], tmp_path: Path) -> None:
    assert fcwseo(*crawl, tmp_path / "whole").code == 0
    run = left_at(tmp_path / "whole", tmp_path / "run", 7)
    facts = json.loads(fcwseo("status", run, "--json").out)
    assert facts["stop"] is None and facts["counts"]["visits"] == 7
    assert re.fullmatch(r"continues with page \d of 20", facts["resume"])
    assert "continues with page" in fcwseo("status", run).out
    assert fcwseo(*crawl, run).code == 0
    assert log(run) == log(tmp_path / "whole")


def test_a_larger_budget_goes_on(fcwseo: Fcwseo, crawl: list[str | Path], tmp_path: Path) -> None:
    assert fcwseo(*crawl, tmp_path / "run").code == 0
    outcome = fcwseo(*with_([*crawl, tmp_path / "run"], max_pages="25"), "--json")
    assert outcome.code == 0 and json.loads(outcome.out)["counts"]["pages"] == 25


def test_seeds_may_be_files_and_addresses(fcwseo: Fcwseo, crawl: list[str | Path], tmp_path: Path) -> None:
    more = GeneratedWeb(0, 300).seeds("music")[0]
    assert fcwseo(*crawl, tmp_path / "run", "--seeds", more, "--strategy", "bfs").code == 0
    assert more in [row["url"] for row in log(tmp_path / "run")][:6]


def test_the_alternative_sets_of_a_seeds_file(
    fcwseo: Fcwseo, crawl: list[str | Path], tmp_path: Path
) -> None:
    other = GeneratedWeb(0, 300).seeds("music")
    with (tmp_path / "seeds.txt").open("a") as file:
        file.write("\n# the other set\n" + "\n".join(other) + "\n")
    outcome = fcwseo(*crawl, tmp_path / "run", "--strategy", "bfs", "--seed-set", "2")
    assert outcome.code == 0 and "has 2 alternative seed sets; using number 2" in outcome.err
    assert [row["url"] for row in log(tmp_path / "run")][: len(other)] == other


def test_no_colour(
    fcwseo: Fcwseo, crawl: list[str | Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert fcwseo(*crawl, tmp_path / "run").code == 0
    assert "\x1b" not in fcwseo("status", tmp_path / "run").out
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    assert "\x1b[" in fcwseo("status", tmp_path / "run").out
    monkeypatch.setenv("NO_COLOR", "1")
    colours = re.compile(r"\x1b\[[0-9;]*\b(3[0-8]|4[0-8]|9[0-7])\b[0-9;]*m")
    assert not colours.search(fcwseo("status", tmp_path / "run").out)


def test_the_version(fcwseo: Fcwseo) -> None:
    outcome = fcwseo("--version")
    assert outcome.code == 0 and re.fullmatch(r"fcwseo \d+\.\d+\.\d+\n", outcome.out)


# Settings


def test_the_settings_are_printed_as_they_can_be_read(fcwseo: Fcwseo, tmp_path: Path) -> None:
    printed = fcwseo("config", "show")
    (tmp_path / "shown.toml").write_text(printed.out)
    assert load_settings(tmp_path / "shown.toml", {}) == load_settings(None, {})
    shown = json.loads(fcwseo("config", "show", "--json").out)
    for unset in ("eta", "width", "max_depth"):
        assert shown["crawl"].pop(unset) is None and f"# {unset} = null\n" in printed.out
    assert shown == tomllib.loads(printed.out)


def test_the_settings_of_file_and_environment_are_shown(
    fcwseo: Fcwseo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.toml").write_text("[crawl]\nwidth = 3\nseed = 8\n")
    monkeypatch.setenv("FCWSEO_CRAWL__SEED", "9")
    shown = json.loads(fcwseo("config", "show", "--config", tmp_path / "a.toml", "--json").out)["crawl"]
    assert (shown["width"], shown["seed"], shown["strategy"]) == (3, 9, "fcwseo")


# Webs


def test_what_a_web_holds(fcwseo: Fcwseo, web: Path) -> None:
    outcome = fcwseo("web", "info", web, "--json")
    facts = json.loads(outcome.out)
    assert outcome.code == 0 and facts.keys() == {"name", "pages", "hosts", "links", "labels"}
    assert facts["pages"] == 300 and facts["links"] > 1000 and facts["labels"]["rainstorm"] > 10
    generated = json.loads(fcwseo("web", "info", "generated-300-0", "--json").out)
    assert {**facts, "links": 0} == {**generated, "links": 0}  # a generated calendar has no last day
    table = fcwseo("web", "info", web)
    assert table.code == 0 and "rainstorm" in table.out and "300" in table.out


def test_webs_are_made_and_imported_and_never_overwritten(fcwseo: Fcwseo, tmp_path: Path) -> None:
    outcome = fcwseo("web", "make", tmp_path / "web", "--pages", "50", "--seed", "3")
    assert outcome == Outcome(0, "", f"wrote 50 pages to {tmp_path / 'web'}\n")
    assert fcwseo("web", "import", tmp_path / "web", tmp_path / "copy").code == 0
    first, second = (json.loads(fcwseo("web", "info", tmp_path / n, "--json").out) for n in ("web", "copy"))
    assert {**first, "name": ""} == {**second, "name": ""}
    for command in (["web", "make"], ["web", "import", tmp_path / "copy"]):
        assert is_one_error(fcwseo(*command, tmp_path / "web"), 4)
    assert is_one_error(fcwseo("web", "import", tmp_path / "none", tmp_path / "new"), 4)
    assert is_one_error(fcwseo("web", "make", tmp_path / "new", "--pages", "3"), 2)
    assert {path.name for path in tmp_path.iterdir()} == {"web", "copy"}


@pytest.mark.slow
def test_a_web_is_served_until_interrupted(web: Path) -> None:
    process = start(["web", "serve", web, "--port", "0"])
    assert process.stderr is not None
    said = process.stderr.readline()
    match = re.search(r"http://127\.0\.0\.1:(\d+)", said)
    assert match, said
    url = next(GeneratedWeb(0, 300).urls())
    request = urllib.request.Request(f"{match[0]}/", headers={"Host": url.split("/")[2]})
    with urllib.request.urlopen(request, timeout=10) as answer:
        assert answer.status == 200 and "<html" in answer.read().decode()
    process.send_signal(signal.SIGINT)
    code, _, rest = finish(process)
    assert (code, rest) == (11, "interrupted\n")


@pytest.mark.slow
def test_an_interruption_is_logged_as_json(web: Path) -> None:
    process = start(["--log-format", "json", "web", "serve", web, "--port", "0"])
    assert process.stderr is not None
    assert "http://127.0.0.1" in json.loads(process.stderr.readline())["message"]
    process.send_signal(signal.SIGINT)
    code, _, rest = finish(process)
    assert (code, json.loads(rest)["event"]) == (11, "interrupted")


# The demo


@pytest.mark.slow
def test_what_was_kept_is_exported_and_searched(fcwseo: Fcwseo, tmp_path: Path, web: Path) -> None:
    out = tmp_path / "run"
    seeds = ("--seeds", web / "seeds.txt", "--max-pages", "40", "--eta", "0.05")
    assert fcwseo("crawl", "--web", web, "--topic", "rainstorm", *seeds, "--out", out).code == 0
    assert (out / "topic" / "ontology.owl").read_bytes().startswith(b"<?xml")
    outcome = fcwseo("export", out, "--format", "jsonl", "--out", tmp_path / "pages.jsonl")
    count = len((tmp_path / "pages.jsonl").read_bytes().splitlines())
    assert outcome == (0, "", f"wrote {count} pages to {tmp_path / 'pages.jsonl'}\n") and count > 5
    fewer = fcwseo(
        *("export", out, "--format", "csv", "--out", tmp_path / "pages.csv"),
        *("--min-relevance", "0.3", "--skip-near-duplicates"),
    )
    assert fewer.code == 0 and f"wrote {count} " not in fewer.err
    found = fcwseo("search", out, "inundation", "--limit", "2", "--json")
    hits = json.loads(found.out)
    assert found.code == 0 and 0 < len(hits) <= 2
    assert (
        hits[0].keys() == {"id", "url", "title", "score", "relevance", "snippet", "percentile", "topicality"}
        and "[" in hits[0]["snippet"]
    )
    assert {hit["topicality"] for hit in hits} == {"on topic"}
    table = fcwseo("search", out, "inundation")
    assert hits[0]["url"] in table.out and re.search(r"\[\w+", table.out)  # brackets are no styles


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("export", "none", "--format", "jsonl", "--out", "x"), 4),
        (("export", "none", "--format", "xml", "--out", "x"), 4),
        (("export", "none", "--out", "x"), 2),
        (("search", "none", "rain"), 4),
        (("search", "none"), 2),
    ],
)
def test_what_cannot_be_exported_or_searched(
    fcwseo: Fcwseo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], code: int
) -> None:
    monkeypatch.chdir(tmp_path)
    assert is_one_error(fcwseo(*arguments), code)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_the_demo(fcwseo: Fcwseo, tmp_path: Path) -> None:
    outcome = fcwseo("demo", "--json", "--max-pages", "60", "--out", tmp_path / "demo")
    assert outcome.code == 0
    results = json.loads(outcome.out)
    rows = {row["strategy"]: row for row in results["summary"]}
    assert rows.keys() == set(STRATEGIES)
    assert {run["pages"] for run in results["runs"]} == {60} and results["judge"] == "labels"
    assert rows["fcwseo"]["harvest_rate"] > rows["bfs"]["harvest_rate"]  # so early, they are still close
    for name in ("fcwseo", "bfs"):
        assert f"{name} {rows[name]['harvest_rate']:.1%}" in outcome.err
    assert str(tmp_path / "demo" / "report.html") in outcome.err
    assert "fcwseo" in (tmp_path / "demo" / "report.html").read_text()
    assert (tmp_path / "demo" / "built.owl").exists() and (tmp_path / "demo" / "ontology.html").exists()


# Shell completion


@pytest.mark.slow
@pytest.mark.parametrize(
    ("shell", "says"),
    [("bash", "complete -o default -F _fcwseo_completion fcwseo"), ("zsh", "#compdef fcwseo")],
)
def test_the_script_that_completes(shell: str, says: str) -> None:
    code, out, _ = run(env=environment(_FCWSEO_COMPLETE=f"source_{shell}"))
    assert code == 0 and says in out


def test_words_are_completed(fcwseo: Fcwseo, monkeypatch: pytest.MonkeyPatch) -> None:
    def completed(words: str) -> list[str]:
        monkeypatch.setenv("COMP_WORDS", words)
        monkeypatch.setenv("COMP_CWORD", str(words.count(" ")))
        return fcwseo().out.split()

    monkeypatch.setenv("_FCWSEO_COMPLETE", "complete_bash")
    assert completed("fcwseo cr") == ["crawl"]
    assert completed("fcwseo web ") == ["info", "make", "import", "serve"]
    assert "--max-pages" in completed("fcwseo crawl --ma")


# Calibration and explanations


def test_thresholds_are_proposed(fcwseo: Fcwseo, tmp_path: Path) -> None:
    for name, text in (("wet", "A rainstorm and a flood."), ("dry", "A goal in the last minute.")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.txt").write_text(text)
    sides: list[str | Path] = ["--positive", tmp_path / "wet", "--background", tmp_path / "dry"]
    found = json.loads(fcwseo("topic", "calibrate", "rainstorm", *sides, "--json").out)
    assert found.keys() == {"eta", "tau", "method", "positives", "positive", "background", "separation"}
    assert 0 < found["eta"] < 1 and found["separation"]["f1"] == 1.0
    printed = fcwseo("topic", "calibrate", "rainstorm", *sides).out
    assert re.search(r"separation +well", printed) and f"{found['eta']:.3f}" in printed
    one = json.loads(fcwseo("topic", "calibrate", "rainstorm", *sides[2:], "--json").out)
    assert one["tau"] is None and one["method"] == "95th percentile of the background"


def test_nothing_to_calibrate_by(fcwseo: Fcwseo, tmp_path: Path) -> None:
    assert fcwseo("topic", "calibrate", "rainstorm").code == 4
    outcome = fcwseo("topic", "calibrate", "rainstorm", "--positive", tmp_path / "none")
    assert outcome.code == 4 and "none" in outcome.err


def test_status_says_which_eta_was_found(fcwseo: Fcwseo, crawl: list[str | Path], tmp_path: Path) -> None:
    fcwseo(*crawl, tmp_path / "run")
    assert re.search(
        r"eta +0\.\d{3} \(0\.5 of the median of the seeds\)", fcwseo("status", tmp_path / "run").out
    )
    found = json.loads(fcwseo("status", tmp_path / "run", "--json").out)["calibration"]
    assert found["eta"] > 0 and found["separation"]["auc"] > 0.5


def test_a_link_is_explained(fcwseo: Fcwseo, crawl: list[str | Path], tmp_path: Path) -> None:
    fcwseo(*crawl, tmp_path / "run")
    row = [json.loads(line) for line in (tmp_path / "run" / "visits.jsonl").read_text().splitlines()][-1]
    printed = fcwseo("explain", tmp_path / "run", row["url"])
    assert printed.code == 0 and f"taken at step {row['step']} by fcwseo" in printed.out
    assert re.search(r"value \d\.\d\d of the best link's, .*: rank [\d,]+ of [\d,]+", printed.out)
    told = json.loads(fcwseo("explain", tmp_path / "run", row["url"], "--json").out)
    assert told["visit"]["step"] == row["step"] and told["explanation"]["objectives"].keys() >= {"F1", "F4"}
    outcome = fcwseo("explain", tmp_path / "run", "http://nowhere.example/", "--web", "generated-300-0")
    assert outcome.code == 4 and "never saw" in outcome.err
    assert fcwseo("explain", tmp_path / "no", "http://nowhere.example/").code == 4


@pytest.mark.slow
def test_parents_that_are_not_shown_are_counted(fcwseo: Fcwseo, tmp_path: Path) -> None:
    pages = {f"http://a.example/{n}": f'<p>Rain</p><a href="/t">{n}</a>' for n in range(14)}
    write_web(tmp_path / "web", pages | {"http://a.example/t": "<p>Rain</p>"}, name="star")
    seeds = [word for url in pages for word in ("--seeds", url)]
    options = ("--topic", "rainstorm", "--max-pages", "20", "--out", tmp_path / "run")
    assert fcwseo("crawl", *seeds, "--web", tmp_path / "web", *options).code == 0
    printed = fcwseo("explain", tmp_path / "run", "http://a.example/t").out
    assert "parents (14)" in printed and "... and 4 more links (--json has all)" in printed


@pytest.mark.parametrize("verbose", [(), ("-v",)])
def test_an_error_is_short_and_says_nothing_to_the_terminal(fcwseo: Fcwseo, verbose: tuple[str, ...]) -> None:
    outcome = fcwseo(*verbose, "status", "/\x1b[31m" + 20_000 * "\x9b")  # which is too long for a file name
    assert outcome.code == 4 and "\\x1b[31m" in outcome.err and not re.search(r"[\x1b\x9b]", outcome.err)
    line = outcome.err.splitlines()[-1]
    assert line.startswith("error: ") and len(line) <= 1007 and " ... " in line


def test_neither_tables_nor_what_is_said_speak_to_the_terminal(
    fcwseo: Fcwseo, crawl: list[str | Path], tmp_path: Path
) -> None:
    topic = tmp_path / "topic.json"
    topic.write_text(json.dumps({"name": "\x1b[31mred\u202e\x9b", "weights": {"rain": 1.0}}))
    crawled = fcwseo(*with_(crawl, topic=topic), tmp_path / "a\x1b\x9b")
    assert "/a\\x1b\\x9b" in crawled.err and not re.search(r"[\x1b\x9b]", crawled.err)
    printed = fcwseo("status", tmp_path / "a\x1b\x9b").out
    assert "\\x1b[31mred\\u202e" in printed and not re.search(r"[\x1b\x9b\u202e]", printed)
    told = fcwseo("--log-format", "json", "status", tmp_path / "a\x1b\x9b", "--json")
    assert json.loads(told.out)["topic"] == "\x1b[31mred\u202e\x9b" and not re.search(r"[\x1b\x9b]", told.out)
    lost = fcwseo("--log-format", "json", "status", tmp_path / "b\x9b")
    assert json.loads(lost.err)["message"].count("b\x9b") == 1 and "\x9b" not in lost.err


def test_a_prediction_below_nothing_is_shown_with_the_f1_that_it_gives(
    fcwseo: Fcwseo, crawl: list[str | Path], tmp_path: Path
) -> None:
    fcwseo(*with_(crawl, max_pages="250"), tmp_path / "run")
    rows = [json.loads(line) for line in (tmp_path / "run" / "visits.jsonl").read_text().splitlines()]
    row, *_ = [row for row in rows if row["predicted"] == 0 and row["depth"]]
    printed = fcwseo("explain", tmp_path / "run", row["url"]).out
    assert re.search(r"predicted +-0\.\d+\s+F1: cut to \[0, 1\] +\+0\.000", printed)


def test_a_topic_that_no_page_names(fcwseo: Fcwseo, crawl: list[str | Path], tmp_path: Path) -> None:
    topic = tmp_path / "topic.json"
    topic.write_text('{"name": "stamps", "weights": {"philately": 1}}')
    outcome = fcwseo(*with_(crawl, topic=topic), tmp_path / "run")
    assert outcome.code == 0 and "'stamps'" in outcome.err and "topic test" in outcome.err
    assert outcome.err.index("the seeds are no nearer to this topic") < outcome.err.index("stopped:")
    assert re.search(r"seeds +0\.000, off topic", outcome.out)
    fits = fcwseo(*crawl, tmp_path / "other")
    assert "topic test" not in fits.err and re.search(r"seeds +0\.\d{3}, on topic", fits.out)
