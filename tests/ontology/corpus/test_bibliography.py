import time

import pytest

from fcwseo_ontology.corpus.bibliography import Broken, Entry, bibtex, plain, ris


def entries(text: str) -> list[Entry]:
    return [entry for entry in bibtex(text) if isinstance(entry, Entry)]


def test_braces_may_nest_and_quotes_may_hold_braces() -> None:
    text = '@Article{a1,\n  Title = {Floods {in {the} City}},\n  abstract = "A {"}quoted{"} word",\n}'
    assert entries(text) == [
        Entry(1, {"id": ["a1"], "title": ["Floods in the City"], "abstract": ['A "quoted" word']})
    ]


def test_strings_are_resolved_and_joined() -> None:
    text = '@string{j = "Journal of "}\n@article{a, journal = j # {Rain}, year = 1999, month = jan}'
    assert entries(text)[0].fields == {
        "id": ["a"],
        "journal": ["Journal of Rain"],
        "year": ["1999"],
        "month": ["jan"],
    }


def test_comments_and_preambles_are_no_records() -> None:
    assert list(bibtex("@comment{x, title = {no}}\n@preamble{ {stuff} }\nfree text, mail me@home.org")) == []


def test_parentheses_delimit_too() -> None:
    assert entries("@book(b, title = {Rain (heavy)})")[0].fields["title"] == ["Rain (heavy)"]


def test_a_missing_brace_costs_one_entry() -> None:
    text = "@article{a,\n title = {open\n}\n\n@article{b,\n title = {Second}}\n"
    broken, second = bibtex(text)
    assert broken == Broken(1, "@article: a brace is not closed")
    assert second == Entry(5, {"id": ["b"], "title": ["Second"]})


@pytest.mark.parametrize(
    ("latex", "expected"),
    [
        (r"M{\"u}ller", "Müller"),
        (r"Andr\'{e} and Ren\'e", "André and René"),
        (r"{\'\i}ndice", "índice"),
        (r"\v{C}ern\'y, \c{c}a, \H{o}", "Černý, ça, ő"),
        (r"Stra{\ss}e {\O}re {\AA}", "Straße Øre Å"),
        (r"50\% of rain \& flood", "50% of rain & flood"),
        (r"\textit{in situ} \emph{data}", "in situ data"),
        (r"the ${k}$-nearest", "the k-nearest"),
        (r"rain--fall --- flood", "rain-fall - flood"),
        (r"\~{a} \^o \`{a} \~n", "ã ô à ñ"),
        (r"\cite{key}", "key"),
    ],
)
def test_latex_becomes_plain_text(latex: str, expected: str) -> None:
    assert plain(latex) == expected


def test_macros_cannot_explode() -> None:
    text = '@string{a = "0123456789"}\n' + "".join(
        f"@string{{{chr(i + 1)} = {chr(i)} # {chr(i)}}}\n" for i in range(ord("a"), ord("z"))
    )
    assert len(entries(text + "@article{k, title = z # z}")[0].fields["title"][0]) <= 2000


@pytest.mark.parametrize("text", ["@a{" * 200_000, "@a{x\n" * 100_000, "@a{k, t = {" + "{" * 500_000])
def test_broken_bibtex_takes_no_longer_than_its_length(text: str) -> None:
    begin = time.process_time()
    assert all(isinstance(entry, Broken) for entry in bibtex(text))
    assert time.process_time() - begin < 20


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\r\r\n", "\u2028"])
def test_ris_lines_may_end_in_any_way(end: str) -> None:
    text = end.join(["TY  - JOUR", "TI  - Floods", "AB  - Rain fell.", "  And fell.", "ER  - ", ""])
    (entry,) = ris(text)
    assert isinstance(entry, Entry)
    assert entry.fields == {"ty": ["JOUR"], "ti": ["Floods"], "ab": ["Rain fell. And fell."]}


def test_a_ris_record_may_lack_its_end() -> None:
    found = list(ris("TY  - JOUR\nTI  - One\nTY  - JOUR\nTI  - Two"))
    assert [entry.fields["ti"] for entry in found if isinstance(entry, Entry)] == [["One"], ["Two"]]
    assert [entry.line for entry in found] == [1, 3]


def test_one_blank_before_the_dash_is_enough_for_known_tags_only() -> None:
    (entry,) = ris("TY - JOUR\nAB - Work that is\nUK - based\nER -\n")
    assert isinstance(entry, Entry)
    assert entry.fields["ab"] == ["Work that is UK - based"]
