"""The reader on a small ``dict`` folder of our own; the known figures on the WordNet of the package."""

import gzip
from importlib.resources import files
from pathlib import Path

import pytest

from fcwseo_ontology.errors import InvalidInput
from fcwseo_ontology.relations.wordnet import HOW_TO_GET, WordNet, find_wordnet, load_wordnet

INDEX = """\
  1 a licence stands here, its lines begin with blanks
body_of_water n 1 1 ~ 1 0 00000050
flash_flood n 1 1 @ 1 0 00000030
flood n 2 2 @ ~ 2 1 00000020 00000040
inundation n 1 1 @ 1 0 00000020
man n 1 0 1 0 00000060
mouse n 1 0 1 0 00000060
phenomenon n 1 1 ~ 1 0 00000010
river n 1 2 @ %p 1 0 00000070
mouth n 1 1 #p 1 0 00000080
"""
DATA = """\
  1 a licence stands here, its lines begin with blanks
00000010 03 n 01 phenomenon 0 002 ~ 00000020 n 0000 ~ 00000040 n 0000 | what can be observed
00000020 19 n 02 flood 0 inundation 0 003 @ 00000010 n 0000 ~ 00000030 n 0000 + 00001234 v 0101 | water
00000030 19 n 01 flash_flood 0 001 @ 00000020 n 0000 | a sudden local flood; "it took the bridge"
00000040 23 n 01 flood 0 001 @ 00000010 n 0000 | a great number
00000050 17 n 01 body_of_water 0 001 ~ 00000070 n 0000 | water with a shore
00000060 18 n 0b man 0 b 0 c 0 d 0 e 0 f 0 g 0 h 0 i 0 j 0 mouse 0 000 | eleven words, counted in hexadecimal
00000070 17 n 01 river 0 002 @ 00000050 n 0000 %p 00000080 n 0000 | a large stream
00000080 17 n 01 mouth 0 001 #p 00000070 n 0000 | where it ends
"""
EXCEPTIONS = "mice mouse\n"


def write(folder: Path, *, ends: str = "\n") -> Path:
    folder.mkdir(exist_ok=True)
    for name, text in (("index.noun", INDEX), ("data.noun", DATA), ("noun.exc", EXCEPTIONS)):
        (folder / name).write_bytes(text.replace("\n", ends).encode())
    return folder


@pytest.fixture(params=["\n", "\r\n"], ids=["lf", "crlf"])
def tiny(request: pytest.FixtureRequest, tmp_path: Path) -> WordNet:
    return WordNet.load(write(tmp_path / "dict", ends=request.param))


def test_the_meanings_of_a_word_come_commonest_first(tiny: WordNet) -> None:
    assert [(synset.kind, synset.words) for synset in tiny.synsets("flood")] == [
        ("phenomenon", ("flood", "inundation")),
        ("quantity", ("flood",)),
    ]
    assert tiny.synsets("debris flow") == ()


def test_a_gloss_ends_where_its_line_ends(tiny: WordNet) -> None:
    assert tiny.synsets("flood")[0].gloss == "water"


def test_phrases_plurals_and_irregular_forms_are_found(tiny: WordNet) -> None:
    assert tiny.lemmas("Flash Floods") == ("flash_flood",)
    assert tiny.lemmas("mice") == ("mouse",)
    assert tiny.lemmas("men") == ("man",)
    assert tiny.lemmas("flooding") == ()


def test_plurals_in_ses_have_the_singular_in_s() -> None:
    index = (f"{word} n 1 0 1 0 00000001" for word in ("gas", "glass", "rose", "bus"))
    nouns = WordNet.of_lines(index, ["00000001 27 n 01 gas 0 000 | air"])
    plurals = ("gases", "glasses", "roses", "buses")
    assert [nouns.lemmas(word) for word in plurals] == [("gas",), ("glass",), ("rose",), ("bus",)]


def test_words_are_counted_in_hexadecimal(tiny: WordNet) -> None:
    assert tiny.synsets("mouse")[0].words[-1] == "mouse"


def test_pointers_to_verbs_are_left_out(tiny: WordNet) -> None:
    assert {symbol for symbol, _ in tiny.synset(20).pointers} == {"@", "~"}


def test_part_and_whole(tiny: WordNet) -> None:
    river, mouth = tiny.synset(70), tiny.synset(80)
    assert tiny.parts(river) == (mouth,)
    assert tiny.wholes(mouth) == (river,)
    assert tiny.ancestors(tiny.synset(30)) == {30: 0, 20: 1, 10: 2}


