"""J. Liu, X. Li, Q. Zhang, G. Zhong: A novel focused crawler combining Web space evolution and domain
ontology, 2022, Table 2: the label group of each tag, its kind of text, and whether it ends a block of text.

A text belongs to the best group among its ancestors.
"""

from itertools import product
from typing import NamedTuple

_OTHER = 4
_GROUP = {
    **dict.fromkeys(("title", "h1"), 0),
    **dict.fromkeys(("h2", "h3"), 1),
    **dict.fromkeys(("h4", "h5", "h6", "strong", "b"), 2),
    **dict.fromkeys(("p", "td", "li"), 3),
}
BLOCKS = frozenset(
    "html head body title address article aside blockquote caption center dd details dialog dir div dl dt "
    "fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hr legend li main menu nav ol "
    "optgroup option p pre section select summary table tbody td textarea tfoot th thead tr ul".split()
)
INVISIBLE = frozenset(("script", "style", "noscript", "noframes", "noembed", "template"))
LINK_ATTRIBUTE = {"a": "href", "area": "href", "frame": "src", "iframe": "src"}
SPECIAL = frozenset((*LINK_ATTRIBUTE, "meta", "base", "link", "img", "html", "time"))
_KIND = {
    **{f"h{level}": str(level) for level in range(1, 7)},
    **dict.fromkeys(("li", "dt", "dd", "option"), "l"),
    "blockquote": "q",
    "pre": "c",
}
_KINDS = "p123456lqc"  # paragraph, headings, list item, quotation, code


class Role(NamedTuple):
    """The role of the text inside an element: its label group and its kind.

    >>> Role(4, "p").inside("ul").inside("li")
    Role(group=3, kind='l')
    """

    group: int
    kind: str

    def inside(self, tag: str) -> "Role":
        """The role of text inside a child element with this tag."""
        group = min(self.group, _GROUP.get(tag, _OTHER))
        if tag not in BLOCKS:
            return Role(group, self.kind)
        kind = _KIND.get(tag) or ("p" if self.kind.isdigit() else self.kind)
        return Role(group, kind)


# Roles are numbered, so that a walk finds the role of a child by one table lookup.
ROLES = [Role(*role) for role in product(range(_OTHER + 1), _KINDS)]
ROLE_NUMBER = {role: number for number, role in enumerate(ROLES)}
GROUP_OF = [role.group for role in ROLES]
HEADING_ROLES = frozenset(number for number, role in enumerate(ROLES) if role.kind.isdigit())
OUTSIDE = ROLE_NUMBER[Role(_OTHER, "p")]  # the role of text outside every element


class TagRule(NamedTuple):
    """Whether a tag ends a block, whether its attributes are read, and the roles inside it.

    ``inside[role]`` is the role of text inside this tag, given the role around it.
    """

    block: bool
    special: bool
    inside: tuple[int, ...]


def _rule(tag: str) -> TagRule:
    inside = tuple(ROLE_NUMBER[role.inside(tag)] for role in ROLES)
    return TagRule(tag in BLOCKS, tag in SPECIAL, inside)


PLAIN = _rule("span")  # the rule of all other tags
RULES: dict[str | None, TagRule | None] = {
    **{tag: _rule(tag) for tag in sorted({*_GROUP, *BLOCKS, *SPECIAL})},
    **dict.fromkeys((*INVISIBLE, "br", "-comment", "-document", None)),  # not entered
}
