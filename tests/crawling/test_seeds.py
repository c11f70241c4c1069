"""Files of seeds."""

from pathlib import Path

from fcwseo.crawling.seeds import merge_ranking_files, merge_rankings, read_seed_sets


def test_blank_lines_part_sets_and_comments_do_not(tmp_path: Path) -> None:
    file = tmp_path / "seeds.txt"
    file.write_text(
        "http://a.example/ # one\n# two\n  # three\nhttp://b.example/#four\n \nhttp://c.example/\n"
    )
    assert read_seed_sets(file) == [["http://a.example/", "http://b.example/"], ["http://c.example/"]]


def test_what_more_engines_name_comes_first_then_what_they_rank_higher() -> None:
    rankings = [["a", "b", "c", "x"], ["c", "a", "d"], ["e", "c", "a", "d"]]
    assert merge_rankings(rankings) == [
        ("a", 1, 2.0),
        ("c", 1, 2.0),
        ("d", 2, 3.5),
        ("e", 3, 1.0),
        ("b", 3, 2.0),
        ("x", 3, 4.0),
    ]


def test_an_engine_that_names_a_page_twice_counts_once() -> None:
    assert merge_rankings([["a", "a", "b"], ["b"]]) == [("b", 1, 1.5), ("a", 2, 1.0)]


def test_merged_rankings_are_a_file_of_seeds(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("one", "two", "three")]
    for file, urls in zip(files, ("/a /b", "/b", "/c /b"), strict=True):
        file.write_text("\n".join(f"http://x.example{url}" for url in urls.split()))
    merge_ranking_files(files, tmp_path / "seeds.txt")
    lines = (tmp_path / "seeds.txt").read_text().splitlines()
    assert lines[0] == "http://x.example/b # priority 1"
    assert [url[-1] for url in read_seed_sets(tmp_path / "seeds.txt")[0]] == ["b", "a", "c"]