def test_information_content_and_lin(tiny: WordNet) -> None:
    # 8 synsets: IC(flood) = 1 - ln 2 / ln 8 = 2/3, IC(flash flood) = 1, so Lin = 2 * 2/3 / (1 + 2/3) = 0.8.
    assert tiny.information_content(tiny.synset(20)) == pytest.approx(2 / 3)
    assert tiny.similarity("flash flood", "inundation") == pytest.approx(0.8)
    assert tiny.similarity("flood", "river") == 0
    assert tiny.similarity("flood", "unheard of") == 0
    assert tiny.similarity("Unheard of", "unheard of") == 1


def test_a_word_alike_in_a_rarer_meaning_counts(tiny: WordNet) -> None:
    assert tiny.similarity("flood", "inundation") == 1


def test_the_environment_names_a_wordnet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FCWSEO_WORDNET", str(write(tmp_path / "dict")))
    assert len(load_wordnet()) == 8


def test_a_wrong_folder_in_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FCWSEO_WORDNET", str(tmp_path))
    with pytest.raises(InvalidInput, match="are not there"):
        find_wordnet()


def test_a_packed_wordnet_is_read(tmp_path: Path) -> None:
    folder = write(tmp_path / "dict")
    for file in list(folder.iterdir()):
        (folder / f"{file.name}.gz").write_bytes(gzip.compress(file.read_bytes()))
        file.unlink()
    assert WordNet.load(folder).lemmas("mice") == ("mouse",)


def test_a_broken_package_is_one_clear_line(tmp_path: Path) -> None:
    folder = write(tmp_path / "dict")
    (folder / "data.noun").unlink()
    (folder / "data.noun.gz").write_bytes(gzip.compress(DATA.encode())[:-20])
    with pytest.raises(InvalidInput, match="cannot read WordNet"):
        WordNet.load(folder)


def test_a_missing_folder_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput) as caught:
        WordNet.load(tmp_path / "nowhere")
    assert HOW_TO_GET in str(caught.value)


@pytest.mark.parametrize(
    "data",
    ["", "nonsense\n", "00000020 19 n zz flood\n", "00000020 19 n 01 flood 0 009 @ 00000010 n 0000 | cut\n"],
)
def test_broken_data_is_one_clear_line(tmp_path: Path, data: str) -> None:
    folder = write(tmp_path / "dict")
    (folder / "data.noun").write_text(data)
    with pytest.raises(InvalidInput, match="WordNet"):
        WordNet.load(folder).synset(20)


@pytest.fixture(scope="module")
def real() -> WordNet:
    """The WordNet of the package, whatever the environment says."""
    return WordNet.load(files("fcwseo_ontology") / "data" / "wordnet")


def test_the_wordnet_of_the_package_is_used(real: WordNet, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FCWSEO_WORDNET", raising=False)
    found = load_wordnet()
    assert len(found) == len(real) == 82_115
    assert (
        found.synsets("floods")[0].gloss
        == "the rising of a body of water and its overflowing onto normally dry land"
    )


def test_hyponyms_are_counted_as_one_by_one(real: WordNet) -> None:
    below: dict[int, set[int]] = {}
    for word in ("flash flood", "rainstorm", "apple", "river", "engine"):
        for synset in real.synsets(word):
            for above in real.ancestors(synset):
                below.setdefault(above, set()).add(synset.id)
    for number, some in below.items():
        assert real.hyponym_count(real.synset(number)) >= len(some - {number})


def test_counts_are_those_of_a_walk_from_every_noun(tiny: WordNet) -> None:
    everything = [tiny.synset(number) for number in range(10, 90, 10)]
    for synset in everything:
        below = [one for one in everything if one != synset and synset.id in tiny.ancestors(one)]
        assert tiny.hyponym_count(synset) == len(below)


@pytest.mark.parametrize(
    ("word", "sense", "below", "content"),
    [
        ("rain", 0, 8, 0.806),
        ("rainstorm", 0, 2, 0.903),
        ("flood", 0, 4, 0.858),
        ("disaster", 0, 0, 1.0),
        ("disaster", 1, 10, 0.788),
        ("apple", 0, 26, 0.709),
    ],
)
def test_seco_on_real_data(real: WordNet, word: str, sense: int, below: int, content: float) -> None:
    synset = real.synsets(word)[sense]
    assert real.hyponym_count(synset) == below
    assert real.information_content(synset) == pytest.approx(content, abs=0.01)


@pytest.mark.parametrize(
    ("first", "second", "similarity"),
    [
        ("rainstorm", "downpour", 0.847),
        ("rainstorm", "rain", 0.943),
        ("rainstorm", "flood", 0.492),
        ("flood", "disaster", 0.438),
        ("rainstorm", "keyboard", 0.058),
        ("apple", "pear", 0.879),
        ("apple", "keyboard", 0.108),
        ("Amazon", "river", 0.694),
        ("Amazon", "company", 0.183),
    ],
)
def test_lin_on_real_data(real: WordNet, first: str, second: str, similarity: float) -> None:
    assert real.similarity(first, second) == pytest.approx(similarity, abs=0.01)
