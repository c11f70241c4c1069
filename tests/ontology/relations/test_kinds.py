"""Is-a from the concept lattice of terms and what they are said to be."""

from dataclasses import replace

from helpers.relations_examples import corpus, hierarchy, kinds, pair, terms, weather_wordnet
from hypothesis import given, settings
from hypothesis import strategies as st

from fcwseo_ontology.fca.engines import concept_lattice
from fcwseo_ontology.fca.lattice import lattice
from fcwseo_ontology.fca.order import introducer_order
from fcwseo_ontology.model import Relation
from fcwseo_ontology.relations.features import as_decided, said_of, whole_phrases
from fcwseo_ontology.relations.heads import shown_like_heads
from fcwseo_ontology.relations.kinds import formal_context, kinds_of
from fcwseo_ontology.relations.statements import Names, Source, Statement, believed

NONE = corpus("Nothing.")


def is_a(*labels: str, **said: object) -> set[tuple[str, str]]:
    found = kinds(*labels, **said)  # type: ignore[arg-type]
    return {(child, parent) for child, relation, parent in found if relation == "is-a"}


def test_a_compound_is_a_kind_of_its_head() -> None:
    assert is_a("flood", "flash flood", "urban flood") == {
        ("flash flood", "flood"),
        ("urban flood", "flood"),
    }


def test_modifiers_need_not_stand_side_by_side() -> None:
    assert is_a("urban flood", "flash flood", "urban flash flood", "flood") == {
        ("urban flash flood", "flash flood"),
        ("urban flash flood", "urban flood"),
        ("urban flood", "flood"),
        ("flash flood", "flood"),
    }


def test_the_modifier_is_no_kind() -> None:
    assert is_a("flood", "flood risk", "vulnerability to floods") == set()
    assert is_a("vulnerability", "vulnerability to floods") == {("vulnerability to floods", "vulnerability")}


def test_figures_of_speech_and_denials_are_no_kinds() -> None:
    assert is_a("forest", "random forest", "alarm", "false alarm") == set()


def test_a_figure_of_speech_has_kinds_of_its_own() -> None:
    assert is_a("network", "neural network", "deep neural network") == {
        ("deep neural network", "neural network")
    }


def test_two_nouns_with_a_dash_are_only_named_together() -> None:
    dashed = ["The rainfall-runoff process. A rainfall\u2013runoff model. Rainfall runoff."]
    assert is_a("rainfall", "runoff", "rainfall runoff", texts=dashed) == set()
    assert is_a("rainfall", "runoff", "rainfall runoff") == {("rainfall runoff", "runoff")}


def test_heads_that_share_only_a_stem_are_different_things() -> None:
    assert is_a("cluster", "document clustering") == set()


def test_a_region_is_no_kind() -> None:
    assert is_a("Italy", "southern Italy", "region", "southern region") == {("southern region", "region")}


def test_compounds_are_shown_in_the_form_of_their_head() -> None:
    model, hydraulic = terms("model", "hydraulic modelling")
    merged = replace(hydraulic, key="hydraul model", variants=("hydraulic modelling", "hydraulic model"))
    shown = shown_like_heads([model, merged])
    assert [term.label for term in shown] == ["model", "hydraulic model"]
    assert "hydraulic modelling" in shown[1].variants
    assert [term.label for term in shown_like_heads([merged])] == ["hydraulic modelling"]


def test_wordnet_adds_kinds_and_denies_heads() -> None:
    labels = ("precipitation", "rain", "heavy rain", "heavy precipitation", "engine", "search engine")
    assert is_a(*labels, wordnet=weather_wordnet()) == {
        ("rain", "precipitation"),
        ("heavy precipitation", "precipitation"),
        ("heavy rain", "rain"),
    }


def test_a_class_that_only_wordnet_names_needs_two_kinds() -> None:
    some = terms("rain", "snow", *MANY)
    for source, least in ((Source.WORDNET, 2), (Source.SENTENCES, 1)):
        for number in (1, 2):
            said = [Statement(one.key, "~precipitation", 0.75, source, "said", 0) for one in some[:number]]
            beliefs = believed(said, NONE.documents)
            context = formal_context(some, beliefs, phrases=frozenset({"~precipitation"}))
            assert ("~precipitation" in context.attributes) is (number >= least)


def test_chinese_heads_stand_last() -> None:
    assert is_a("灾害", "地质灾害", "山洪灾害", "确定性", "不确定性", "网络", "神经网络") == {
        ("地质灾害", "灾害"),
        ("山洪灾害", "灾害"),
    }


MANY = ("gale", "flood", "landslide", "pump", "sewer", "valley", "map")


def test_the_lattice_names_what_several_terms_are() -> None:
    said = [pair("gales", "natural hazards"), pair("floods", "costly natural hazards", document=1)]
    found = is_a(*MANY, pairs=said, texts=["Nothing."] * 2)
    assert found == {("gale", "natural hazard"), ("flood", "natural hazard")}
    # One term makes no class, and what nearly all are says nothing.
    assert is_a(*MANY, pairs=said[:1]) == set()
    assert is_a("gale", "flood", "landslide", pairs=said, texts=["Nothing."] * 2) == set()


def test_an_edge_may_come_of_two_sources_together() -> None:
    some, said = terms(*MANY, "hazard"), [pair("gales", "natural hazards")]
    found, _, _ = hierarchy(some, NONE, pairs=said)
    (edge,) = found.edges
    assert (edge.child, edge.parent, edge.confidence) == ("gale", "hazard", 0.675)
    assert edge.evidence == (
        "sentences say: natural hazards such as gales (\u201cnatural hazards such as gales\u201d) (in 0); "
        "natural hazard: head noun: a kind of hazard"
    )


