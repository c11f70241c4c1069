"""Wrong calls, as newcomers make them: each is refused with one line that says what is wrong."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import fcwseo
from fcwseo.errors import FcwseoError, InvalidInput

f: Any = fcwseo  # whatever its functions take, here they are given something else
WEB = fcwseo.GeneratedWeb(seed=0, pages=500)
SEEDS = WEB.seeds("rainstorm")
NO_PATH = "but a path is needed: give text or a Path"
TEXTS = ["A queen bee is a bee. Bees live in a hive.", "A worker bee is a bee, as a queen bee is."]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names without a folder are seen from one with two files and a folder of something else."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("x")
    (tmp_path / "empty.txt").write_text("")
    (tmp_path / "others").mkdir()
    (tmp_path / "others" / "a").write_text("x")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> fcwseo.Run:
    out = tmp_path_factory.mktemp("runs") / "run"
    return fcwseo.crawl(web=WEB, topic="rainstorm", seeds=SEEDS, max_pages=20, out=out)


def refused(call: Callable[..., object], *arguments: Any, **named: Any) -> str:
    """What is said of a call: one line of an error of ours."""
    with pytest.raises(FcwseoError) as raised:
        call(*arguments, **named)
    said = str(raised.value)
    assert said and "\n" not in said
    return said


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"seeds": []}, "seeds is an empty list: give a file, a URL or a list"),
        ({"seeds": ""}, "seeds is '': give a file, a URL or a list"),
        ({"seeds": None}, "seeds is None, but a file, a URL or a list"),
        ({"seeds": 5}, "seeds is 5, but a file, a URL or a list"),
        ({"seeds": set(SEEDS)}, "but a file, a URL or a list"),
        ({"seeds": b"http://a.example/"}, "but a file, a URL or a list"),
        ({"seeds": [SEEDS[0], 7]}, "seeds[1] is 7, but a file or a URL is needed"),
        ({"seeds": "\n".join(SEEDS)}, "give a file, a URL or a list"),
        ({"seeds": "a\0b"}, "give a file, a URL or a list"),
        ({"seeds": "missing.txt"}, "cannot read the seeds missing.txt: No such file"),
        ({"seeds": "www.example.org/a"}, "cannot read the seeds www.example.org/a"),
        ({"seeds": "empty.txt"}, "empty.txt has no seeds"),
        ({"seeds": ["ftp://a.example/"]}, "'ftp://a.example/' is not an http URL"),
        ({"seeds": "http://a.example/"}, "no seed is a page of generated-500-0"),
        ({"topic": "rainstrom"}, "no shipped topic 'rainstrom': did you mean 'rainstorm'?"),
        ({"topic": "bees"}, "shipped topics: rainstorm"),
        ({"topic": "missing.owl"}, "cannot read missing.owl: No such file"),
        ({"topic": Path("missing.json")}, "cannot read the topic missing.json: No such file"),
        ({"topic": ""}, "topic is ''"),
        ({"topic": None}, "topic is None, but a Topic, an Ontology, a file"),
        ({"topic": ["rain"]}, "topic is ['rain'], but a Topic, an Ontology, a file"),
        ({"topic": {}}, "no word with a positive weight"),
        ({"topic": {"rain": 0}}, "no word with a positive weight"),
        ({"topic": {"rain": "1"}}, "the weight of 'rain' is '1', but a number"),
        ({"topic": {"rain": float("inf")}}, "the weight of 'rain' is inf, but a number"),
        ({"topic": {"rain": -1}}, "the weight of 'rain' is -1, but a number"),
        ({"topic": {1: 1.0}}, "the word 1 has no letter"),
        ({"topic": {"": 1.0}}, "the word '' has no letter"),
        ({"web": "missing"}, "there is no web at missing"),
        ({"web": Path("missing")}, "there is no web at missing"),
        ({"web": "genrated-500-0"}, "there is no web at genrated-500-0"),
        ({"web": "generated-3-0"}, "too small: ask for 14 or more"),
        ({"web": "http://a.example/"}, "leave web out to crawl the live web"),
        ({"web": "others"}, "the folder others has no pages.jsonl.gz"),
        ({"web": 5}, "web is 5, but a folder, an archive"),
        ({"web": f.GeneratedWeb}, "but a folder, an archive"),
        ({"max_pages": 0}, "Expected `int` >= 1 for crawl.max_pages, not 0"),
        ({"max_pages": -1}, "Expected `int` >= 1 for crawl.max_pages, not -1"),
        ({"max_pages": "many"}, "Expected `int` for crawl.max_pages, not 'many'"),
        ({"max_pages": 1.5}, "Expected `int` for crawl.max_pages, not 1.5"),
        ({"width": 0}, "Expected `int` >= 1 for crawl.width, not 0"),
        ({"eta": 2}, "Expected `float` <= 1.0 for crawl.eta, not 2"),
        ({"seed": "x"}, "Expected `int` for crawl.seed, not 'x'"),
        ({"max_time": "soon"}, "'soon' is not a time such as"),
        ({"strategy": "fcsweo"}, "no strategy 'fcsweo': did you mean 'fcwseo'?"),
        ({"strategy": f.Strategy}, "Expected `str` for crawl.strategy"),
        ({"strategy": "mine.py:Mine"}, "cannot read the strategy mine.py"),
        ({"out": None}, f"out is None, {NO_PATH}"),
        ({"out": 5}, f"out is 5, {NO_PATH}"),
        ({"out": " "}, "out is ' '"),
        ({"out": "a\0b"}, "out is 'a\\x00b'"),
        ({"out": "file"}, "cannot write file: File exists"),
        ({"out": "file/below"}, "cannot write file/below: Not a directory"),
        ({"out": "others"}, "others is not empty and not a run directory"),
        ({"out": "/proc/run"}, "cannot write /proc/run"),
        ({"config": "missing.toml"}, "cannot read the configuration missing.toml"),
        ({"config": 5}, f"config is 5, {NO_PATH}"),
        ({"delay": 1}, "delay is a setting of the live web: leave out either it or the web, or rehearse"),
        ({"connect_to": "127.0.0.1:8000"}, "connect_to is a setting of the live web"),
        ({"contact": "a@b.example"}, "contact is a setting of the live web"),
        ({"allow_private": True}, "allow_private is a setting of the live web"),
        ({"progress": "yes"}, "progress is 'yes', but True, False or a function"),
        ({"web": None}, "needs a contact"),
        ({"web": None, "contact": "me"}, "the contact 'me' is neither a mail address nor a URL"),
        ({"web": None, "contact": "a@b", "connect_to": "localhost"}, "is not ADDR:PORT"),
        ({"web": None, "contact": "a@b", "include": "("}, "'(' is not a regular expression"),
    ],
)
def test_a_wrong_argument_of_crawl(wrong: dict[str, Any], said: str, tmp_path: Path) -> None:
    right = {"web": WEB, "topic": "rainstorm", "seeds": SEEDS, "max_pages": 20, "out": tmp_path / "out"}
    assert said in refused(f.crawl, **right | wrong)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"strategies": []}, "strategies: Expected `array` of length >= 1"),
        ({"strategies": ["bsf"]}, "no strategy 'bsf': did you mean 'bfs'?"),
        ({"strategies": 5}, "strategies is 5, but a list of names is needed"),
        ({"strategies": ["bfs", "bfs"]}, "names the strategies 'bfs' twice"),
        ({"strategies": ["oracle"]}, "oracle reads labels"),
        ({"web": None}, "needs web, topic and seeds, or an experiment: give web"),
        ({"web": 5}, "web is 5, but a folder"),
        ({"topic": None}, "needs web, topic and seeds, or an experiment: give topic"),
        ({"topic": "rainstrom"}, "did you mean 'rainstorm'?"),
        ({"topic": 5}, "topic is 5, but a Topic"),
        ({"seeds": []}, "seeds is an empty list"),
        ({"seeds": 5}, "seeds is 5, but a file"),
        ({"seeds": "http://a.example/"}, "no seed in set 1"),
        ({"max_pages": 0}, "max_pages is 0, but a whole number of 1 or more"),
        ({"max_pages": True}, "max_pages is True, but a whole number"),
        ({"repeats": 1.5}, "repeats is 1.5, but a whole number"),
        ({"workers": 0}, "workers is 0, but a whole number"),
        ({"workers": "all"}, "workers is 'all', but a whole number"),
        ({"workers": float("nan")}, "workers is nan, but a whole number"),
        ({"relevant": ["rainstrom"]}, "the label 'rainstrom': did you mean 'rainstorm'?"),
        ({"judge_topic": "rainstrom"}, "did you mean 'rainstorm'?"),
        ({"judge_eta": 7}, "judge_eta: Expected `float` <= 1.0"),
        ({"out": "others"}, "others is not empty and not a comparison"),
        ({"out": None}, f"out is None, {NO_PATH}"),
        ({"experiment": "missing.toml"}, "missing.toml already sets"),
    ],
)
def test_a_wrong_argument_of_compare(wrong: dict[str, Any], said: str, tmp_path: Path) -> None:
    right = {"web": "generated-500-0", "topic": "rainstorm", "seeds": SEEDS, "strategies": ["bfs"]}
    assert said in refused(f.compare, **right | {"max_pages": 20, "out": tmp_path / "out"} | wrong)


def test_nothing_is_written_by_a_comparison_that_is_refused(run: fcwseo.Run, tmp_path: Path) -> None:
    before = sorted(run.path.iterdir())
    topic = f.load_topic("rainstorm")
    refused(f.compare, web=WEB, topic=topic, seeds=SEEDS, strategies=["bfs"], out=run.path)
    refused(f.compare, web=WEB, topic=topic, seeds=SEEDS, strategies=["bsf"], out=tmp_path / "new")
    assert sorted(run.path.iterdir()) == before and not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda run: f.open_run("missing"), "missing is not a run directory"),
        (lambda run: f.open_run("file"), "file is not a run directory"),
        (lambda run: f.open_run(None), f"path is None, {NO_PATH}"),
        (lambda run: f.open_comparison("missing"), "cannot read missing/results.json"),
        (lambda run: f.open_comparison(run.path), "results.json: No such file"),
        (lambda run: f.open_comparison(None), "None is not a path"),
        (lambda run: run.explain("http://a.example/"), "never saw http://a.example/"),
        (lambda run: run.explain("a.example"), "'a.example' is not a complete URL"),
        (lambda run: run.explain(None), "url is None, but text is needed"),
        (lambda run: run.explain(run.visits[3].url, web="generated-500-1"), "is not the web that"),
        (lambda run: run.export("pages.docx"), "use one of .jsonl .parquet .csv"),
        (lambda run: run.export("pages", format="docx"), "there is no format 'docx'"),
        (lambda run: run.export("file", format="jsonl"), "file already exists"),
        (lambda run: run.export(None), f"path is None, {NO_PATH}"),
        (lambda run: run.export("a.jsonl", min_relevance="x"), "min_relevance is 'x', but a number from 0"),
        (lambda run: run.export("a.warc.gz"), "only a crawl of the live web"),
        (lambda run: run.search(""), "'' contains no word"),
        (lambda run: run.search(None), "query is None, but text is needed"),
        (lambda run: run.search("flood", limit=0), "limit is 0, but a whole number"),
        (lambda run: run.report("missing/report.html"), "cannot write missing/report.html"),
        (lambda run: run.report(5), f"path is 5, {NO_PATH}"),
        (lambda run: run.recrawl("again"), "needs a contact"),
        (lambda run: run.fit_weights(method="magic"), "method is 'magic', but one of least-squares"),
        (lambda run: run.fit_weights(), "fitting needs at least 20"),
        (lambda run: f.build_ontology([], topic="bee"), "corpus is an empty list"),
        (lambda run: f.build_ontology("missing/", topic="bee"), "cannot read the corpus missing"),
        (lambda run: f.build_ontology(["missing/"], topic="bee"), "cannot read the corpus missing"),
        (lambda run: f.build_ontology(["file", *TEXTS], topic="bee"), "corpus mixes files (file) and texts"),
        (lambda run: f.build_ontology(None, topic="bee"), "corpus is None, but a folder"),
        (lambda run: f.build_ontology([5], topic="bee"), "corpus[0] is 5, but a file or a text"),
        (lambda run: f.build_ontology([" "], topic="bee"), "corpus[0] is an empty text"),
        (lambda run: f.build_ontology(TEXTS[0], topic="bee"), "give texts as a list"),
        (lambda run: f.build_ontology(TEXTS, topic=""), "topic is empty"),
        (lambda run: f.build_ontology(TEXTS, topic="spaceship"), "speaks of 'spaceship'"),
        (lambda run: f.build_ontology(TEXTS, topic=5), "topic is 5, but text is needed"),
        (lambda run: f.build_ontology(TEXTS, topic="bee", terms=0), "terms is 0, but a whole number"),
        (lambda run: f.build_ontology(TEXTS, topic="bee", own=5), "own is 5, but a path is needed"),
        (lambda run: f.build_ontology(TEXTS, topic="bee", own="own.owl"), "cannot read own.owl"),
        (lambda run: f.build_ontology(TEXTS, topic="bee", own="rainstrom"), "did you mean 'rainstorm'"),
        (
            lambda run: f.build_ontology(TEXTS, topic="bee", keep=["hive"]),
            "but a dictionary",
        ),
        (lambda run: f.load_ontology("rainstrom"), "did you mean 'rainstorm'?"),
        (lambda run: f.load_ontology(None), f"source is None, {NO_PATH}"),
        (lambda run: f.load_ontology("rainstorm", topic="floood"), "near it: 'flood'"),
        (lambda run: f.load_ontology("rainstorm").topic(5), "label is 5, but text is needed"),
        (lambda run: f.load_ontology("rainstorm").save("rain.docx"), "cannot write rain.docx"),
        (lambda run: f.load_ontology("rainstorm").save("missing/rain.owl"), "cannot write missing/rain.owl"),
        (lambda run: f.load_ontology("rainstorm").draw("missing/a.html"), "cannot write missing/a.html"),
        (lambda run: f.check_ontology("file"), "file"),
        (lambda run: f.Ontology("rainstorm"), "model is 'rainstorm'"),
        (lambda run: f.Topic("rainstorm"), "model is 'rainstorm'"),
        (lambda run: f.load_topic({"a": 1.0}, label="b"), "topic 'a' has no ontology"),
        (lambda run: f.load_topic("rainstorm").save("rain.owl"), "name it .json"),
        (lambda run: f.load_topic("rainstorm").score(None), "text is None, but text is needed"),
        (lambda run: f.load_topic("rainstorm").matches(5), "text is 5, but text is needed"),
        (lambda run: f.calibrate("rainstorm"), "no documents to calibrate with"),
        (lambda run: f.calibrate("rainstorm", positive=[]), "positive is an empty list"),
        (lambda run: f.open_web(None), f"source is None, {NO_PATH}"),
        (lambda run: f.describe_web(5), "web is 5, but a folder"),
        (lambda run: f.make_web("others"), "others already exists"),
        (lambda run: f.make_web("new", pages=0), "pages is 0, but a whole number"),
        (lambda run: f.make_web("new", pages="x"), "pages is 'x', but a whole number"),
        (lambda run: f.make_web(None), f"out is None, {NO_PATH}"),
        (lambda run: f.import_web("missing", "new"), "missing does not exist"),
        (lambda run: f.import_web("others", "new", base="x"), "'x' is not an http URL"),
        (lambda run: f.GeneratedWeb(pages="x"), "needs whole numbers, not 'x' pages"),
        (lambda run: f.FrozenWeb("missing"), "there is no web at missing"),
        (lambda run: WEB.seeds("rainstrom"), "is about 'rainstrom'"),
        (lambda run: f.seeds.read(None), "seeds is None"),
        (lambda run: f.seeds.merge(None), "rankings is None, but a list of rankings"),
        (lambda run: f.seeds.merge([5]), "seeds is 5"),
        (lambda run: f.seeds.merge([], out="seeds.txt"), "no result can be a seed"),
        (lambda run: f.seeds.search("rain", engine="nothing"), "'nothing' is not an http URL"),
        (lambda run: f.preview(topic="rainstorm", seeds=[]), "seeds is an empty list"),
        (lambda run: f.settings("missing.toml"), "cannot read the configuration missing.toml"),
        (lambda run: f.serve_web("missing").__enter__(), "there is no web at missing"),
        (lambda run: f.serve_web(WEB, port=70_000).__enter__(), "cannot listen on port 70000"),
    ],
)
def test_a_wrong_call(call: Callable[[Any], object], said: str, run: fcwseo.Run) -> None:
    assert said in refused(call, run)


def test_a_crawl_with_another_setting_is_refused(run: fcwseo.Run) -> None:
    with pytest.raises(InvalidInput, match="contains a crawl with a different strategy"):
        f.crawl(web=WEB, topic="rainstorm", seeds=SEEDS, max_pages=20, strategy="bfs", out=run.path)


def test_seeds_may_be_a_file_a_url_or_a_list(tmp_path: Path) -> None:
    (tmp_path / "seeds.txt").write_text("\n".join(SEEDS))
    merged = f.seeds.merge([SEEDS])
    for given in (str(tmp_path / "seeds.txt"), tmp_path / "seeds.txt", SEEDS, tuple(SEEDS), merged):
        assert f.seeds.read(given) == SEEDS
    assert f.seeds.read(merged[0]) == f.seeds.read([SEEDS[0]]) == SEEDS[:1]


def test_a_ranking_may_be_a_file_or_a_list(tmp_path: Path) -> None:
    (tmp_path / "one.txt").write_text("http://a.example/\n\nhttp://b.example/\n")
    one, two = tmp_path / "one.txt", ["http://b.example/"]
    assert [seed.url for seed in f.seeds.merge([one, two])] == ["http://b.example/", "http://a.example/"]
    assert f.seeds.merge([one, one], out=tmp_path / "seeds.txt")
    assert f.seeds.read(tmp_path / "seeds.txt") == ["http://a.example/", "http://b.example/"]
