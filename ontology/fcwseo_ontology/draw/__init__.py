"""Drawings of an ontology: a tree in the terminal, and one self-contained page for the browser."""

from fcwseo_ontology.draw.hasse import Hasse, HasseNode
from fcwseo_ontology.draw.page import html_page
from fcwseo_ontology.draw.terminal import tree_lines

__all__ = ["Hasse", "HasseNode", "html_page", "tree_lines"]
