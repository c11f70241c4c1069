import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fcwseo_ontology.corpus.documents import Corpus, Document
from fcwseo_ontology.corpus.read import corpus_of_texts
from fcwseo_ontology.errors import InvalidCorpus, InvalidInput
from fcwseo_ontology.terms.extract import Term, extract_terms, read_review, write_review

FLOODS = Corpus(
    (
        Document(
            "0",
            "Flash Floods in Small Catchments",
            "Flash floods follow heavy rainfall. We model how a flash flood rises in ungauged catchments of "
            "Sicily. The results of this study show that rainfall intensity drives the runoff.",
            ("flash flood", "ungauged catchment", "cs.GL"),
        ),
        Document(
            "1",
            "Forecasting a Flash-Flood by Weather Radar",
            "Weather radar sees heavy rainfall early. In this study a warning for flash flooding is issued "
            "in Sicily, and the results are compared with rain gauges.",
            ("Weather Radar", "flash floods", "cs.GL"),
        ),
        Document(
            "2",
            "Heavy Rainfall and Landslides",
            "Heavy rainfall wets the soil. A landslide may follow. This study maps soil moisture with "
            "weather radar; the results are maps of landslides and of flood, risk and soil moisture.",
            ("landslides", "quality, of life", "cs.GL"),
        ),
        Document(
            "3",
            "",
            "The quality of life after a flood is studied where landslides and heavy rainfall are common.",
        ),
    )
)
RAIN_ZH = (
    Document("z0", "城市内涝成因", "强降雨引发城市内涝。排水管网不足。", ("城市内涝",), "zh"),
    Document("z1", "强降雨预报", "本文研究强降雨的雷达预报方法。减轻城市内涝。", ("强降雨",), "zh"),
)


def by_label(corpus: Corpus, **choices: Any) -> dict[str, Term]:
    return {term.label: term for term in extract_terms(corpus, **choices)}


def test_variants_are_one_term_shown_in_its_commonest_form() -> None:
    term = by_label(FLOODS)["flash floods"]
    assert term.key == "flash flood"
    assert term.variants == ("flash floods", "flash flood", "flash flooding", "flash-flood")
    assert (term.documents, term.df, term.keyword) == (0b0011, 2, True)


def test_documents_are_a_bit_mask_over_the_corpus() -> None:
    terms = by_label(FLOODS)
    assert terms["heavy rainfall"].documents == 0b1111
    assert terms["landslides"].documents == 0b1100
    assert terms["weather radar"].documents == 0b0110


def test_the_case_is_that_of_running_text() -> None:
    terms = by_label(FLOODS)
    assert "Sicily" in terms
    assert "weather radar" in terms


def test_words_of_any_study_are_no_terms() -> None:
    assert not {"study", "result", "results", "model", "this study"} & {*by_label(FLOODS, minimum_df=2)}


def test_a_keyword_may_hold_a_stop_word_if_it_stands_in_a_text() -> None:
    assert by_label(FLOODS)["quality of life"].documents == 0b1100


def test_codes_that_stand_in_no_text_are_no_terms() -> None:
    assert "cs gl" not in {term.key for term in extract_terms(FLOODS)}


def test_no_phrase_goes_across_punctuation() -> None:
    texts = tuple(Document(str(n), "", f"We speak of flood, risk and rain {n}") for n in range(3))
    assert "flood risk" not in by_label(Corpus(texts))


def test_the_authors_keywords_come_first() -> None:
    texts = [f"Catchment hydrology and sediment transport and karst aquifer number {n}." for n in range(4)]
    plain = Corpus(tuple(Document(str(n), "", text) for n, text in enumerate(texts)))
    given = Corpus(tuple(Document(str(n), "", text, ("karst aquifer",)) for n, text in enumerate(texts)))
    assert extract_terms(given)[0].label == "karst aquifer"
    assert [term.keyword for term in extract_terms(given)].count(True) == 1
    assert not any(term.keyword for term in extract_terms(plain))


def test_terms_come_best_first_and_no_more_than_asked_for() -> None:
    terms = extract_terms(FLOODS, limit=5)
    assert len(terms) == 5
    assert [term.score for term in terms] == sorted((term.score for term in terms), reverse=True)
    assert all(0 < term.score <= 1 for term in terms)
    assert terms == extract_terms(FLOODS)[:5]


def test_a_term_stands_in_the_minimum_of_documents() -> None:
    assert all(term.df >= 3 for term in extract_terms(FLOODS, minimum_df=3))
    assert "ungauged catchment" in by_label(FLOODS, minimum_df=1)
    assert "ungauged catchment" not in by_label(FLOODS, minimum_df=2)


def test_one_document_is_enough() -> None:
    assert "flash flood" in by_label(Corpus(FLOODS.documents[:1]))


def test_chinese_terms() -> None:
    terms = by_label(Corpus(RAIN_ZH))
    assert terms["城市内涝"].documents == 0b11
    assert terms["城市内涝"].key == "城市 内涝"
    assert terms["强降雨"].language == "zh"
    assert "方法" not in terms


def test_languages_share_the_terms_by_their_documents() -> None:
    corpus = Corpus(FLOODS.documents + RAIN_ZH)
    terms = extract_terms(corpus)
    assert {term.language for term in terms} == {"en", "zh"}
    assert terms[0].language == "en"
    assert by_label(corpus)["城市内涝"].documents == 0b110000


def test_a_name_in_texts_of_two_languages_is_one_term() -> None:
    german = "Das Wetterradar misst die Pluviometrie, und die Pluviometrie misst den Regen im Tal."
    english = "The pluviometries of the valley: weather radar and pluviometrie, mapped with rain gauges."
    corpus = Corpus(
        tuple(
            Document(str(n), "", text, (), language)
            for n, (text, language) in enumerate(2 * [(german, "de"), (english, "en")])
        )
    )
    (term,) = (term for term in extract_terms(corpus) if term.key == "pluviometri")
    assert term.documents == 0b1111
    assert {"Pluviometrie", "pluviometries"} <= set(term.variants)


