"""Cards: the topic of a crawl, and its settings."""

from collections import Counter
from html import escape

from fcwseo.comparison.report.crawl.reading import Crawl
from fcwseo.comparison.report.crawl.records import Records, address, moment
from fcwseo.comparison.report.shell import section
from fcwseo.comparison.report.svg import tag
from fcwseo.crawling.run_directory.run_file import RunFile

_WORDS, _SEEDS = 14, 5


def topic_section(crawl: Crawl, records: Records) -> str:
    """Name, size and heaviest words of the topic."""
    topic = crawl.topic
    if topic is None:
        return section("Topic", note="The topic of this run cannot be read.")
    facts = {"name": escape(topic.name), "feature words": f"{len(topic.words):,}"}
    if topic.ontology is not None:
        kinds = Counter(str(edge.relation) for edge in topic.ontology.edges)
        languages = Counter(
            label.language
            for concept in topic.ontology.concepts
            for label in (*concept.labels, *concept.synonyms)
        )
        facts["concepts"] = f"{len(topic.ontology.concepts):,}"
        facts["relations"] = escape(", ".join(f"{count:,} {kind}" for kind, count in kinds.most_common()))
        facts["labels"] = escape(", ".join(f"{count:,} {code}" for code, count in languages.most_common(6)))
        if topic.documents:
            facts["built from"] = f"{len(topic.documents):,} documents"
    else:
        facts["ontology"] = "none: a list of weighted words"
    words = sorted(topic.words, key=lambda word: -word.weight)[:_WORDS]
    top = words[0].weight if words else 1.0
    rows = "".join(
        f"<tr><th scope=row>{records.concept(word.word)}</th><td>{_bar(word.weight / top)}</td>"
        f"<td>{word.weight:.3f}</td></tr>"
        for word in words
    )
    body = f'<div class="scroll"><table class="weights"><tbody>{rows}</tbody></table></div>'
    note = f"Its {len(words)} heaviest words, of {len(topic.words):,}."
    return section("Topic", _list(facts), f'<p class="note">{note}</p>', body)


def _bar(share: float) -> str:
    return tag(
        "svg",
        tag("rect", x=0, y=2, width=120 * share, height=10, rx=2),
        viewBox="0 0 120 14",
        width=120,
        height=14,
        aria_hidden="true",
        class_="bar s2",
    )


def settings_section(file: RunFile) -> str:
    """How the crawl was set, when it began, and why it stopped."""
    config = file.config
    seeds = "<br>".join(address(seed) for seed in config.seeds[:_SEEDS])
    more = f"<br>and {len(config.seeds) - _SEEDS:,} more" if len(config.seeds) > _SEEDS else ""
    budgets = ", then ".join(f"{budget:,}" for _, budget in file.budgets)
    facts = {
        "strategy": escape(config.strategy),
        "web": escape(config.web),
        "pages": f"at most {budgets}",
        "links at a time": f"{config.width:,}",
        "a page is kept": _kept_from(file),
        "relevance": escape(config.relevance),
        "random seed": f"{config.seed}",
        "rehearsal": escape(
            config.rehearsal.strip("{}").replace('"', "").replace(",", ", ").replace(":", " ")
        ),
        "begun": escape(moment(file.started)),
        "stopped": escape(f"because of {file.stop}" if file.stop else "not yet"),
        "made by": escape(", ".join(f"{name} {number}" for name, number in file.versions.items())),
        "configuration": f"<code>{escape(file.config_hash)}</code>",
        "seeds": f"{seeds}{more}",
    }
    return section("Settings", _list(facts))


def _kept_from(file: RunFile) -> str:
    found = file.calibration.eta if file.calibration else file.config.eta
    how = "a threshold that runs along" if file.config.eta is None else "as was set"
    return f"from a relevance of {found:.3g} ({how})" if found is not None else f"from {how}"


def _list(facts: dict[str, str]) -> str:
    return (
        "<dl>"
        + "".join(f"<dt>{name}</dt><dd>{value}</dd>" for name, value in facts.items() if value)
        + "</dl>"
    )
