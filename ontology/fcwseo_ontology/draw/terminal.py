"""An ontology as a tree in the terminal, drawn by ``rich``."""

from collections.abc import Mapping

from rich.text import Text
from rich.tree import Tree

from fcwseo_ontology.draw.spanning import spanning_tree
from fcwseo_ontology.model import Concept, Edge, Ontology, Relation

_DEEPEST = 15  # level of the last indentation: 56 columns
STYLES = {
    Relation.SYNONYM: "magenta",
    Relation.IS_A: "blue",
    Relation.PART_OF: "green",
    Relation.ATTRIBUTE_OF: "yellow",
    Relation.INDUCE: "red",
    Relation.RELATED: "bright_black",
}

# How an edge reads from the child: "flood induced by rain".
READS = {
    Relation.SYNONYM: "synonym of",
    Relation.IS_A: "is-a",
    Relation.PART_OF: "part-of",
    Relation.ATTRIBUTE_OF: "attribute-of",
    Relation.INDUCE: "induced by",
    Relation.RELATED: "related to",
}


def tree_lines(ontology: Ontology, weights: Mapping[str, float] | None = None) -> Tree:
    """A renderable for ``rich``: each concept once, with its relation to the line above, its weight, keyness
    and other parents. Concepts below level 15, for which a line has no room, are not indented further, and
    name their level and parent.

    >>> from rich.console import Console
    >>> from fcwseo_ontology.model import Label
    >>> rain = Concept("rain", (Label("rain"),))
    >>> flood = Concept("flood", (Label("flood"), Label("洪水", "zh")))
    >>> pair = Ontology("rain", (rain, flood), (Edge("flood", "rain", Relation.INDUCE),))
    >>> Console(width=60).print(tree_lines(pair, {"rain": 1, "flood": 0.62}))
    rain  1.000
    └── flood 洪水 (induced by)  0.620
    """
    tree = spanning_tree(ontology)
    concepts = {concept.name: concept for concept in ontology.concepts}
    others: dict[str, list[Edge]] = {}
    for edge in ontology.edges:
        if edge != tree.via.get(edge.child):
            others.setdefault(edge.child, []).append(edge)
    branches: dict[str, Tree] = {}
    for name in tree.order:
        line = _line(concepts[name], tree.via.get(name), weights)
        for edge in others.get(name, ()):
            parent = _words(concepts[edge.parent])[0]
            line.append("  ").append(f"+ {READS[edge.relation]}", STYLES[edge.relation]).append(
                f" {parent}", "dim"
            )
        above = tree.via[name].parent if name in tree.via else tree.root
        if name == tree.root:
            branches[name] = Tree(line, guide_style="bright_black")
            continue
        level = tree.level[name]
        if level > _DEEPEST:
            line.append(f"  level {level}, below {_words(concepts[above])[0]}", "dim")
        branch = branches[above].add(line)
        branches[name] = branch if level < _DEEPEST else branches[above]
    return branches[tree.root]


def _line(concept: Concept, via: Edge | None, weights: Mapping[str, float] | None) -> Text:
    first, *rest = _words(concept)
    line = Text()
    line.append(first, "bold" if via is None else "")
    for text in rest:
        line.append(f" {text}", "dim")
    if via is not None:
        line.append(f" ({READS[via.relation]})", STYLES[via.relation])
    if weights is not None:
        line.append(f"  {weights.get(concept.name, 0.0):.3f}", "cyan")
        if concept.keyness:
            line.append(f"  keyness {concept.keyness:.1f}", "dim")
    return line


def _words(concept: Concept) -> list[str]:
    """The preferred labels without control sequences, which must not reach a terminal."""
    words = [label.text for label in concept.labels] or [concept.name]
    return ["".join(char if char.isprintable() else "�" for char in word) for word in words]
