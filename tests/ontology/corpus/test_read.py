import json
import os
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from fcwseo_ontology.corpus.documents import Corpus, Document
from fcwseo_ontology.corpus.read import read_corpus
from fcwseo_ontology.errors import InvalidCorpus, MissingExtra

GOOD = {
    "id": "g",
    "title": "Flash floods",
    "abstract": "Rain fell.",
    "keywords": ["flood", "rain"],
    "lang": "en",
}
FRENCH = "Les inondations éclair sont très fréquentes dans la vallée où l'été dernier a été sévère. " * 5
CHINESE = (
    "暴雨引发的城市内涝是一种常见的自然灾害。本文分析了强降雨的成因与预报方法。最后提出了防灾减灾的措施。" * 5
)


def written(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def read(path: Path, content: str | bytes) -> Corpus:
    return read_corpus([written(path, content)])


def one_problem(corpus: Corpus, where: str, *facts: str) -> bool:
    (problem,) = corpus.problems
    return problem.where == where and all(fact in problem.message for fact in facts)


def lines(*records: object) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def test_jsonl(tmp_path: Path) -> None:
    corpus = read(tmp_path / "a.jsonl", lines(GOOD))
    assert corpus == Corpus((Document("g", "Flash floods", "Rain fell.", ("flood", "rain"), "en"),))


def test_jsonl_has_other_names_for_its_fields(tmp_path: Path) -> None:
    record = {"Title": " A\n title ", "body": "Text.", "keywords": "rain; flash flood ;rain", "DOI": "10/x"}
    (document,) = read(tmp_path / "a.jsonl", lines(record)).documents
    assert document == Document("10/x", "A title", "Text.", ("rain", "flash flood"), "en")


def test_bad_lines_are_named_and_the_rest_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    bad = ["{", "[1, 2]", '{"title": ""}', "[" * 100_000, '{"title": 5, "text": null}', "nul"]
    corpus = read(path, "\n".join([json.dumps(GOOD), "", *bad]))
    assert [document.id for document in corpus.documents] == ["g", f"{path}:7"]
    assert [problem.where for problem in corpus.problems] == [f"{path}:{n}" for n in (3, 4, 5, 6, 8)]
    assert "not JSON" in corpus.problems[0].message
    assert "not a JSON object" in corpus.problems[1].message
    assert "no title" in corpus.problems[2].message


def test_half_a_surrogate_pair_can_be_written_afterwards(tmp_path: Path) -> None:
    (document,) = read(tmp_path / "a.jsonl", r'{"title": "rain \ud800"}').documents
    assert document.title == "rain ?"


def test_a_line_of_100_megabytes_is_a_problem_and_takes_little(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with path.open("w") as file:
        file.write('{"title": "')
        for _ in range(100):
            file.write("flood " * 170_000)
        file.write('"}\n' + lines(GOOD))
    tracemalloc.start()
    begin = time.perf_counter()
    corpus = read_corpus([path])
    seconds, memory = time.perf_counter() - begin, tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [document.id for document in corpus.documents] == ["g"]
    assert one_problem(corpus, f"{path}:1", "16 MB")
    assert memory < 80_000_000
    assert seconds < 10


def test_a_huge_file_that_is_one_document_is_a_problem(tmp_path: Path) -> None:
    huge = tmp_path / "huge.txt"
    with huge.open("wb") as file:
        file.truncate(100_000_000)
    corpus = read_corpus([written(tmp_path / "a.jsonl", lines(GOOD)), huge])
    assert one_problem(corpus, str(huge), "16 MB")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_unicode_is_told_by_its_marks_and_zeros(tmp_path: Path, encoding: str) -> None:
    text = json.dumps({"title": "Überschwemmung", "text": FRENCH}, ensure_ascii=False)
    corpus = read(tmp_path / "a.jsonl", text.encode(encoding))
    assert corpus.documents[0].title == "Überschwemmung"
    assert corpus.problems == ()


def test_latin_1_is_guessed_and_told(tmp_path: Path) -> None:
    corpus = read(tmp_path / "a.txt", FRENCH.encode("latin-1"))
    assert corpus.documents[0].text == FRENCH.strip()
    assert corpus.documents[0].language == "fr"
    assert one_problem(corpus, str(tmp_path / "a.txt"), "decoded as cp1252", "save the file as UTF-8")


def test_gbk_is_guessed_and_told(tmp_path: Path) -> None:
    corpus = read(tmp_path / "a.txt", CHINESE.encode("gbk"))
    assert corpus.documents[0].text == CHINESE
    assert corpus.documents[0].language == "zh"
    assert one_problem(corpus, str(tmp_path / "a.txt"), "decoded as gb18030", "save the file as UTF-8")


def test_one_bad_byte_does_not_make_utf_8_something_else(tmp_path: Path) -> None:
    good = lines({"title": "Überschwemmung", "text": FRENCH}).encode() + FRENCH.encode()
    corpus = read(tmp_path / "a.jsonl", '{"title": "Üb\xe9"}\n'.encode("latin-1")[:-4] + b'"}\n' + good)
    assert "Überschwemmung" in [document.title for document in corpus.documents]
    assert "not UTF-8" in corpus.problems[0].message


def test_bibtex(tmp_path: Path) -> None:
    text = r"""
@article{m20, title = {{Fl{\"a}sh} floods}, abstract = {Rain {\&} more.}, keywords = {rain, flash flood}}
@article{broken, title = {No end
@misc{empty, year = 2020}
"""
    path = tmp_path / "a.bib"
    corpus = read(path, text)
    assert corpus.documents == (
        Document("m20", "Fläsh floods", "Rain & more.", ("rain", "flash flood"), "en"),
    )
    assert [problem.where for problem in corpus.problems] == [f"{path}:3", f"{path}:4"]


def test_ris(tmp_path: Path) -> None:
    given = [
        "TY  - JOUR",
        "T1  - Floods",
        "N2  - Rain.",
        "KW  - rain",
        "KW  - flood; storm",
        "LA  - eng",
        "ER  -",
    ]
    text = "\r\n".join(given)
    (document,) = read(tmp_path / "a.ris", text).documents
    assert document == Document(f"{tmp_path}/a.ris:1", "Floods", "Rain.", ("rain", "flood", "storm"), "en")


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_csv(tmp_path: Path, mark: str) -> None:
    rows = [
        ["Key", "Title", "Abstract Note", "Manual Tags"],
        ["k1", "Floods", '"Rain\nfell."', '"rain; flood"'],
    ]
    (document,) = read(tmp_path / "a.csv", "\n".join(mark.join(row) for row in rows) + "\n").documents
    assert document == Document("k1", "Floods", "Rain\nfell.", ("rain", "flood"), "en")


def test_csv_without_the_columns_says_which_it_has(tmp_path: Path) -> None:
    with pytest.raises(InvalidCorpus, match=r"title.*name, year"):
        read(tmp_path / "a.csv", "Name,Year\nx,1\n")


def test_csv_with_a_field_too_long_goes_on(tmp_path: Path) -> None:
    corpus = read(tmp_path / "a.csv", f"title,text\nA,{'x' * 200_000}\nB,rain\n")
    assert [document.title for document in corpus.documents] == ["B"]
    assert "field larger" in corpus.problems[0].message


def test_a_quote_that_is_not_closed_ends_its_file(tmp_path: Path) -> None:
    """What follows is no row but text inside of the quote, however many lines it has."""
    lines = "".join(f"it rained on day {n}, and more\n" for n in range(50_000))
    corpus = read(tmp_path / "a.csv", f'title,text\nA,rain\n"B,{lines}')
    assert [document.title for document in corpus.documents] == ["A"]
    (problem,) = corpus.problems
    assert problem.where.endswith("a.csv:3") and "a quote is not closed" in problem.message


def test_text_files_have_their_title_first(tmp_path: Path) -> None:
    assert read(tmp_path / "a.txt", "Floods\n\nRain fell.\n").documents[0] == Document(
        f"{tmp_path}/a.txt", "Floods", "Rain fell.", (), "en"
    )
    assert read(tmp_path / "b.txt", "Only one line").documents[0].title == ""


def test_markdown_is_read_without_its_marks(tmp_path: Path) -> None:
    text = "---\ntitle: Floods\nkeywords: rain, storm\n---\n# Part\n**Heavy** [rain](http://x.org)\n```\ncode\n```\n"
    (document,) = read(tmp_path / "a.md", text).documents
    assert (document.title, document.keywords) == ("Floods", ("rain", "storm"))
    assert document.text.split() == ["Part", "Heavy", "rain"]


@pytest.mark.parametrize(
    "text", ["<!--" * 300_000, "\n" * 500_000 + "x", "a" + "_" * 500_000 + "b", "[" * 300_000]
)
def test_odd_markdown_takes_no_longer_than_its_length(tmp_path: Path, text: str) -> None:
    begin = time.perf_counter()
    read_corpus([written(tmp_path / "a.md", text + "\n"), written(tmp_path / "b.jsonl", lines(GOOD))])
    assert time.perf_counter() - begin < 5


def test_html_is_read_without_tags_and_scripts(tmp_path: Path) -> None:
    text = """<html lang="fr"><head><title>Crues</title><meta name="Keywords" content="pluie, crue">
      <style>p {}</style></head><body><nav>Accueil</nav><h1>Pluie</h1><p>CO<sub>2</sub> et <b>crue</b></p>
      <script>alert(1)</script></body></html>"""
    (document,) = read(tmp_path / "a.html", text).documents
    assert (document.title, document.keywords, document.language) == ("Crues", ("pluie", "crue"), "fr")
    assert document.text.split() == ["Pluie", "CO2", "et", "crue"]
    assert "Pluie\n" in document.text


def test_html_is_decoded_as_it_says(tmp_path: Path) -> None:
    text = f'<meta charset="gb2312"><title>内涝</title><p>{CHINESE[:20]}</p>'
    corpus = read(tmp_path / "a.htm", text.encode("gb18030"))
    assert corpus.documents[0].title == "内涝"
    assert corpus.problems == ()


@pytest.mark.parametrize("text", ["<div>" * 50_000, f"<p {' '.join(map(str, range(50_000)))}>"])
def test_html_that_would_stall_the_parser_is_a_problem(tmp_path: Path, text: str) -> None:
    begin = time.perf_counter()
    with pytest.raises(InvalidCorpus, match="nested"):
        read(tmp_path / "a.html", text + "rain")
    assert time.perf_counter() - begin < 2


def test_long_html_is_no_trouble(tmp_path: Path) -> None:
    text = "<div><p>Rain<br>fell</div>" * 5_000 + f'<img src="data:{"x" * 100_000}">'
    assert read(tmp_path / "a.html", text).documents[0].text.split()[-2:] == ["Rain", "fell"]


def pdf(text: str) -> bytes:
    """The smallest file with one page of text."""
    stream = f"BT /F1 12 Tf 20 100 Td ({text}) Tj ET"
    objects = [
        "<</Type/Catalog/Pages 2 0 R>>",
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        "<</Type/Page/Parent 2 0 R/Resources<</Font<</F1 4 0 R>>>>/MediaBox[0 0 500 200]/Contents 5 0 R>>",
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        f"<</Length {len(stream)}>>stream\n{stream}\nendstream",
    ]
    body, offsets = "%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        offsets.append(len(body))
        body += f"{number} 0 obj{content}endobj\n"
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    end = (
        f"xref\n0 6\n0000000000 65535 f \n{table}trailer<</Size 6/Root 1 0 R>>\nstartxref\n{len(body)}\n%%EOF"
    )
    return (body + end).encode()


def test_pdf(tmp_path: Path) -> None:
    assert read(tmp_path / "a.pdf", pdf("Heavy rain fell")).documents[0].text == "Heavy rain fell"


def test_a_broken_pdf_is_a_problem(tmp_path: Path) -> None:
    with pytest.raises(InvalidCorpus, match="PDF"):
        read(tmp_path / "a.pdf", b"%PDF-1.4 nothing")


def test_pdf_without_pypdf_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pypdf", None)
    path = written(tmp_path / "a.pdf", pdf("rain"))
    with pytest.raises(MissingExtra, match=r"pip install 'fcwseo\[pdf\]'"):
        read_corpus([path])
    written(tmp_path / "b.jsonl", lines(GOOD))
    corpus = read_corpus([tmp_path])
    assert len(corpus.documents) == 1
    assert "fcwseo[pdf]" in corpus.problems[0].message


def test_folders_are_walked_by_name_without_hidden_and_unknown_files(tmp_path: Path) -> None:
    for name in ("b/2.txt", "b/.hidden.txt", ".git/3.txt", "a/z/1.TXT", "c.docx", "a.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        written(tmp_path / name, f"text of {name}")
    corpus = read_corpus([tmp_path])
    assert [document.text for document in corpus.documents] == [
        "text of a.md",
        "text of a/z/1.TXT",
        "text of b/2.txt",
    ]
    assert corpus.problems == ()


def test_a_document_that_comes_twice_is_kept_once(tmp_path: Path) -> None:
    corpus = read(tmp_path / "a.jsonl", lines(GOOD, {**GOOD, "id": "h"}))
    assert [document.id for document in corpus.documents] == ["g"]
    assert one_problem(corpus, "h", "duplicate of g")


def test_progress_counts_documents(tmp_path: Path) -> None:
    told: list[int] = []
    read_corpus(
        [written(tmp_path / "a.jsonl", lines(*({"title": f"{n}"} for n in range(3))))], progress=told.append
    )
    assert told == [1, 2, 3]


@pytest.mark.parametrize(
    ("declared", "text", "language"),
    [
        ("en-US", "pluie", "en"),
        ("English", "crue", "en"),
        ("chi", "A study of 北京", "zh"),
        ("en", "暴雨引发城市内涝", "zh"),
        ("zh", "Only English words", "en"),
        ("klingon", "Les inondations dans la vallée sont des crues", "fr"),
    ],
)
def test_the_language_is_what_the_record_says_unless_the_script_denies_it(
    tmp_path: Path, declared: str, text: str, language: str
) -> None:
    corpus = read(tmp_path / "a.jsonl", lines({"title": text, "language": declared}))
    assert corpus.documents[0].language == language


@pytest.mark.parametrize("name", ["a.jsonl", "a.bib", "a.ris", "a.csv", "a.txt", "a.md", "a.html", "a.pdf"])
@pytest.mark.parametrize("content", [b"", b"\n", b"\xef\xbb\xbf", b"\x00", b"\xff\xfe", b"   \n\n"])
def test_a_file_without_anything_in_it_is_an_invalid_corpus(
    tmp_path: Path, name: str, content: bytes
) -> None:
    with pytest.raises(InvalidCorpus, match=r"a\.\w+(:1)?: "):
        read(tmp_path / name, content)


def test_nothing_to_read_says_what_can_be_read(tmp_path: Path) -> None:
    with pytest.raises(InvalidCorpus, match=r"\.jsonl"):
        read_corpus([tmp_path])
    with pytest.raises(InvalidCorpus, match="empty"):
        read_corpus([])
    with pytest.raises(InvalidCorpus, match=r"suffix.* \.jsonl"):
        read(tmp_path / "a.docx", "x")


def test_a_path_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InvalidCorpus, match=r"missing: No such file"):
        read_corpus([written(tmp_path / "a.jsonl", lines(GOOD)), tmp_path / "missing"])


def test_a_pipe_does_not_stop_everything(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.txt")
    written(tmp_path / "b.jsonl", lines(GOOD))
    assert one_problem(read_corpus([tmp_path]), str(tmp_path / "a.txt"), "regular file")


@contextmanager
def not_root() -> Iterator[None]:
    """Root may read everything, so the tests of permissions go on as nobody."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def test_files_and_folders_without_permission_are_named() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        written(folder / "good.jsonl", lines(GOOD)).chmod(0o644)
        written(folder / "locked.txt", "rain").chmod(0)
        (folder / "shut").mkdir(mode=0)
        with not_root():
            corpus = read_corpus([folder])
            with pytest.raises(InvalidCorpus, match="Permission denied"):
                read_corpus([folder / "locked.txt"])
        assert len(corpus.documents) == 1
        assert {Path(problem.where).name for problem in corpus.problems} == {"locked.txt", "shut"}
        assert all("Permission denied" in problem.message for problem in corpus.problems)


@pytest.mark.parametrize("content", [bytes(range(256)) * 20, b"\x7fELF\x02\x01" + b"\0\1\0\0\3" * 500])
def test_a_binary_file_is_skipped(tmp_path: Path, content: bytes) -> None:
    written(tmp_path / "a.txt", content)
    written(tmp_path / "b.txt", "Rain fell.")
    corpus = read_corpus([tmp_path])
    assert [document.text for document in corpus.documents] == ["Rain fell."]
    assert one_problem(corpus, str(tmp_path / "a.txt"), "binary")


def test_what_steers_a_terminal_is_no_text(tmp_path: Path) -> None:
    (document,) = read(tmp_path / "a.txt", "The \x1b[31mroaster\x1b[0m is hot.\x07").documents
    assert document.text == "The roaster is hot."
