"""Algorithm 1 on small webs that show each case and rule happening, by name, and on a generated web."""

from random import Random

import pytest
from helpers.fakes import SmallWeb, crawled, targets

from fcwseo.crawling.engine import SEEDS, Window
from fcwseo.errors import InvalidInput
from fcwseo.evolution.paper_bank import Rule, UpdateCase
from fcwseo.evolution.paper_objectives import F1Mode, Lambdas
from fcwseo.evolution.paper_radius import Schedule, Search
from fcwseo.links.paper_table import KnownWeb
from fcwseo.pages import Failure, Link, Page, Visit, Why
from fcwseo.relevance import TopicalRelevance
from fcwseo.relevance.paper import PaperRelevance, TopicNorm
from fcwseo.strategies import STRATEGIES
from fcwseo.strategies.fcwseo_paper import FcwseoPaper, PaperParameters, look_ahead, without_ontology
from fcwseo.strategies.protocol import AT_ONCE
from fcwseo.webs.generated import GeneratedWeb
from fcwseo.webs.opening import open_web
from fcwseo_ontology.topic import FeatureWord, Topic, topic_of_words

TOPIC = topic_of_words("rain", {"rainstorm": 0.8, "flood": 0.6})
BOTH = "rainstorm-flood"  # reads as both words: a relevance of .99
ALMOST_1 = 1.4 / 2**0.5


class TextWeb(SmallWeb):
    """Pages by name: what they say, then what they link to, each link with its anchor after a slash.

    >>> page = TextWeb({"a": "flood > b/rainstorm c"}).page("a")
    >>> page.title, [(link.target, link.anchor) for link in page.links]
    ('flood', [('b', 'rainstorm'), ('c', '')])
    """

    def page(self, url: str) -> Page:
        text, _, links = self.links[url].partition(">")
        ways = [link.partition("/") for link in links.split()]
        return Page(
            url,
            title=text.strip(),
            groups=(text, "", "", "", ""),
            links=tuple(Link(target, url, anchor) for target, _, anchor in ways),
        )

    async def fetch(self, url: str) -> Page | Failure:
        end = self.moved.get(url, url)
        return self.page(end) if end in self.links else Failure(url, Why.GONE)


def unlinked(*names: str) -> dict[str, str]:
    return dict.fromkeys(names, "")


def run(
    web: TextWeb, seeds: str, *, budget: int = 100, chance: int = 0, width: int = 1, **parameters: object
) -> tuple[FcwseoPaper, list[Visit]]:
    strategy = FcwseoPaper(TOPIC, Random(chance), parameters=PaperParameters(**parameters))  # type: ignore[arg-type]
    return strategy, visits_of(strategy, web, seeds, budget=budget, width=width)


def visits_of(
    strategy: FcwseoPaper, web: SmallWeb, seeds: str, *, budget: int = 100, width: int = 1
) -> list[Visit]:
    window = Window(strategy, seeds.split(), relevance=lambda page: 0.0, budget=budget, width=width)
    return crawled(web, window)[1]


def updated(web: TextWeb, *, pages: int, seeds: str = "s1 s2 s3 s4", **parameters: object) -> FcwseoPaper:
    """The strategy after the update that follows so many pages, when the next round has begun."""
    strategy, _ = run(web, seeds, budget=pages, **parameters)  # type: ignore[arg-type]
    assert sum(strategy.happened[case] for case in UpdateCase) == 0
    assert strategy.next(1, AT_ONCE)
    assert strategy.happened[Rule.BANK_REPLACED] == strategy.happened[Rule.RESERVE_RELEASED] == 0
    return strategy


def four_seeds(first: str, others: str = "flood") -> dict[str, str]:
    """s1, and three seeds like each other; each has a link that says nothing, and so stays in reserve."""
    return {"s1": first, **{f"s{n}": f"{others} > x{n}" for n in (2, 3, 4)}} | unlinked(
        "x1", "x2", "x3", "x4"
    )


# The cases of the update. In each of these webs t is a link of s1, and after the update the crawl goes on.


def test_filled() -> None:
    """One seed, and a bank of at least four."""
    web = TextWeb({"s": f"flood > t/{BOTH} u/{BOTH} x", "t": f" > y/{BOTH}"} | unlinked("u", "x", "y"))
    strategy = updated(web, pages=3, seeds="s", tau=0.5)
    assert strategy.happened[UpdateCase.FILLED] == 2
    assert strategy.seeds == ["s", "t", "u"]


