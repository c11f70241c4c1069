"""Blind readings: what a sheet shows and hides, and what the verdicts add up to."""

import csv
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from quality import readings
from quality.builds import Built
from quality.data import Subject
from quality.readings import HEAD_NOUN, OTHER, RANDOM, SHARES, Claim, Drawn

from fcwseo_ontology.model import Concept, Edge, Label, Ontology, Relation

NOW, BEFORE = "abc1234", "4d942b6"


def claim(child: str, parent: str, relation: str = "is-a") -> Claim:
    return Claim("flood", child, relation, parent)


def ontology_of(*edges: tuple[str, str, Relation]) -> Built:
    names = dict.fromkeys(["flood", *(name for child, parent, _ in edges for name in (child, parent))])
    concepts = tuple(Concept(name, (Label(name),), source="corpus") for name in names)
    whole = Ontology("flood", concepts, tuple(Edge(*edge) for edge in edges))
    return Built(Subject("floods", "flood", ()), whole, (), 0.0, 0.0)


def cells(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text(encoding="utf-8-sig").splitlines()))


def answer(sheet: Path, reader: Path, verdicts: dict[str, str]) -> Path:
    lines = [f"{row['id']},{verdicts.get(row['child'], 'wrong')}" for row in cells(sheet)]
    reader.write_text("\n".join(("id,verdict", *lines)), encoding="utf-8")
    return reader


def test_edges_that_state_nothing_are_not_read() -> None:
    built = ontology_of(
        ("rain", "flood", Relation.RELATED),
        ("deluge", "flood", Relation.SYNONYM),
        ("damage", "flood", Relation.INDUCE),
    )
    assert readings.claims(built) == [claim("damage", "flood", "induce")]
    assert readings.claims(built)[0].statement == "flood causes damage"


@given(st.dictionaries(st.sampled_from([*SHARES]), st.integers(0, 40)), st.integers(0, 80))
def test_as_many_are_drawn_as_there_are(sizes: dict[str, int], number: int) -> None:
    taken = readings.allocate(sizes, number)
    assert sum(taken.values()) == min(number, sum(sizes.values()))
    assert all(0 <= count <= sizes.get(name, 0) for name, count in taken.items())


def test_a_sample_knows_how_many_it_was_drawn_from() -> None:
    found = [claim(f"{name} flood", "flood") for name in "abcdefgh"] + [claim("tornado", "storm")]
    drawn = readings.sample(found, NOW, 4, Random(1))
    assert Counter((one.stratum, one.population) for one in drawn) == {(HEAD_NOUN, 8): 3, (OTHER, 1): 1}
    assert drawn == readings.sample(found, NOW, 4, Random(1))


def test_random_pairs_are_no_edges() -> None:
    built = ontology_of(("a", "flood", Relation.IS_A), ("b", "a", Relation.RELATED))
    known = [claim("a", "flood"), claim("flood", "b")]
    (drawn,) = readings.random_pairs([built], known, [claim("x", "y", "induce")], 1, Random(1))
    assert {drawn.claim.child, drawn.claim.parent} == {"a", "b"}
    assert (drawn.claim.relation, drawn.source, drawn.stratum) == ("induce", RANDOM, RANDOM)


def test_a_sheet_hides_the_sources_and_has_a_claim_once(tmp_path: Path) -> None:
    shared, own = claim("tornado", "storm"), claim("rain", "storm")
    drawn = [
        Drawn(shared, NOW, OTHER, 3),
        Drawn(shared, BEFORE, OTHER, 5),
        Drawn(own, RANDOM, RANDOM, 1),
    ]
    sheet, answers = readings.write_sheet(tmp_path / "new", "try", drawn, Random(2))
    text = sheet.read_text(encoding="utf-8-sig")
    assert len(cells(sheet)) == 2 and not any(name in text for name in (NOW, BEFORE, RANDOM, OTHER))
    assert {row["verdict"] for row in cells(sheet)} == {""}
    number = {row["child"]: row["id"] for row in cells(sheet)}
    assert sorted((row["id"], row["source"]) for row in cells(answers)) == sorted(
        [(number["tornado"], NOW), (number["tornado"], BEFORE), (number["rain"], RANDOM)]
    )


def test_verdicts_are_counted_by_source_and_stratum(tmp_path: Path) -> None:
    """Of 10 head nouns one is read and right, of 30 others two and one right: (10 * 1 + 30 * 0.5) / 40."""
    kinds = [claim("urban flood", "flood"), claim("tornado", "storm"), claim("rain", "storm")]
    drawn = [
        Drawn(kinds[0], NOW, HEAD_NOUN, 10),
        Drawn(kinds[1], NOW, OTHER, 30),
        Drawn(kinds[2], NOW, OTHER, 30),
        Drawn(claim("map", "flood"), RANDOM, RANDOM, 1),
    ]
    sheet, answers = readings.write_sheet(tmp_path, "try", drawn, Random(2))
    one = answer(sheet, tmp_path / "a.csv", {"urban flood": "right", "tornado": "Right "})
    other = answer(sheet, tmp_path / "b.csv", {"urban flood": "right", "tornado": "doubtful"})
    lines = list(readings.report(*readings.read_sheets(answers, [one, other])))
    rows = {tuple(line.split(" | ")[:2]): line.split(" | ")[2:] for line in lines}
    assert rows[f"| {NOW}", OTHER][:5] == ["2", "30", "0.50", "0.00", "0.25"]
    assert rows[f"| {NOW}", "is-a, weighted"][:5] == ["3", "40", "0.62", "0.25", "0.44"]
    assert rows[f"| {RANDOM}", RANDOM][:5] == ["1", "1", "0.00", "0.00", "0.00"]
    assert "agree on 75 % of 4" in lines[-2]


def test_a_verdict_must_be_one_of_three(tmp_path: Path) -> None:
    drawn = [Drawn(claim("tornado", "storm"), NOW, OTHER, 3)]
    sheet, answers = readings.write_sheet(tmp_path, "try", drawn, Random(2))
    with pytest.raises(SystemExit, match=r"id 1: the verdict is 'maybe'; write right, doubtful, wrong"):
        readings.read_sheets(answers, [answer(sheet, tmp_path / "a.csv", {"tornado": "maybe"})])
    empty = tmp_path / "b.csv"
    empty.write_text("id,verdict\n", encoding="utf-8")
    with pytest.raises(SystemExit, match="no verdict on 1"):
        readings.read_sheets(answers, [empty])
    with pytest.raises(SystemExit, match="cannot read"):
        readings.read_sheets(answers, [tmp_path / "nowhere.csv"])
