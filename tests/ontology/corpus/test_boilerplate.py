"""What every page of a site says is not the topic's."""

from pathlib import Path

from fcwseo_ontology.corpus.boilerplate import shared_runs, without, without_boilerplate
from fcwseo_ontology.corpus.read import read_corpus

MENU = "Home Archive About Imprint Privacy Contact Newsletter"
TEXTS = (
    "rain fell on hills",
    "rivers rose in the night",
    "a dam held",
    "the town was flooded",
    "help came",
)


def test_a_menu_on_every_page_is_left_out(tmp_path: Path) -> None:
    for number, text in enumerate(TEXTS):
        (tmp_path / f"{number}.txt").write_text(f"Report {number}\n\n{MENU}\n{text}")
    texts = [document.text for document in without_boilerplate(read_corpus([tmp_path])).documents]
    assert not any("Imprint" in text for text in texts)
    assert all(kept in text for kept, text in zip(TEXTS, texts, strict=True))


def test_what_few_documents_share_stays(tmp_path: Path) -> None:
    for number, text in enumerate(TEXTS):
        (tmp_path / f"{number}.txt").write_text(f"Report {number}\n\n{MENU if number < 2 else ''}\n{text}")
    assert (
        sum("Imprint" in document.text for document in without_boilerplate(read_corpus([tmp_path])).documents)
        == 2
    )


def test_chinese_notices_are_left_out() -> None:
    runs = shared_runs([f"本站由志愿者维护。{text}" for text in ("暴雨", "洪水", "内涝", "滑坡")])
    assert without("本站由志愿者维护。台风", runs) == "。台风"