def test_the_best_anchors_are_tried_first() -> None:
    pages = {"s": f"flood > a/flood b/rainstorm c/{BOTH} x", "c": f" > y/{BOTH}"} | unlinked(*"abxy")
    strategy = updated(TextWeb(pages), pages=4, seeds="s", tau=0.4)
    assert strategy.seeds == ["s", "c", "b", "a"]


def test_a_dead_seed_leaves_its_place_to_be_filled() -> None:
    pages = four_seeds(f"flood > x1 t/{BOTH}") | {"t": f" > y/{BOTH}", "y": ""}
    del pages["s3"]
    strategy = updated(TextWeb(pages), pages=4, tau=0.5)
    assert strategy.happened[UpdateCase.FILLED] == 1
    assert strategy.seeds == ["s1", "s2", "s4", "t"]


def test_exhausted_first() -> None:
    """s3 has no link to follow any more."""
    pages = four_seeds(f"flood > x1 t/{BOTH}") | {"s3": "flood", "t": f"{BOTH} > y/{BOTH}", "y": ""}
    strategy = updated(TextWeb(pages), pages=5, tau=0.5)
    assert strategy.happened[UpdateCase.EXHAUSTED_FIRST] == 1
    assert strategy.seeds == ["s1", "s2", "t", "s4"]


def test_dominates() -> None:
    pages = four_seeds(f"flood > x1 t/{BOTH}") | {"t": f"{BOTH} > y/{BOTH}", "y": ""}
    strategy = updated(TextWeb(pages), pages=5, tau=0.5)
    assert strategy.happened[UpdateCase.DOMINATES] == 1
    assert strategy.seeds == ["t", "s2", "s3", "s4"]


_TWIN = f"{BOTH} > y/{BOTH}"
TWINS = four_seeds(f"flood > x1 t/{BOTH} u/{BOTH}") | {"t": _TWIN, "u": _TWIN, "y": ""}


def test_far() -> None:
    """t takes the place of s1. Now u is two links from t, outside of all circles: a worst seed goes."""
    strategy = updated(TextWeb(TWINS), pages=6, tau=0.5)
    assert (strategy.happened[UpdateCase.DOMINATES], strategy.happened[UpdateCase.FAR]) == (1, 1)
    assert strategy.seeds == ["t", "u", "s3", "s4"]


def test_nothing_is_far_where_distances_are_searched_for_once_in_a_round() -> None:
    """u fights t, which has the place of s1."""
    strategy = updated(TextWeb(TWINS), pages=6, tau=0.5, search=Search.PER_ROUND)
    assert (strategy.happened[UpdateCase.FAR], strategy.happened[UpdateCase.EQUAL_KEPT]) == (0, 1)


def test_equal_kept() -> None:
    """In a circle twice as large u meets t, which is like it in every objective."""
    strategy = updated(TextWeb(TWINS), pages=6, tau=0.5, schedule=Schedule.CSA)
    assert (strategy.happened[UpdateCase.FAR], strategy.happened[UpdateCase.EQUAL_KEPT]) == (0, 1)
    assert strategy.seeds == ["t", "s2", "s3", "s4"]


def dominated(*tests: str) -> dict[str, str]:
    """The tests are worse than s1 in all: they say nothing, their anchors say less than the title of s1, and
    s1 has many other links, one of which they recommend.
    """
    reserve = [f"y{number}" for number in range(8 * len(tests))]
    links = [*reserve, *(f"{test}/flood" for test in tests)]
    pages = four_seeds(f"{BOTH} > {' '.join(links)}", others=BOTH) | unlinked(*reserve)
    return pages | dict.fromkeys(tests, f" > y0/{BOTH} z")


def test_dominated_lucky() -> None:
    strategy = updated(TextWeb(dominated("t")), pages=5, tau=0.6, p_t=1.0)
    assert strategy.happened[UpdateCase.DOMINATED_LUCKY] == 1
    assert strategy.seeds == ["t", "s2", "s3", "s4"]


def test_dominated_kept() -> None:
    strategy = updated(TextWeb(dominated("t")), pages=5, tau=0.6, p_t=0.0)
    assert strategy.happened[UpdateCase.DOMINATED_KEPT] == 1
    assert strategy.seeds == ["s1", "s2", "s3", "s4"]


INCOMPARABLE = four_seeds(f"flood > x1 t/{BOTH}") | {"t": f" > x1/{BOTH} z"}  # says nothing; its anchor does


def test_incomparable_lucky() -> None:
    strategy = updated(TextWeb(INCOMPARABLE), pages=5, tau=0.5, chance=1)
    assert strategy.happened[UpdateCase.INCOMPARABLE_LUCKY] == 1
    assert strategy.seeds == ["t", "s2", "s3", "s4"]