def test_a_class_of_heads_needs_a_phrase_that_stands_by_itself() -> None:
    labels = (*MANY, "time series forecasting", "energy series forecasting")
    assert not is_a(*labels, texts=["Time series forecasting. Energy series forecasting."] * 3) & {
        ("time series forecasting", "series forecasting")
    }
    assert ("time series forecasting", "series forecasting") in is_a(
        *labels, texts=["The series forecasting. Energy series forecasting."] * 3
    )


def test_what_each_says_the_other_is_means_the_same() -> None:
    found = kinds(*MANY, pairs=[pair("floods", "valleys"), pair("valleys", "floods")])
    assert found == {("valley", "synonym", "flood")}


def test_of_a_longer_circle_the_weakest_statement_goes() -> None:
    said = [pair("gales", "floods"), pair("floods", "maps"), pair("maps", "gales", trust=0.6)]
    assert is_a(*MANY, pairs=said) == {("gale", "flood"), ("flood", "map")}


def test_that_all_terms_of_a_class_are_something_does_not_make_the_class_so() -> None:
    said = [pair(one, parent) for one in ("gales", "floods") for parent in ("blows", "maps")]
    assert is_a(*MANY, pairs=said) == {(one, kind) for one in ("gale", "flood") for kind in ("blow", "map")}


def test_a_class_holds_more_than_one_kind() -> None:
    said = [pair("gales", "storm events"), pair("storms", "storm events")]
    labels = ("gale", "strong gale", "mild gale", *MANY[1:], "storm")
    # Only gales are storm events: the class would say no more than its one kind.
    assert ("gale", "storm event") not in is_a(*labels[:-1], pairs=said)
    assert ("gale", "storm event") in is_a(*labels, pairs=said)


def test_an_expert_puts_kinds_in_and_takes_them_out() -> None:
    some = terms(*MANY, "hazard", "natural hazard")
    said = said_of(some, [], NONE, None, keyness={})
    decided = {
        ("natur hazard", "hazard", Relation.IS_A): False,
        ("pump", "hazard", Relation.IS_A): True,
        ("sewer", "valley", Relation.SYNONYM): True,
    }
    beliefs = believed(as_decided(said.statements, decided), NONE.documents)
    context = formal_context(some, beliefs, phrases=())
    edges = kinds_of(some, introducer_order(concept_lattice(context)), beliefs, said.names).edges
    assert {(one.child, one.relation.value, one.parent, one.confidence) for one in edges} == {
        ("pump", "is-a", "hazard", 1.0),
        ("valley", "synonym", "sewer", 1.0),
    }


def test_a_head_of_which_the_corpus_names_many_kinds_is_a_class_of_one_term() -> None:
    texts = ["Stormwater management. Risk management. Water management."] * 2
    labels = (*MANY, "stormwater management")
    assert is_a(*labels, texts=texts) == {("stormwater management", "management")}
    assert is_a(*labels, texts=texts[:1]) == set()
    assert is_a(*labels, texts=["Stormwater management. Risk management."] * 2) == set()


def test_phrases_by_themselves_begin_after_a_stop_or_an_article() -> None:
    where = corpus("The hive tools. A hive tool.", "Hive tool: bee box", "old bee box", "my box")
    assert whole_phrases(["~hive tool", "~bee box", "~tool"], where) == {"~hive tool"}


FOUR = corpus(*"abcd").documents
NODES = [term.key for term in terms(*MANY)] + ["~hazard", "~thing", "~tool"]
STATEMENTS = st.lists(
    st.builds(
        Statement,
        st.sampled_from(NODES),
        st.sampled_from(NODES),
        st.sampled_from([0.5, 0.6, 0.7, 0.9]),
        st.just(Source.SENTENCES),
        st.just("such as"),
        st.integers(0, 3),
    ),
    max_size=30,
)


@settings(deadline=None, max_examples=50)
@given(STATEMENTS)
def test_the_hierarchy_is_what_follows_from_the_beliefs(statements: list[Statement]) -> None:
    """The slow twin: who can be reached by beliefs, step by step."""
    some = terms(*MANY)
    names = Names(some)
    names.labels.update({node: node for node in NODES})
    beliefs = believed(statements, FOUR)
    context = formal_context(some, beliefs, phrases=NODES)
    found = kinds_of(some, introducer_order(concept_lattice(context)), beliefs, names)
    assert concept_lattice(context) == lattice(context)
    up = {node: set(beliefs.get(node, ())) for node in NODES}
    for _ in NODES:
        up = {node: above.union(*(up[one] for one in above)) for node, above in up.items()}
    edges: dict[str, set[str]] = {}
    for edge in found.edges:
        edges.setdefault(edge.child, set()).add(edge.parent)
        assert 0 < edge.confidence <= 1
        assert edge.evidence
    for term in some:
        reached: set[str] = set()
        queue = [term.key]
        for node in queue:
            new = edges.get(node, set()) - reached
            reached |= new
            queue += new
        expected = {node for node in up[term.key] if node in {one.key for one in some}} - {term.key}
        same = {one for group in found.classes for one in group.terms if term.key in group.terms}
        assert (
            reached & {one.key for one in some} - same
            >= {group.name for group in found.classes if set(group.terms) & expected} - same
        )
        assert reached & {one.key for one in some} <= expected
