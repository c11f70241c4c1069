"""Tests a topic on documents, and proposes thresholds for it from examples: the relevance from which a page
is about it (eta), and the priority from which a link is worth a visit (tau).

Given documents about the topic and others, eta is the threshold with the largest F1.
"""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from fcwseo.columns import Floats
from fcwseo.evolution.paper_objectives import Lambdas, priority
from fcwseo.links.paper_evidence import estimate
from fcwseo.pages import Page
from fcwseo.relevance import TopicalRelevance
from fcwseo.relevance.form import form
from fcwseo.relevance.paper import PaperRelevance
from fcwseo.relevance.threshold import Calibration, separation
from fcwseo.relevance.topicality import Reading, Scale, Topicality
from fcwseo_ontology.corpus.documents import Document
from fcwseo_ontology.topic import Topic

BACKGROUND_QUANTILE = 0.95  # quantile of the background, without positives
OF_MEDIAN = 0.7  # share of the median of the positives, without a background
OF_DOCUMENTS = 0.5  # share of the median of the topic's own documents: its eta before a crawl
WITHOUT_DOCUMENTS = 0.05  # the same of a topic without documents
TAU_QUANTILE = 0.5  # quantile of the priority of links on positives


class Proposal(Struct, frozen=True):
    """Proposed thresholds; without positives there is no tau. ``positive`` reads the median positive among
    the background.
    """

    calibration: Calibration
    tau: float | None
    positive: Reading | None = None


class Judged(Struct, frozen=True):
    """The relevance of a document, and its reasons: the concepts that it contains, the documents of the topic
    that are most like it, and its form, a factor of the relevance (1 for a text without links).
    """

    doc: str
    relevance: float
    concepts: tuple[str, ...]
    percentile: float | None
    topicality: Topicality
    form: float
    nearest: tuple[tuple[str, float], ...]


def calibrate(positives: Sequence[float], background: Sequence[float]) -> Calibration:
    """eta from the relevance of documents about the topic, and of others.

    >>> found = calibrate([0.2, 0.3, 0.5], [0.0, 0.1, 0.1])
    >>> round(found.eta, 3), found.separation.f1, found.separation.word
    (0.15, 1.0, 'well')
    >>> calibrate([], [0.0, 0.1]).method
    '95th percentile of the background'
    """
    ups, downs = np.array(positives, np.float64), np.array(background, np.float64)
    if not len(downs):
        eta = OF_MEDIAN * float(np.median(ups)) if len(ups) else 0.0
        return Calibration(eta, f"{OF_MEDIAN} of the median of the positives", len(ups), 0)
    if not len(ups):
        eta = float(np.quantile(downs, BACKGROUND_QUANTILE))
        return Calibration(eta, "95th percentile of the background", 0, len(downs))
    eta = _best_threshold(ups, downs)
    return Calibration(eta, "largest F1", len(ups), len(downs), separation(ups, downs, eta))


def _best_threshold(positives: Floats, background: Floats) -> float:
    """The threshold with the largest F1, half way between two values; of equal ones, the highest.

    >>> _best_threshold(np.array([0.2, 0.4]), np.array([0.1, 0.3]))
    0.15000000000000002
    """
    values = np.unique(np.concatenate((positives, background)))
    found = len(positives) - np.searchsorted(np.sort(positives), values)
    wrong = len(background) - np.searchsorted(np.sort(background), values)
    f1 = 2 * found / (found + wrong + len(positives))
    best = len(values) - 1 - int(np.argmax(f1[::-1]))
    below = values[best - 1] if best else values[best]
    return float((below + values[best]) / 2)


def judge_pages(topic: Topic, pages: Sequence[Page], background: Sequence[Document] = ()) -> list[Judged]:
    """Judge pages as a crawl judges its first ones. The percentile is among the background.

    >>> from fcwseo_ontology.topic import topic_of_words
    >>> rain = topic_of_words("rain", {"rainstorm": 1.0, "flood": 0.5})
    >>> (found,) = judge_pages(rain, [Page("a.txt", text="floods after a rainstorm")])
    >>> found.doc, found.concepts, str(found.topicality), found.form, found.nearest
    ('a.txt', ('rainstorm', 'flood'), 'on topic', 1.0, ())
    """
    relevance = TopicalRelevance(topic)
    ordinary = [relevance.of_page(page_of(document)) for document in background]
    scale = Scale(_eta_of(relevance), ordinary)
    return [_tested(topic, relevance, scale, page) for page in pages]


def _eta_of(relevance: TopicalRelevance) -> float:
    """The threshold of a topic before a crawl."""
    cosines = relevance.of_documents()
    return OF_DOCUMENTS * float(np.median(cosines)) if cosines else WITHOUT_DOCUMENTS


def _tested(topic: Topic, relevance: TopicalRelevance, scale: Scale, page: Page) -> Judged:
    numbers, counts = relevance.matcher.count_page(page)
    often = dict(zip(numbers.tolist(), counts.tolist(), strict=True))
    features = [number for number in often if number < relevance.matcher.size]
    reading = scale.reading(relevance.of_page(page))
    return Judged(
        doc=page.url,
        relevance=reading.relevance,
        concepts=tuple(topic.words[number].word for number in sorted(features, key=lambda n: -often[n])),
        percentile=reading.percentile,
        topicality=reading.topicality,
        form=round(form(page), 6),
        nearest=tuple(relevance.examples.nearest(numbers, np.log1p(counts), relevance.idf)),
    )


def propose(topic: Topic, positives: Sequence[Document], background: Sequence[Document]) -> Proposal:
    """Propose eta and tau for a topic. Each document is judged as a page without links, after all have been
    seen.

    tau is the median priority of links on positives whose anchors contain no feature word, like most anchors,
    by the equations of the strategies with a tau.
    """
    relevance = TopicalRelevance(topic)
    for document in (*positives, *background):
        relevance(page_of(document))
    ups, downs = (
        [relevance.of_text(f"{document.title}\n{document.text}", document.language) for document in side]
        for side in (positives, background)
    )
    calibration = calibrate(ups, downs)
    positive = Scale(calibration.eta, downs).of_median(ups)
    return Proposal(calibration, _tau(topic, positives), positive)


def _tau(topic: Topic, positives: Sequence[Document]) -> float | None:
    if not positives:
        return None
    paper = PaperRelevance(topic)
    f2 = np.array([paper.of_page(page_of(document)) for document in positives])
    nothing = np.zeros(len(f2))
    links = np.column_stack((estimate(f2, nothing), f2, nothing, nothing))
    return float(np.quantile(priority(links, Lambdas()), TAU_QUANTILE))


def page_of(document: Document) -> Page:
    """A document as a page without links."""
    groups = (document.title, "", "", document.text, "")
    return Page(document.id, document.title, document.text, groups=groups, language=document.language)