def test_incomparable_kept() -> None:
    strategy = updated(TextWeb(INCOMPARABLE), pages=5, tau=0.5, chance=0)
    assert strategy.happened[UpdateCase.INCOMPARABLE_KEPT] == 1
    assert strategy.seeds == ["s1", "s2", "s3", "s4"]


# The rules for dry banks


def test_losers_unmarked() -> None:
    """Of eight test links four are tried in the first round and stay marked in the second."""
    names = [f"t{number}" for number in range(8)]
    strategy = updated(TextWeb(dominated(*names)), pages=12, tau=0.6, p_t=0.0)
    assert strategy.happened == {UpdateCase.DOMINATED_KEPT: 4}
    strategy, visits = run(TextWeb(dominated(*names)), "s1 s2 s3 s4", budget=13, tau=0.6, p_t=0.0)
    assert visits[-1].link.target == "y0"
    strategy.next(1, AT_ONCE)
    assert strategy.happened[Rule.LOSERS_UNMARKED] == 1
    assert strategy.happened[Rule.ALL_UNMARKED] == 0


def test_all_unmarked() -> None:
    """A single test link where four were wanted."""
    strategy = updated(TextWeb(dominated("t")), pages=5, tau=0.6, p_t=0.0)
    assert strategy.happened == {UpdateCase.DOMINATED_KEPT: 1, Rule.ALL_UNMARKED: 1}


def test_bank_replaced() -> None:
    """t got no place, and no link of the bank passes tau: so the bank is given to t, whose link does."""
    pages = dominated("t") | {"t": f" > u/{BOTH}", "u": ""}
    strategy, visits = run(TextWeb(pages), "s1 s2 s3 s4", budget=6, tau=0.6, p_t=0.0)
    assert targets(visits) == "s1 s2 s3 s4 t u"
    assert strategy.happened == {UpdateCase.DOMINATED_KEPT: 1, Rule.ALL_UNMARKED: 1, Rule.BANK_REPLACED: 1}
    assert "t" in strategy.seeds and len(strategy.seeds) == 4


def test_reserve_released() -> None:
    """Nothing passes tau: of six links the four best are followed, in the order of their priority."""
    web = TextWeb(
        {"s": "flood > a b/flood c/rainstorm d e/rainstorm f"} | unlinked("a", "b", "c", "d", "e", "f")
    )
    strategy, visits = run(web, "s", budget=5, tau=0.99)
    assert targets(visits) == "s c e b a"
    assert strategy.happened == {Rule.RESERVE_RELEASED: 1}


def test_over() -> None:
    web = TextWeb({"s": "flood > a b/flood", "a": " > c", "b": " > d/flood s", "c": "", "d": ""})
    strategy, visits = run(web, "s", tau=0.99)
    assert sorted(targets(visits).split()) == ["a", "b", "c", "d", "s"]
    assert strategy.happened[Rule.OVER] == 1
    assert strategy.next(3, AT_ONCE) == []


def test_nothing_to_begin_with() -> None:
    strategy, visits = run(TextWeb({}), "s t")
    assert targets(visits) == "s t"
    assert strategy.happened == {}


def test_every_case_and_rule_has_a_test() -> None:
    names = {name.removeprefix("test_").replace("_", "-") for name in globals() if name.startswith("test_")}
    assert {kind.value for kind in (*UpdateCase, *Rule)} <= names


@pytest.mark.slow
def test_every_branch_of_the_update_on_a_generated_web() -> None:
    web = open_web("generated-3000-0")
    assert isinstance(web, GeneratedWeb)
    seeds = web.seeds("rainstorm")[:3]
    calibrated = FcwseoPaper(web.topic(), Random(0))
    starving = FcwseoPaper(web.topic(), Random(0), parameters=PaperParameters(tau=0.3))
    for strategy in (calibrated, starving):
        crawled(web, Window(strategy, seeds, relevance=lambda page: 0.0, budget=500, width=1))
    assert set(UpdateCase) - {UpdateCase.EQUAL_KEPT} <= calibrated.happened.keys()
    assert {*UpdateCase, *Rule} - {Rule.OVER} <= calibrated.happened.keys() | starving.happened.keys()


# A round


