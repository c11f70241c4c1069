"""What the form of a term says: its head noun, what narrows the head, and what sort of head it is.

"flash flood" is a flood, because its head is "flood". "flood risk" is no flood but a risk: it is an attribute of
the flood. Heads that are words of another meaning ("random forest") or words that take the meaning away ("false
alarm") say nothing about the kind.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from fcwseo_ontology.model import Relation
from fcwseo_ontology.tokens import stem, words

# Heads that name a measure, a quality or a state of what stands before them.
_ATTRIBUTES = {
    "en": """
        ability accuracy amount amplitude availability behaviour behavior bias capacity characteristic
        complexity concentration cost coverage density depth difficulty dimension direction distribution diversity
        duration dynamics effectiveness efficiency elevation error exposure extent frequency height humidity
        importance index intensity interval latency length level likelihood magnitude moisture occurrence
        origin pattern peak performance period permeability precision pressure probability property
        quality quantity rate reliability relevance resilience resolution risk robustness roughness seasonality
        sensitivity severity shape similarity size slope spread stability structure susceptibility
        temperature threshold throughput timing topology trend uncertainty utility value variability variation
        velocity volume vulnerability weight width
    """,
    "zh": """
        风险 强度 深度 频率 水平 程度 等级 级别 规模 速度 速率 能力 性能 质量 特征 特性 特点 脆弱性 敏感性 易损性 危险性 可靠性
        稳定性 安全性 有效性 复杂性 多样性 不确定性 分布 结构 效率 效益 浓度 密度 温度 湿度 压力 含量 数量 产量 面积 高度 长度
        宽度 周期 概率 精度 准确率 成本 价值 指数 指标 参数 阈值 趋势 格局 状况 状态 形态 类型 水位 流量 承载力 含水量
    """,
}
# Heads that name what an event does to the world.
_EFFECTS = {
    "en": "aftermath casualty consequence damage death destruction devastation disruption fatality harm impact injury loss victim",
    "zh": "损失 危害 影响 灾情 后果 伤亡 破坏 损伤 损害",
}
# Heads that name a piece of what stands before them.
_PARTS = {
    "en": "bank bed channel component estuary header layer mouth node outlet segment subsystem tributary",
    "zh": "河床 河岸 河口 支流 组件 节点 部件 子系统 构件",
}
# Heads that add nothing: a flood event is a flood.
_LIGHT = {"en": "event episode occurrence incident", "zh": "事件 过程 现象"}
# Words that take the meaning of the head away: a false alarm is no alarm.
_PRIVATIVE = {
    "en": "anti apparent artificial counterfeit fake false former imaginary imitation mock near non pseudo quasi so-called would-be",
    "zh": "伪 假 非 反 无 不 未 准 类 抗 亚 是 受 被 为 对 从",
}
# Compounds whose last word is a figure of speech, or an old name for something else.
_FIGURATIVE = """
    ant colony|bayesian network|bag of words|belief network|bell curve|black box|black hole|black swan|bottle neck
    butterfly effect|cellular automata|cloud computing|convolutional network|cuckoo search|dark web|decision forest
    decision tree|deep forest|deep web|evolutionary tree|extra tree|extreme learning machine|fault tree|firefly algorithm
    food web|generative adversarial network|grey wolf|attack tree|attack graph|hot spot|isolation forest|knowledge base
    knowledge graph|monte carlo|neural net|neural network|particle swarm|phylogenetic tree|random field|random forest
    random tree|regression forest|regression tree|restricted boltzmann machine|scale free|sea level|search tree
    semantic web|state of the art|state space|storm surge|suffix tree|support vector machine|support vector
    syntax tree|vector machine|virtual machine|word cloud|world wide web
