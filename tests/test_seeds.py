"""Files of seeds."""

from pathlib import Path

from fcwseo.seeds import read_seed_sets


def test_blank_lines_part_sets_and_comments_do_not(tmp_path: Path) -> None:
    file = tmp_path / "seeds.txt"
    file.write_text(
        "http://a.example/ # one\n# two\n  # three\nhttp://b.example/#four\n \nhttp://c.example/\n"
    )
    assert read_seed_sets(file) == [["http://a.example/", "http://b.example/"], ["http://c.example/"]]