def test_a_round_follows_what_passes_tau_best_first() -> None:
    web = TextWeb({"s": "flood > a b/flood c/rainstorm d"} | unlinked("a", "b", "c", "d"))
    _, visits = run(web, "s", tau=0.35)
    assert targets(visits)[:5] == "s c b"
    first = {visit.link.target: visit.link for visit in visits}
    assert first["s"].objectives is None and first["s"].predicted is None
    objectives = first["c"].objectives
    assert objectives is not None
    rank_of_s = 0.15 + 0.85 * 0.15  # from the imaginary page
    rank_of_c = 0.15 + 0.85 * rank_of_s * 1.8 / (1 + 1.6 + 1.8 + 1)
    assert objectives == pytest.approx((0.7, 0.6, 0.8, rank_of_c / rank_of_s))
    assert first["c"].predicted == objectives[0]


def test_tau_is_the_median_of_the_links_of_the_round() -> None:
    web = TextWeb(
        {"s": "flood > a b/flood c/rainstorm d", "b": "", "c": f" > e/{BOTH}"} | unlinked("a", "d", "e")
    )
    _, visits = run(web, "s")
    assert targets(visits) == "s c b e a d"


def test_tau_is_the_papers_where_the_norm_is() -> None:
    """0.2 lies below E of any link of a relevant page here, and a quantile would lie among them."""
    web = TextWeb({"s": "flood > a b/flood c/rainstorm", "a": "", "b": "", "c": f" > e/{BOTH}", "e": ""})
    strategy, visits = run(web, "s", norm=TopicNorm.SUPPORT)
    assert targets(visits) == "s b c a e"
    assert strategy.happened[Rule.RESERVE_RELEASED] == 0


def test_no_link_of_the_next_round_before_the_outcomes_of_this_one() -> None:
    web = TextWeb({"s": f"flood > a/{BOTH} b/{BOTH}", "a": f" > c/{BOTH}", "b": "", "c": ""})
    strategy = FcwseoPaper(TOPIC, Random(0), parameters=PaperParameters(tau=0.1))
    strategy.observe(Visit(0, Link(SEEDS, SEEDS, depth=-1), Page(SEEDS, links=(Link("s", SEEDS),))))
    (seed,) = strategy.next(5, AT_ONCE)
    assert list(strategy.next(5, AT_ONCE)) == []
    strategy.observe(Visit(1, seed, web.page("s")))
    links = strategy.next(5, AT_ONCE)
    assert [link.target for link in links] == ["a", "b"]
    strategy.observe(Visit(2, links[0], web.page("a")))
    assert list(strategy.next(5, AT_ONCE)) == []
    strategy.observe(Visit(3, links[1], Failure("b", Why.GONE)))
    assert [link.target for link in strategy.next(5, AT_ONCE)] == ["c"]


def test_the_size_of_the_bank() -> None:
    """As many as there are seeds, but at least 4 and at most k; what is left over may test the bank."""
    seeds = [f"s{number}" for number in range(8)]
    pages = (
        {seed: f"flood > a{seed}/{BOTH} x" for seed in seeds} | {f"a{seed}": "" for seed in seeds} | {"x": ""}
    )
    strategy, _ = run(TextWeb(pages), " ".join(seeds), budget=9, tau=0.5, k=5)
    assert strategy.seeds == seeds[:5]
    assert len(run(TextWeb(pages), " ".join(seeds), budget=9, tau=0.5)[0].seeds) == 8
    strategy, visits = run(TextWeb(pages), " ".join(seeds), tau=0.5, k=5)
    assert len(visits) == 17


def test_a_redirect_is_a_link() -> None:
    pages = {"s": f"flood > old/{BOTH}", "p": f"flood > a/{BOTH}", "a": ""}
    strategy, visits = run(TextWeb(pages, moved={"old": "p"}), "s", tau=0.1)
    assert targets(visits) == "s old a"
    assert strategy.seeds == ["s", "p", "a"]


# Sources of F1


LURES = {"s": f"flood > lure/{BOTH} gem", "lure": "", "gem": BOTH}


def test_predicted() -> None:
    _, visits = run(TextWeb(LURES), "s", tau=0.5, budget=2)
    assert targets(visits) == "s lure"


def test_charged() -> None:
    """All links are fetched regardless of tau, and E of their pages decides which may test the bank."""
    strategy, visits = run(TextWeb(LURES), "s", tau=0.6, f1_mode=F1Mode.CHARGED)
    assert targets(visits) == "s lure gem"
    assert strategy.happened[Rule.RESERVE_RELEASED] == 0
    assert (
        strategy.happened[UpdateCase.FILLED] == 1
    )  # by lure; gem fell short, and has a place only by rule 4
    assert strategy.happened[Rule.BANK_REPLACED] == 1
    assert sorted(strategy.seeds) == ["gem", "lure", "s"]


