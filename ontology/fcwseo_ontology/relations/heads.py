"""What the form of a term says: its head noun, what narrows the head, and what sort of head it is.

"flash flood" is a flood, because its head is "flood". "flood risk" is no flood but a risk: it is an attribute
of the flood. Heads that are a figure of speech ("random forest") and words that take the meaning away ("false
alarm") say nothing about the kind.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from fcwseo_ontology.corpus.tokens import WORD, normal, stem, words
from fcwseo_ontology.corpus.wordlists import is_listed, tables
from fcwseo_ontology.model import Relation
from fcwseo_ontology.terms.extract import Term


@dataclass(frozen=True, slots=True)
class Compound:
    """The words of an English term, told apart: the head, and in their order the words that narrow it.

    >>> apart("urban flash floods")
    Compound(head='floods', modifiers=('urban', 'flash'))
    >>> apart("vulnerability to floods")
    Compound(head='vulnerability', modifiers=('floods',))
    """

    head: str
    modifiers: tuple[str, ...]


def apart(label: str) -> Compound | None:
    """An English term as head and modifiers; none when there is no single head ("wind and rain")."""
    parts = words(label)
    if not parts or "and" in parts or "or" in parts:
        return None
    joining = tables("en")["joining"].split()
    joint = next((at for at, word in enumerate(parts) if word in joining), len(parts))
    if joint == 0:
        return None
    after = [word for word in parts[joint:] if word not in joining and word not in ("the", "a", "an")]
    return Compound(parts[joint - 1], (*parts[: joint - 1], *after))


def kind(label: str) -> tuple[str, tuple[str, ...]] | None:
    """What a compound is a kind of, and what narrows that, in stems; none when the head does not tell.

    >>> kind("flash floods"), kind("false alarm"), kind("random forest")
    (('flood', ('flash',)), None, None)
    >>> kind("deep neural network")
    ('neural network', ('deep',))
    """
    compound = apart(label)
    if compound is None or not compound.modifiers:
        return None
    if any(is_listed(word, "privative") for word in compound.modifiers):
        return None
    whole = tuple(map(stem, (*compound.modifiers, compound.head)))
    figure = next((whole[at:] for at in range(len(whole) - 1) if whole[at:] in _figures()), whole[-1:])
    return (" ".join(figure), whole[: -len(figure)]) if figure != whole else None


def heads_of(label: str) -> list[tuple[str, ...]]:
    """What an English compound is a kind of by its own words, as they are written, the nearest first.

    >>> heads_of("urban flash floods"), heads_of("urban vulnerability to floods")
    ([('flash', 'floods'), ('floods',)], [('urban', 'vulnerability'), ('vulnerability',)])
    >>> heads_of("deep neural network"), heads_of("random forest"), heads_of("false alarm")
    ([('neural', 'network')], [], [])
    >>> heads_of("short-range radio networks")
    [('radio', 'networks'), ('networks',)]
    """
    text = normal(label)
    found = list(WORD.finditer(text))
    parts = [word[0] for word in found]
    clause = apart(label) is None or parts[0].lower() in _LIGHT
    if clause or any(is_listed(word, "privative") for word in parts[:-1]):
        return []
    joining = tables("en")["joining"].split()
    joint = next((at for at, word in enumerate(parts) if word.lower() in joining), len(parts))
    stems = [stem(word.lower()) for word in parts[:joint]]
    figure = next((at for at in range(joint - 1) if tuple(stems[at:]) in _figures()), joint - 1)
    first = 0 if joint < len(parts) else 1
    whole = (at for at in range(first, figure + 1) if at == 0 or text[found[at].start() - 1] not in _HYPHENS)
    return [tuple(parts[at:joint]) for at in whole]


# In -ing they begin a clause and not the name of a thing: "making landfall".
_LIGHT = frozenset("being doing getting giving having making putting taking using".split())
_HYPHENS = "-\u2010\u2011\u2013"


@cache
def _figures() -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(map(stem, words(phrase))) for phrase in tables("en")["figures"])


def chinese_kinds(label: str, known: Iterable[str]) -> tuple[str, ...]:
    """The known Chinese words that a compound ends with, longest first; "不" and the like turn a word around.

    >>> chinese_kinds("山洪灾害", ["灾害", "山洪"]), chinese_kinds("不确定性", ["确定性"])
    (('灾害',), ())
    """
    turned = tuple(tables("zh")["privative"].split())
    least = max((len(figure) for figure in tables("zh")["figures"] if label.endswith(figure)), default=2)
    heads = (word for word in known if len(word) >= least and word != label and label.endswith(word))
    found = (word for word in heads if not label.removesuffix(word).endswith(turned))
    return tuple(sorted(found, key=lambda word: (-len(word), word)))


def role_of_head(head: str, language: str = "en") -> Relation:
    """How a compound hangs on what stands before its head; ``RELATED`` when it only is about that.

    >>> [role_of_head(word).value for word in ("risk", "damage", "tributary", "events", "forecasting")]
    ['attribute-of', 'induce', 'part-of', 'synonym', 'related']
    """
    roles = {
        "light": Relation.SYNONYM,
        "attributes": Relation.ATTRIBUTE_OF,
        "effects": Relation.INDUCE,
        "parts": Relation.PART_OF,
    }
    return next((roles[name] for name in roles if is_listed(head, name, language)), Relation.RELATED)


def looks_like_adjective(word: str) -> bool:
    """A guess from the ending, for words that no dictionary has told us about.

    >>> looks_like_adjective("hydrological"), looks_like_adjective("retrieval")
    (True, False)
    """
    return word.endswith(tuple(tables("en")["adjective_endings"].split()))


def phrases_before_head(parts: Sequence[str]) -> Iterator[Sequence[str]]:
    """What a compound may be about, most telling first: what ends before the head, then what begins it.

    >>> [" ".join(phrase) for phrase in phrases_before_head(("urban", "flood", "risk", "map"))]
    ['urban flood risk', 'flood risk', 'risk', 'urban flood', 'urban']
    """
    before = len(parts) - 1
    yield from (parts[at:before] for at in range(before))
    yield from (parts[:end] for end in range(before - 1, 0, -1))


def shown_like_heads(terms: Sequence[Term]) -> list[Term]:
    """The terms, compounds in the form of the head that is a term too: "hydraulic model" beside "model".

    A stem joins "hydraulic modelling" with "hydraulic model"; a model it is only in the second form.
    """
    heads = {term.key: term for term in terms}
    shown = []
    for term in terms:
        narrowed = kind(term.label) if term.language == "en" else None
        head = heads.get(narrowed[0]) if narrowed else None
        form = _form_of_head(term, head) if head else None
        forms = tuple(dict.fromkeys((term.label, *term.variants)))
        shown.append(replace(term, label=form, variants=forms) if form else term)
    return shown


def _form_of_head(child: Term, parent: Term) -> str | None:
    """The form of the child, its label if possible, whose head is also a head of the parent."""
    heads = {_head(form) for form in (parent.label, *parent.variants)}
    own = _head(parent.label)
    forms = (child.label, *child.variants)
    exact = (form for form in forms if _head(form) == own)
    return next(exact, next((form for form in forms if _head(form) in heads), None))


def _head(form: str) -> str:
    """The head of a compound in the singular, as far as that is plain to see."""
    compound = apart(form)
    head = compound.head if compound else form.casefold()
    return head.removesuffix("s") if not head.endswith("ss") else head
