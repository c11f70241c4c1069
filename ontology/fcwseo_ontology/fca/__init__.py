"""Formal concept analysis: contexts, their concept lattices, and the order of what has a name in these."""
