"""The HTML parser: two walks over a tree, the values that they collect, and the page built from these."""