@pytest.mark.parametrize(
    ("language", "text", "terms", "others"),
    [
        ("fr", "Les crues des rivières sont dans la vallée.", {"rivières", "vallée"}, {"les", "des", "sont"}),
        ("sv", "Regn och översvämningar är i byar som ligger vid floden.", {"floden"}, {"och", "som", "vid"}),
        ("ar", "الامطار في المدن من الفيضانات", {"المدن", "الفيضانات"}, {"في", "من"}),
    ],
)
def test_function_words_of_other_languages_are_no_terms(
    language: str, text: str, terms: set[str], others: set[str]
) -> None:
    corpus = Corpus(tuple(Document(str(n), "", text, (), language) for n in range(2)))
    labels = {*by_label(corpus)}
    assert terms <= labels
    assert not any(other in label.split() for label in labels for other in others)


@pytest.mark.parametrize("text", ["", "the of and", "Study results 2020", "!!!"])
def test_no_term_left_is_told(text: str) -> None:
    with pytest.raises(InvalidCorpus, match="no term stands in the 2 documents"):
        extract_terms(Corpus((Document("a", text, ""), Document("b", "", text))))


def test_an_empty_corpus_is_told() -> None:
    with pytest.raises(InvalidCorpus):
        extract_terms(Corpus(()))


@pytest.mark.parametrize("choices", [{"limit": 0}, {"minimum_df": 0}, {"limit": -3}])
def test_numbers_that_make_no_sense_are_told(choices: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match="must be 1 or more"):
        extract_terms(FLOODS, **choices)


PROGRAM = """
import test_extract as t
for term in t.extract_terms(t.Corpus(t.FLOODS.documents + t.RAIN_ZH)):
    print(term)
"""


@pytest.mark.slow
def test_the_same_terms_whatever_the_hash_seed() -> None:
    printed = [
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(Path(__file__).parent)},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert printed[0] == printed[1]
    assert printed[0].count(b"\n") > 5


def test_the_review_goes_out_and_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "review.csv"
    terms = extract_terms(FLOODS)
    write_review(terms, path, taken=len(terms) - 1)
    text = path.read_text(encoding="utf-8-sig")
    assert text.splitlines()[0] == "term,df,score,keep"
    assert f"heavy rainfall,4,{by_label(FLOODS)['heavy rainfall'].score:.4f},yes" in text.splitlines()
    assert read_review(path) == {term.label: True for term in terms[:-1]}
    path.write_text(text.replace(",yes\n", ",no\n", 1), encoding="utf-8")
    assert read_review(path)[terms[0].label] is False


@pytest.mark.parametrize("text", ["term;df;score;keep\nrain;3;0.5;N\nflood;2;0.4;x\nstorm;2;0.3;\n;;;\n"])
def test_the_review_may_come_from_a_spreadsheet(tmp_path: Path, text: str) -> None:
    path = tmp_path / "review.csv"
    path.write_text(text.replace("\n", "\r\n"), encoding="utf-8-sig", newline="")
    assert read_review(path) == {"rain": False, "flood": True}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "needs the columns term and keep; found: none"),
        (b"name,keep\n", "needs the columns term and keep; found: name, keep"),
        (b"term,keep\nrain,yes\nflood,perhaps\n", "line 3: keep is 'perhaps' for 'flood'"),
        (b"term,keep\n,yes\n", "line 2: keep is 'yes' for ''"),
        (b"term,keep\nrain,yes\nrain,no\n", "line 3: 'rain' is both kept and dropped"),
        (b"term,keep\nr\xe9gion,yes\n", "is not UTF-8"),
        (b'term,keep\n"' + b"x" * 200_000 + b'",yes\n', "line 2"),
    ],
)
def test_a_bad_review_is_told_with_its_line(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "review.csv"
    path.write_bytes(content)
    with pytest.raises(InvalidInput, match=message):
        read_review(path)


def test_a_review_that_cannot_be_read_or_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="cannot read the review"):
        read_review(tmp_path / "missing.csv")
    with pytest.raises(InvalidInput, match="cannot write"):
        write_review([], tmp_path / "missing" / "review.csv", taken=0)


def test_a_chinese_term_stands_there_twice_or_is_a_keyword() -> None:
    document = Document("z0", "山洪预警", "山洪冲毁桥梁。山洪来得快。", ("泥石流",), "zh")
    other = Document("z1", "泥石流", "泥石流掩埋村庄。", (), "zh")
    found = {term.label for term in extract_terms(Corpus((document, other)))}
    assert {"山洪", "泥石流"} <= found
    assert "桥梁" not in found


def test_a_chinese_term_of_one_document_comes_after_those_of_two() -> None:
    """It may be part of a sentence, and it fills up where better ones are missing."""
    rare = "山洪预警系统。" * 3
    corpus = corpus_of_texts([f"暴雨引发山洪。{rare}", "暴雨与山洪。", "暴雨很大,山洪很多。"])
    first = [term.label for term in extract_terms(corpus, limit=2)]
    assert set(first) == {"暴雨", "山洪"}
    assert "预警系统" in "".join(term.label for term in extract_terms(corpus, limit=9))


def test_a_word_of_more_letters_than_words_have_is_no_term() -> None:
    word = "flood" * 13
    assert not {term.key for term in extract_terms(corpus_of_texts([f"The {word} and the dam."]))} & {word}
    assert "flood dam" in by_label(corpus_of_texts(["The flood dam."]))
