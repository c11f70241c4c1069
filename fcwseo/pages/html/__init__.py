"""The parts of the HTML parser: two walks over a tree, what they collect, and how a page is made of it."""