"""
_CHINESE_FIGURES = ("神经网络", "随机森林", "贝叶斯网络", "语义网络", "食物网")
_JOINING = ("of", "for", "in", "on", "to", "from", "by", "with", "under")
_ADJECTIVE_ENDINGS = ("ical", "ional", "ological", "graphic", "atic", "etic", "ous", "ive", "able", "ible", "less", "est")


@dataclass(frozen=True, slots=True)
class Compound:
    """The words of a term, told apart: the head, and in their order the words that narrow it.

    >>> apart("urban flash floods")
    Compound(head='floods', modifiers=('urban', 'flash'))
    >>> apart("vulnerability to floods")
    Compound(head='vulnerability', modifiers=('floods',))
    """

    head: str
    modifiers: tuple[str, ...]


def apart(label: str, language: str = "en") -> Compound | None:
    """A term as head and modifiers; none when there is no single head ("wind and rain")."""
    parts = list(words(label, language))
    if not parts or "and" in parts or "or" in parts:
        return None
    joint = next((at for at, word in enumerate(parts) if word in _JOINING), None)
    if joint is None:
        return Compound(parts[-1], tuple(parts[:-1]))
    if joint == 0:
        return None
    after = [word for word in parts[joint + 1 :] if word not in _JOINING and word not in ("the", "a", "an")]
    return Compound(parts[joint - 1], (*parts[: joint - 1], *after))


def kind(label: str) -> tuple[str, tuple[str, ...]] | None:
    """What an English compound is a kind of, and what narrows that, in stems; none when its head does not tell.

    >>> kind("flash floods"), kind("false alarm"), kind("random forest")
    (('flood', ('flash',)), None, None)
    >>> kind("deep neural network")
    ('neural network', ('deep',))
    """
    compound = apart(label)
    if compound is None or not compound.modifiers:
        return None
    modifiers = tuple(map(stem, compound.modifiers))
    if any(word in _table("privative", "en") for word in modifiers):
        return None
    whole = (*modifiers, stem(compound.head))
    figure = next((whole[at:] for at in range(len(whole) - 1) if whole[at:] in _figures()), whole[-1:])
    return (" ".join(figure), whole[: -len(figure)]) if figure != whole else None


def role_of_head(head: str, language: str = "en") -> Relation:
    """How a compound with this head hangs on what stands before the head; ``RELATED`` when the head only is about it.

    >>> [role_of_head(word).value for word in ("risk", "damage", "tributary", "forecasting")]
    ['attribute-of', 'induce', 'part-of', 'related']
    """
    root = stem(head, language)
    for name, relation in (
        ("attributes", Relation.ATTRIBUTE_OF),
        ("effects", Relation.INDUCE),
        ("parts", Relation.PART_OF),
    ):
        if root in _table(name, language):
            return relation
    return Relation.RELATED


def is_attribute(word: str, language: str = "en") -> bool:
    return role_of_head(word, language) is Relation.ATTRIBUTE_OF


def is_light(word: str, language: str = "en") -> bool:
    """Whether a head adds nothing to what stands before it.

    >>> is_light("events"), is_light("storm")
    (True, False)
    """
    return stem(word, language) in _table("light", language)


def suffix_heads(label: str, known: Iterable[str]) -> tuple[str, ...]:
    """The known Chinese words that a compound ends with, longest first; "不" and the like turn a word around.

    >>> suffix_heads("山洪灾害", ["灾害", "山洪"]), suffix_heads("不确定性", ["确定性"])
    (('灾害',), ())
    """
    turned = tuple(_PRIVATIVE["zh"].split())
    least = max((len(figure) for figure in _CHINESE_FIGURES if label.endswith(figure)), default=2)
    heads = (word for word in known if len(word) >= least and word != label and label.endswith(word))
    found = (word for word in heads if not label.removesuffix(word).endswith(turned))
    return tuple(sorted(found, key=lambda word: (-len(word), word)))


def looks_like_adjective(word: str) -> bool:
    """A guess from the ending, for words that no dictionary has told us about.

    >>> looks_like_adjective("hydrological"), looks_like_adjective("retrieval")
    (True, False)
    """
    return word.endswith(_ADJECTIVE_ENDINGS)


@cache
def _table(name: str, language: str) -> frozenset[str]:
    tables = {"attributes": _ATTRIBUTES, "effects": _EFFECTS, "parts": _PARTS, "light": _LIGHT, "privative": _PRIVATIVE}
    return frozenset(stem(word, language) for word in tables[name].get(language, "").split())


@cache
def _figures() -> frozenset[tuple[str, ...]]:
    phrases = (phrase.strip() for line in _FIGURATIVE.split("\n") for phrase in line.split("|"))
    return frozenset(_stems(phrase, "en") for phrase in phrases if phrase)


def _stems(phrase: str, language: str) -> tuple[str, ...]:
    return tuple(stem(word, language) for word in words(phrase, language))


def phrases_before_head(parts: tuple[str, ...]) -> Iterable[tuple[str, ...]]:
    """What a compound may be about, most telling first: what ends before the head, then what begins it.

    >>> [" ".join(phrase) for phrase in phrases_before_head(("urban", "flood", "risk", "map"))]
    ['urban flood risk', 'flood risk', 'risk', 'urban flood', 'urban']
    """
    before = len(parts) - 1
    yield from (parts[at:before] for at in range(before))
    yield from (parts[:end] for end in range(before - 1, 0, -1))
