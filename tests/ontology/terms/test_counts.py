"""The word counts that an ontology keeps of its documents."""

from collections import Counter
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from fcwseo_ontology.corpus.documents import Corpus, Document
from fcwseo_ontology.corpus.tokens import written_words
from fcwseo_ontology.model import Concept, Label, Ontology
from fcwseo_ontology.terms.counts import MOST_DOCUMENTS, count_documents, evenly, with_documents


def counted(text: str, *labels: str, language: str = "en") -> dict[str, int]:
    (found,) = count_documents([Document("1", "", text, language=language)], labels)
    return dict(found.counts)


def test_words_count_as_they_are_written_in_lower_case() -> None:
    assert counted("Flooding, FLOODS and the flood; flo\xadods") == {
        "and": 1,
        "flood": 1,
        "flooding": 1,
        "floods": 2,
        "the": 1,
    }


def test_labels_of_several_words_count_in_each_of_their_forms() -> None:
    found = counted("flash floods, a Flash-Flood and flash floods", "flash flood", "flood")
    assert found["flash floods"] == 2 and found["flash flood"] == 1
    assert found["flash"] == 3 and found["floods"] == 2 and found["flood"] == 1


def test_a_label_within_a_longer_one_counts_too() -> None:
    """Whoever does without the longer label can still count the shorter one."""
    found = counted("a flash flood warning", "flash flood", "flash flood warning")
    assert found["flash flood"] == found["flash flood warning"] == 1


def test_labels_are_found_by_the_stems_of_the_document() -> None:
    assert "crues éclairs" in counted("des crues éclairs", "crue éclair", language="fr")


def test_chinese_labels_are_their_pairs() -> None:
    found = counted("机器学习和学习", "机器学习", language="zh")
    assert found["机器 器学 学习"] == 1
    assert found["机器"] == 1 and found["学习"] == 2
    assert written_words("机器 器学 学习") == written_words("机器学习")


@given(st.lists(st.sampled_from(["flash", "flood", "floods", "warning", "the", "Rain"]), max_size=30))
def test_counts_are_those_of_a_slow_twin(text: list[str]) -> None:
    labels = ("flash flood", "flood warning", "flash flood warning")
    stems = [word.lower().removesuffix("s") for word in text]
    twin = Counter(word.lower() for word in text)
    for label in labels:
        parts = label.split()
        for start in range(len(stems)):
            if stems[start : start + len(parts)] == parts:
                twin[" ".join(text[start : start + len(parts)]).lower()] += 1
    assert counted(" ".join(text), *labels) == dict(twin)


def test_nothing_tells_the_order_of_other_words() -> None:
    one, other = "rivers rise after rain", "after rain rivers rise"
    assert counted(one, "flash flood") == counted(other, "flash flood")
    assert list(counted(one)) == sorted(counted(one))


def test_a_document_is_named_by_its_title_or_file() -> None:
    files = [Document("/home/me/a.txt", "", "rain"), Document("/home/me/b.txt", "Floods", "rain")]
    assert [found.name for found in count_documents(files, ())] == ["a.txt", "Floods"]


def test_of_many_documents_some_are_kept_from_everywhere() -> None:
    many = tuple(Document(str(number), "", "rain") for number in range(1000))
    ontology = with_documents(Ontology("a", (Concept("a", (Label("rain"),)),), ()), Corpus(many))
    names = [int(document.name) for document in ontology.documents]
    assert len(names) == MOST_DOCUMENTS
    assert names[0] == 0 and names[-1] >= 997
    assert {later - one for one, later in pairwise(names)} == {2, 3}


@given(st.lists(st.integers(), max_size=30), st.integers(1, 40))
def test_evenly_drops_only_what_is_too_many(values: list[int], most: int) -> None:
    documents = [Document(str(value), "", "") for value in values]
    kept = evenly(documents, most)
    assert len(kept) == min(most, len(documents))
    assert [one for one in documents if any(one is other for other in kept)] == list(kept)