def test_oracle() -> None:
    web = TextWeb(LURES)
    see = look_ahead(web, PaperRelevance(TOPIC))
    parameters = PaperParameters(tau=0.45, f1_mode=F1Mode.ORACLE, lambdas=Lambdas(0.7, 0.1, 0.1, 0.1))
    strategy = FcwseoPaper(TOPIC, Random(0), parameters=parameters, look_ahead=see)
    visits = visits_of(strategy, web, "s", budget=2)
    assert targets(visits) == "s gem"
    assert visits[1].link.predicted == pytest.approx(ALMOST_1)


def test_an_oracle_needs_a_closed_web_and_is_never_meant_otherwise() -> None:
    assert PaperParameters().f1_mode is F1Mode.PREDICTED
    with pytest.raises(InvalidInput, match="closed web"):
        FcwseoPaper(TOPIC, Random(0), parameters=PaperParameters(f1_mode=F1Mode.ORACLE))
    with pytest.raises(InvalidInput, match="no other mode"):
        FcwseoPaper(TOPIC, Random(0), look_ahead=lambda url: 1.0)


# Without an ontology


def test_without_an_ontology_words_stand_for_themselves() -> None:
    topic = Topic(
        "rain", (FeatureWord("rainstorm", 1.0, ("rainstorm", "暴雨")), FeatureWord("flood", 0.2, ("flood",)))
    )
    plain = PaperRelevance(without_ontology(topic))
    page = Page("p", groups=("暴雨", "", "", "", ""))
    assert (PaperRelevance(topic)(page) > 0, plain(page)) == (True, 0.0)
    assert plain.of_text("flood") == plain.of_text("rainstorm") == pytest.approx(0.5**0.5)


def test_fcwse_is_guided_by_other_weights() -> None:
    """To the ontology rainstorm means more than flood; without it they are equal, and the order is that of
    discovery.
    """
    web = TextWeb({"s": "rainstorm-flood > a/flood b/rainstorm", "a": "", "b": ""})
    with_it, without_it = (
        STRATEGIES[name](TOPIC, TopicalRelevance(TOPIC), Random(0)) for name in ("fcwseo-paper", "fcwse")
    )
    assert isinstance(with_it, FcwseoPaper) and isinstance(without_it, FcwseoPaper)
    assert targets(visits_of(with_it, web, "s")) == "s b a"
    assert targets(visits_of(without_it, web, "s")) == "s a b"


# What is known


def known_of(web: TextWeb, seeds: str, *ways: tuple[str, str]) -> KnownWeb:
    """After these links, each with its source, were followed."""
    known = KnownWeb(PaperRelevance(TOPIC), damping=0.85)
    links = tuple(Link(seed, SEEDS) for seed in seeds.split())
    known.observe(Visit(0, Link(SEEDS, SEEDS, depth=-1), Page(SEEDS, links=links)))
    for step, (target, source) in enumerate(ways, start=1):
        depth = 0 if source == SEEDS else 1
        known.observe(Visit(step, Link(target, source, depth=depth), web.page(web.moved.get(target, target))))
    return known


def test_a_seed_is_its_own_parent_and_its_title_is_its_anchor() -> None:
    known = known_of(TextWeb({"s": "flood > a"}), "s", ("s", SEEDS))
    (row,) = known.rows([known.frontier.number("s")])
    assert row[:3] == pytest.approx([0.6, 0.6, 0.6])


def test_seeds_are_two_links_apart_by_the_imaginarypage() -> None:
    known = known_of(TextWeb({"s": "flood > a", "t": ""}), "s t", ("s", SEEDS), ("t", SEEDS))
    s, t, a = (known.frontier.number(name) for name in "sta")
    distances = known.graph.distances([s])
    assert (distances[t], distances[a]) == (2, 1)


def test_a_page_whose_address_was_redirected_before() -> None:
    """First a leads to b; later, as webs change, c leads to a."""
    web = TextWeb({"s": "flood > a c", "a": "flood > d", "b": ""}, moved={"a": "b", "c": "a"})
    known = known_of(web, "s", ("s", SEEDS), ("a", "s"), ("c", "s"))
    assert [known.frontier.url(link) for link in known.open_links(known.frontier.number("a"))] == ["d"]


def test_a_page_that_links_to_itself_is_not_its_parent() -> None:
    known = known_of(TextWeb({"s": "flood > s/rainstorm s"}), "s", ("s", SEEDS))
    (row,) = known.rows([known.frontier.number("s")])
    assert row[2] == pytest.approx(0.6)
    assert known.is_exhausted(known.frontier.number("s"))
