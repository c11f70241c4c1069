"""After a power cut a run goes on from its last whole visit; what is whole of a damaged one is saved."""

import json
import random
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from helpers.commands import run as command
from helpers.runs import copied, kept, lines, log, on_disk, small_run
from helpers.servers import Server, answer, moved, serving_apart
from hypothesis import given, settings
from hypothesis import strategies as st

from fcwseo.crawling.engine import Stop
from fcwseo.crawling.plan import Plan
from fcwseo.crawling.repair import repair
from fcwseo.crawling.run_directory import soundness, writing
from fcwseo.crawling.run_directory.kept import is_kept_page
from fcwseo.crawling.run_directory.log import read_visits
from fcwseo.crawling.run_directory.soundness import sound_part
from fcwseo.crawling.run_directory.status import summary
from fcwseo.crawling.run_directory.syncing import GroupSync
from fcwseo.crawling.run_directory.writing import RunDirectory
from fcwseo.crawling.run_live import run_live
from fcwseo.crawling.settings import LiveSettings
from fcwseo.errors import InvalidRun
from fcwseo.files import EndlessLine, whole_lines
from fcwseo.live.robots import Robots
from fcwseo.live.traps import Limits
from fcwseo.uses.export import kept_pages
from fcwseo.webs.frozen import FrozenWeb
from fcwseo.webs.warc.write import Archive
from fcwseo_ontology.topic import topic_of_words

PAGES = 24


TOPIC = topic_of_words("rain", {"rain": 1.0})


def site() -> dict[str, bytes]:
    """Pages on four hosts in a chain that forks, with a redirect, a dead link and bodies that occur twice."""
    urls = [f"http://{'abcd'[n % 4]}.example/{n}" for n in range(40)]
    found: dict[str, bytes] = {}
    for number, url in enumerate(urls):
        links = "".join(f"<a href={there}>rain</a>" for there in urls[2 * number + 1 : 2 * number + 3])
        words = " ".join(f"w{number % 30}x{n}" for n in range(30))
        found[url] = answer(f"<title>rain</title>{links}<p>rain {words} <a href=/gone{number // 9}>x</a>")
    return found | {urls[6]: moved(f"{urls[6]}/there"), f"{urls[6]}/there": found[urls[6]]}


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serving_apart(site()) as server:
        yield server


def crawled(server: Server, out: Path, *, pages: int = PAGES) -> Stop:
    live = LiveSettings(
        allow_private=True, connect_to=f"127.0.0.1:{server.port}", delay=0.0, address_delay=0.0, workers=1
    )
    plan = Plan(strategy="bfs", max_pages=pages, width=2, eta=0.0)
    return run_live(live, TOPIC, ["http://a.example/0"], out, plan, limits=Limits(same_text=0.0)).stop


