import math

import pytest

from fcwseo_ontology.corpus.background import TABLES, Background, Kind, background
from fcwseo_ontology.terms.candidates import Units, candidates
from fcwseo_ontology.terms.ranking import PIECE, best_first, c_values, contrast, contrasts, fuse

TABLE = Background("en", {"rain": (1e-5, 2e-5), "study": (1e-4, 1e-2)}, {})


def phrases(text: str, language: str = "en") -> list[str]:
    units = Units(background(language))
    return [" ".join(unit.text for unit in part) for _, part in candidates(units.read(text))]


def test_c_value_by_hand() -> None:
    frequency = {("flash", "flood"): 8, ("flood",): 20, ("flash", "flood", "risk"): 3, ("risk",): 4}
    values = c_values(frequency)
    assert values[("flood",)] == pytest.approx(math.log2(2) * (20 - 8))
    assert values[("flash", "flood")] == pytest.approx(math.log2(3) * (8 - 3))
    assert values[("flash", "flood", "risk")] == pytest.approx(math.log2(4) * 3)
    assert values[("risk",)] == pytest.approx(1)


def test_contrast_by_hand() -> None:
    documents = [["rain", "study"] + ["x"] * 98] * 3 + [["study"] + ["x"] * 99] * 1
    share = (3 + 0.5) / (4 + 1)
    expected = 1 - math.exp(-2e-5 * 100)  # the scholarly rate, which is the higher one
    found = contrasts(documents, TABLE)
    assert found["rain"] == pytest.approx(math.log(share / (1 - share)) - math.log(expected / (1 - expected)))
    assert found["rain"] > found["studi"]


def test_what_is_commoner_elsewhere_has_no_contrast() -> None:
    documents = [["study"] + ["x"] * 99] + [["x"] * 100] * 9
    assert contrasts(documents, TABLE)["studi"] == 0


def test_variants_of_a_word_count_together() -> None:
    documents = [["flood"] * 10, ["floods"] * 10, ["rain"] * 10, ["rain"] * 10]
    found = contrasts(documents, background("en"))
    assert found["flood"] > 0
    assert found["flood"] != contrasts([["flood"] * 10, ["rain"] * 10], background("en"))["flood"]


def test_long_documents_are_cut_into_pieces() -> None:
    """A word once in a long document is less than a word in each part of it."""
    long = (["rain"] + ["x"] * (PIECE - 1)) * 9 + ["once"] + ["y"] * (PIECE - 1)
    found = contrasts([long], background("en"))
    assert found["rain"] > found["onc"]


def test_without_a_table_all_words_weigh_the_same() -> None:
    assert contrasts([["tulva", "sade"]], background("fi")) == {"tulv": 1.0, "sade": 1.0}


def test_in_other_languages_rare_words_weigh_more_than_common_ones() -> None:
    found = contrasts([["crue", "temps"]], background("fr"))
    assert found["cru"] > found["temp"]


def test_the_contrast_of_a_phrase_is_the_mean() -> None:
    assert contrast(("a", "b"), {"a": 3.0}) == 1.5


def test_fusion_prefers_what_several_rankings_have() -> None:
    scores = fuse([([("a",), ("b",)], 1.0), ([("c",), ("b",)], 1.0)])
    assert best_first(scores) == [("b",), ("a",), ("c",)]
    assert scores[("b",)] == pytest.approx((2 / 62) / (2 / 61))


def test_a_small_share_of_the_corpus_ranks_lower() -> None:
    ranking = [((str(n),), 1.0) for n in range(3)]
    keys = [key for key, _ in ranking]
    large, small = fuse([(keys, 1.0)], share=0.9), fuse([(keys, 1.0)], share=0.1)
    assert all(small[key] < large[key] for key in keys)
    assert small[keys[0]] < large[keys[2]]


def test_candidates_stand_between_stop_words_and_marks() -> None:
    assert phrases("The heavy rain, and of course: a river!") == ["heavy rain", "rain", "course", "river"]


def test_nothing_begins_or_ends_inside_a_compound() -> None:
    assert phrases("rainfall-runoff model") == ["rainfall-runoff", "rainfall-runoff model", "model"]
    assert phrases("SARS-CoV-2 infection") == ["SARS-CoV-2", "SARS-CoV-2 infection", "infection"]


def test_generic_words_are_terms_only_with_others() -> None:
    assert phrases("performance") == []
    assert phrases("performance problem") == []
    assert phrases("flood problem") == ["flood", "flood problem"]


def test_a_paragraph_ends_a_phrase_and_a_line_does_not() -> None:
    assert phrases("flash\nflood") == ["flash", "flash flood", "flood"]
    assert phrases("flash\n\nflood") == ["flash", "flood"]


def test_chinese_candidates() -> None:
    assert phrases("强降雨引发的城市内涝", "zh") == ["强降雨", "城市", "城市 内涝", "内涝"]


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("flood", Kind.HEAD),
        ("xylomorphic", Kind.MODIFIER),
        ("floodly", Kind.STOP),
        ("sicily", Kind.HEAD),
        ("frobnicator", Kind.HEAD),
        ("3d", Kind.MODIFIER),
        ("2020", Kind.STOP),
        ("3.14", Kind.STOP),
        ("q", Kind.GENERIC),
        ("vitamin", Kind.HEAD),
        ("result", Kind.GENERIC),
        ("proposed", Kind.STOP),
    ],
)
def test_kinds_of_words(word: str, kind: Kind) -> None:
    assert background("en").kind(word) is kind


@pytest.mark.parametrize(
    ("language", "word", "kind"),
    [
        ("de", "wird", Kind.STOP),
        ("de", "datenbank", Kind.HEAD),
        ("de", "your", Kind.STOP),  # of a sentence that nobody translated
        ("de", "see", Kind.HEAD),  # a lake, though English has it as a stop word
        ("nl", "the", Kind.STOP),  # subtitles have it
        ("da", "by", Kind.HEAD),  # a town; of Danish no rates are known
        ("ar", "في", Kind.STOP),
        ("ru", "для", Kind.STOP),
        ("sv", "och", Kind.STOP),
        ("nl", "het", Kind.STOP),
    ],
)
def test_function_words_of_other_languages_stand_in_no_term(language: str, word: str, kind: Kind) -> None:
    assert background(language).kind(word) is kind


def test_the_tables_are_small_and_whole() -> None:
    from importlib.resources import files

    for language in TABLES:
        size = {"en": 60_000, "zh": 80_000}.get(language, 10_000)
        packed = (files("fcwseo_ontology") / "data" / f"background-{language}.tsv.gz").read_bytes()
        assert len(packed) < 1_000_000
        assert len(background(language).rates) >= size
