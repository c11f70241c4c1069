"""The crawlers of papers 000 and 002 as printed, for comparison with our corrected ones of the same names.

    fcwseo compare ... --strategy benchmarks/printed.py:ssrm --strategy ssrm

``ssrm``, ``svsm`` and ``sdvsm`` compare all senses of two words, including weak similarities, and do not use
``level_correction``. ``keyword_table`` computes the length of a text over the keywords of the table only, and
drops links below its threshold.
"""

from functools import partial
from random import Random

from fcwseo.relevance import Relevance
from fcwseo.relevance.models.keyword_table import KeywordTable, TextNorm
from fcwseo.relevance.models.sdvsm import Sdvsm
from fcwseo.relevance.models.semantic import PRINTED, SemanticModel
from fcwseo.relevance.models.ssrm import ssrm as eq_18
from fcwseo.relevance.models.svsm import svsm as eq_19
from fcwseo.strategies.rivals.keyword_table import KeywordTableFirst
from fcwseo.strategies.rivals.scored import Scored
from fcwseo.strategies.rivals.text_models import Priority
from fcwseo_ontology.topic import Topic

_cosine = partial(eq_19, level_correction=False)


def ssrm(topic: Topic, relevance: Relevance, rng: Random) -> Scored:
    return Scored(Priority(SemanticModel(topic, eq_18, match=PRINTED)))


def svsm(topic: Topic, relevance: Relevance, rng: Random) -> Scored:
    return Scored(Priority(SemanticModel(topic, _cosine, match=PRINTED)))


def sdvsm(topic: Topic, relevance: Relevance, rng: Random) -> Scored:
    return Scored(Priority(Sdvsm(SemanticModel(topic, _cosine, match=PRINTED))))


def keyword_table(topic: Topic, relevance: Relevance, rng: Random) -> KeywordTableFirst:
    return KeywordTableFirst(KeywordTable(topic, norm=TextNorm.TABLE), discards=True)