@pytest.fixture(scope="module")
def done(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished live crawl."""
    out = tmp_path_factory.mktemp("done") / "run"
    assert crawled(server, out) is Stop.BUDGET
    return out


def archive_of(run: Path) -> Path:
    (file,) = (run / "warc").iterdir()
    return file


def killed(run: Path) -> Path:
    """The same run as if the crawl had not ended."""
    file = json.loads((run / "run.json").read_text())
    (run / "run.json").write_text(json.dumps(file | {"stop": None, "counts": {}}))
    return run


def is_exact(server: Server, run: Path, asked: int) -> int:
    """Continue a run, check it, and return the number of pages that were asked again."""
    begun = len(server.requests)
    assert crawled(server, run) is Stop.BUDGET
    urls = [row["url"] for row in log(run)]
    assert len(urls) == len(set(urls))
    assert sum(row["outcome"] == "page" for row in log(run)) == PAGES
    ids = [page["id"] for page in lines(run / "pages.jsonl")]
    assert len(ids) == len(set(ids)) == sum(row["kept"] for row in log(run))
    assert repair(run, dry_run=True).damage == ()
    again = len([r for r in server.requests[begun:] if r.path != "/robots.txt"])
    assert again <= asked, f"{again} pages were asked again"
    return again


# Groups


def test_the_archive_is_on_the_disk_before_the_log(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each group: first the archive, then kept pages and log; the last group before the stop is written."""
    events: list[tuple[str, int]] = []

    def noted(name: str, real: Callable[..., None]) -> Callable[..., None]:
        def sync(self: object) -> None:
            events.append((name, len(list(read_visits(tmp_path / "run")))))
            real(self)

        return sync

    monkeypatch.setattr(Archive, "sync", noted("archive", Archive.sync))
    monkeypatch.setattr(RunDirectory, "sync", noted("log", RunDirectory.sync))
    crawled(server, tmp_path / "run")
    names = [name for name, _ in events]
    assert names == ["archive", "log"] * (len(names) // 2) and names
    assert events[-1] == ("log", len(log(tmp_path / "run")))


def test_a_group_is_a_second_or_64_visits() -> None:
    now = [0.0]
    synced: list[float] = []
    group = GroupSync(lambda: synced.append(now[0]), now=lambda: now[0])
    for _ in range(63):
        group.add()
    group.look()
    assert synced == []
    group.add()
    assert synced == [0.0]
    group.add()
    now[0] = 0.9
    group.look()
    assert synced == [0.0]
    now[0] = 1.0
    group.look()
    group.look()
    group.finish()
    assert synced == [0.0, 1.0]


# The end of the files


def test_a_log_cut_at_any_byte_of_its_last_three_visits(
    done: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Short, zeroed or garbled from there on: the visits before it remain, and no other."""
    monkeypatch.setattr(soundness, "damage_of", lambda path, row: "")  # the archive is whole
    run = copied(done, tmp_path / "run")
    file = run / "visits.jsonl"
    data = file.read_bytes()
    starts = [at + 1 for at, byte in enumerate(data[:-1]) if byte == 10]
    for at in range(starts[-3], len(data)):
        before = data[:at].count(b"\n")
        rest = len(data) - at
        tails = (bytes(rest), b"\xff" * rest, b"\xff" * (rest - 1) + b"\n")
        for end in (b"", tails[at % 3]):
            if data[:at] + end != data:
                file.write_bytes(data[:at] + end)
                assert sound_part(run).visits == before, (at, end[:1])


def test_an_archive_cut_at_any_byte_of_its_last_three_visits(done: Path, tmp_path: Path) -> None:
    """A visit with a missing byte is not whole; nor is one with a zeroed or a garbled end."""
    run = copied(done, tmp_path / "run")
    rows = list(read_visits(run))
    file = archive_of(run)
    data = file.read_bytes()
    first, end = rows[-3].warc, rows[-1].warc
    assert first is not None and end is not None and end.offset + end.length == len(data)
    ends = [row.warc.offset + row.warc.length for row in rows if row.warc]
    step = max(1, (len(data) - first.offset) // 150)
    edges = {end + near for end in ends[-4:] for near in range(-9, 10)}
    for at in sorted({*range(first.offset, len(data), step), *edges} & {*range(first.offset, len(data))}):
        rest = len(data) - at
        for tail in (b"", bytes(rest), random.Random(at).randbytes(rest)):
            now = data[:at] + tail
            file.write_bytes(now)
            same = next((n for n in range(at, len(now)) if now[n] != data[n]), len(now))
            assert sound_part(run).visits == sum(end <= same for end in ends), (at, tail[:1])


def test_one_garbled_byte_near_the_end_costs_the_visits_from_there_on(done: Path, tmp_path: Path) -> None:
    run = copied(done, tmp_path / "run")
    rows = list(read_visits(run))
    file = archive_of(run)
    data = file.read_bytes()
    found: Counter[bool] = Counter()
    for back in (1, 2, 3):
        span = rows[-back].warc
        assert span is not None
        for at in range(span.offset, span.offset + span.length, max(1, span.length // 40)):
            garbled = bytearray(data)
            garbled[at] ^= 0xFF
            file.write_bytes(garbled)
            visits = sound_part(run).visits
            assert visits in (len(rows) - back, len(rows)), at
            found[visits < len(rows)] += 1
    assert found[True] > 20 * found[False], "only a few bytes, of the head of gzip, mean nothing"


@pytest.mark.slow
@pytest.mark.parametrize("is_killed", [False, True])
@pytest.mark.parametrize("name", ["visits.jsonl", "pages.jsonl", "warc"])
@pytest.mark.parametrize("how", ["short", "zeroed", "garbled"])
def test_a_run_goes_on_from_its_last_whole_visit(
    done: Path, server: Server, tmp_path: Path, name: str, how: str, is_killed: bool
) -> None:
    run = copied(done, tmp_path / "run")
    if is_killed:
        killed(run)
    file = archive_of(run) if name == "warc" else run / name
    data = file.read_bytes()
    at = len(data) - len(data) // 10
    rest = len(data) - at
    tails = {"short": b"", "zeroed": bytes(rest), "garbled": random.Random(0).randbytes(rest)}
    file.write_bytes(data[:at] + tails[how])
    total = len(log(done))
    again = is_exact(server, run, asked=total // 4 + 2)
    assert (again > 0) is (name != "pages.jsonl")
    assert kept(run)[:2] == kept(done)[:2]


def test_nothing_is_changed_if_the_run_is_refused(done: Path, server: Server, tmp_path: Path) -> None:
    """A shorter log than that of the end of the crawl, by more than a group."""
    run = copied(done, tmp_path / "run")
    file = json.loads((run / "run.json").read_text())
    (run / "run.json").write_text(json.dumps(file | {"counts": {"visits": 500}}))
    (run / "visits.jsonl").write_bytes((run / "visits.jsonl").read_bytes()[:-9])
    data = archive_of(run).read_bytes()
    archive_of(run).write_bytes(data[:-100])
    before = on_disk(run)
    with pytest.raises(InvalidRun, match="'fcwseo repair'"):
        crawled(server, run)
    shorter = (run / "visits.jsonl").read_bytes()  # without its torn line
    assert before["visits.jsonl"].startswith(shorter)
    assert on_disk(run) == before | {"visits.jsonl": shorter}


@pytest.mark.parametrize("name", ["visits.jsonl", "warc"])
@pytest.mark.parametrize("is_killed", [False, True])
def test_more_than_a_power_cut_loses_is_refused_and_saved_by_a_repair(
    done: Path, server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, is_killed: bool
) -> None:
    """Half of the log zeroed, or half of the archive gone: no crawl throws the rest away."""
    monkeypatch.setattr(soundness, "END", 4)  # this crawl is shorter than what a power cut may cost
    monkeypatch.setattr(writing, "END", 4)
    run = copied(done, tmp_path / "run")
    if is_killed:
        killed(run)
    file = archive_of(run) if name == "warc" else run / name
    data = file.read_bytes()
    half = len(data) // 2
    if name == "warc":
        file.write_bytes(data[:half])
    else:
        file.write_bytes(data[:half] + b"".join(b"?" * len(x) + b"\n" for x in data[half:-1].split(b"\n")))
    before = on_disk(run)
    with pytest.raises(InvalidRun, match="'fcwseo repair'"):
        crawled(server, run)
    assert on_disk(run) == before
    found = repair(run)
    assert 0 < found.visits < len(log(done)) - 4
    assert found.saved["pages"] > 0 and (name == "warc" or found.saved["records"] > 0)


def test_a_short_log_with_a_garbled_end_goes_on(done: Path, server: Server, tmp_path: Path) -> None:
    """The garbled end has more lines than the log has visits."""
    run = killed(copied(done, tmp_path / "run"))
    data = (run / "visits.jsonl").read_bytes()
    (run / "visits.jsonl").write_bytes(data[:-5000] + b"\xff?\n" * 20)
    assert crawled(server, run) is Stop.BUDGET
    assert len({row["url"] for row in log(run) if row["outcome"] == "page"}) == PAGES


# Damaged lines of kept pages


@pytest.mark.parametrize("bad", [b"\xff\xfe", b'"x"', b"\n", bytes(50)])
def test_bad_bytes_in_the_middle_of_the_kept_pages_are_restored(tmp_path: Path, bad: bytes) -> None:
    run = tmp_path / "run"
    small_run(run)
    before = kept(run)
    data = (run / "pages.jsonl").read_bytes()
    middle = data.index(b"\n", len(data) // 2) + 200
    (run / "pages.jsonl").write_bytes(data[:middle] + bad + data[middle + len(bad) :])
    with pytest.raises(InvalidRun, match="the same crawl command again restores the file"):
        list(kept_pages(run))
    small_run(run)
    assert kept(run) == before and list(kept_pages(run))


@given(st.binary(max_size=200))
@settings(max_examples=100)
def test_no_bytes_make_an_unexpected_error_of_a_line(line: bytes) -> None:
    assert not is_kept_page(line)


# Lines without an end


def test_a_line_without_an_end_is_not_read_whole(tmp_path: Path) -> None:
    file = tmp_path / "lines"
    file.write_bytes(b"one\n" + b"x" * 1000)
    with file.open("rb") as opened:
        assert list(whole_lines(opened)) == [b"one\n"]
    with file.open("rb") as opened:
        found = whole_lines(opened, longest=100)
        assert next(found) == b"one\n"
        with pytest.raises(EndlessLine, match="longer than 100 bytes"):
            next(found)
        assert opened.tell() == 104


@pytest.fixture
def short_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line may have two thousand bytes."""
    monkeypatch.setattr(whole_lines, "__kwdefaults__", {"longest": 2000})


@pytest.mark.usefixtures("short_lines")
def test_endless_lines_of_a_foreign_run_directory_are_damage(done: Path, tmp_path: Path) -> None:
    run = copied(done, tmp_path / "run")
    endless = b"x" * 3000
    with (run / "visits.jsonl").open("ab") as file:
        file.write(endless)
    with pytest.raises(InvalidRun, match="longer than 2,000 bytes"):
        summary(run)
    (run / "pages.jsonl").write_bytes(endless)
    with pytest.raises(InvalidRun, match="longer than 2,000 bytes"):
        list(kept_pages(run))
    (run / "robots.jsonl").write_bytes(endless)
    Robots(run / "robots.jsonl").close()
    assert (run / "robots.jsonl").read_bytes() == b""
    (run / "metrics.jsonl").write_bytes(endless)
    assert repair(run, dry_run=True).damage != ()


# Repair


def damaged(done: Path, run: Path, name: str) -> Path:
    """A copy with damage in the middle: of the log, or of the archive."""
    copied(done, run)
    if name == "visits.jsonl":
        rows = (run / name).read_bytes().splitlines(keepends=True)
        rows[len(rows) // 2] = bytes(len(rows[len(rows) // 2]) - 1) + b"\n"
        (run / name).write_bytes(b"".join(rows))
    else:
        rows_of = list(read_visits(run))
        span = rows_of[len(rows_of) // 2].warc
        assert span is not None
        data = bytearray(archive_of(run).read_bytes())
        data[span.offset + 20 : span.offset + 60] = bytes(40)
        archive_of(run).write_bytes(data)
    return run


@pytest.mark.slow
@pytest.mark.parametrize("name", ["visits.jsonl", "warc"])
def test_what_is_whole_is_saved_when_the_middle_is_damaged(
    done: Path, server: Server, tmp_path: Path, name: str
) -> None:
    run = damaged(done, tmp_path / "run", name)
    total = len(log(done))
    before = on_disk(run)
    with pytest.raises(InvalidRun, match="'fcwseo repair'"):
        crawled(server, run)
    assert {name: before[name] for name in before if "json" not in name or "s.jsonl" in name} == {
        name: content for name, content in on_disk(run).items() if "json" not in name or "s.jsonl" in name
    }
    before = on_disk(run)
    said = repair(run, dry_run=True)
    assert on_disk(run) == before
    found = repair(run)
    assert found == said
    assert (found.visits, found.of, found.lost_visits) == (total // 2, total, 1)
    assert found.saved["visits"] == total - total // 2 - 1
    lost = {row["url"] for row in log(done)} - {row["url"] for row in log(run)}
    saved = Path(found.folder)
    assert {json.loads(line)["url"] for line in (saved / "visits.jsonl").read_text().splitlines()} < lost
    rows = log(done)[total // 2 + 1 :]
    pages = {row["final_url"] for row in rows if row["outcome"] == "page"}
    assert pages <= {*FrozenWeb(saved).urls()}
    assert summary(run)["counts"]["visits"] == total // 2
    assert list(kept_pages(run)) is not None
    is_exact(server, run, asked=total)
    assert repair(run, dry_run=True).damage == ()


def test_a_log_that_is_gone_leaves_the_pages_of_the_archive(done: Path, tmp_path: Path) -> None:
    run = copied(done, tmp_path / "run")
    (run / "visits.jsonl").write_bytes(b"")
    found = repair(run)
    assert (found.visits, found.of) == (0, len(log(done))) and found.lost_visits == found.of
    pages = {row["final_url"] for row in log(done) if row["outcome"] == "page"}
    assert {*FrozenWeb(Path(found.folder)).urls()} == pages
    assert found.saved["pages"] == len(kept(done))


@pytest.mark.slow
@pytest.mark.parametrize("content", [b"", b"{", None])
def test_run_json_is_restored_from_its_copy(
    done: Path, server: Server, tmp_path: Path, content: bytes | None
) -> None:
    run = copied(done, tmp_path / "run")
    if content is None:
        (run / "run.json").unlink()
    else:
        (run / "run.json").write_bytes(content)
    found = repair(run)
    assert found.visits == found.of == len(log(done)) and "restored from its copy" in found.damage[0]
    assert is_exact(server, run, asked=0) == 0


def test_a_folder_that_is_no_run_is_not_repaired(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(InvalidRun, match="is no run directory, or cannot be repaired"):
        repair(tmp_path)
    with pytest.raises(InvalidRun, match="is not a run directory"):
        repair(tmp_path / "none")


def test_a_second_repair_overwrites_nothing(done: Path, tmp_path: Path) -> None:
    run = damaged(done, tmp_path / "run", "visits.jsonl")
    (run / "saved").mkdir()
    (run / "saved" / "mine").write_text("mine")
    assert Path(repair(run).folder).name == "saved-2"
    assert (run / "saved" / "mine").read_text() == "mine"
    assert Counter(path.name for path in run.iterdir())["saved-2"] == 1


def test_the_command_says_what_is_saved_and_lost(done: Path, tmp_path: Path) -> None:
    run = damaged(done, tmp_path / "run", "visits.jsonl")
    middle = len(log(done)) // 2
    code, out, said = command("repair", run, "--dry-run")
    assert code == 0 and f"{middle} of {len(log(done))} visits" in out, said
    assert f"line {middle + 1}" in out and "nothing was changed" in said
    code, out, said = command("repair", run, "--json")
    assert json.loads(out)["visits"] == middle
    code, out, said = command("repair", run)
    assert code == 0 and "is whole: nothing to repair" in said
    shutil.rmtree(run)
    assert command("repair", run)[0] == 4


@pytest.mark.parametrize("is_missing", [False, True])
def test_the_command_says_one_line_for_a_damaged_file(done: Path, tmp_path: Path, is_missing: bool) -> None:
    """Though half of the visits, or all, are lost with it."""
    run = copied(done, tmp_path / "run")
    file = archive_of(run)
    if is_missing:
        file.unlink()
    else:
        file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    found = repair(run, dry_run=True)
    assert found.lost_visits > 12
    (damage,) = found.damage
    assert damage.endswith(f"; so are the records of {found.lost_visits - 1} more visits in this file")
    code, out, said = command("repair", run, "--dry-run")
    first = [line.split(maxsplit=1)[0] for line in out.splitlines() if line.strip() and line[1:2] != " "]
    assert code == 0 and first.count("damage") == 1 and first.count("lost") == 6, said
    assert str(found.lost_visits) in out
