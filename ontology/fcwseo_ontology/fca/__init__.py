"""Formal concept analysis: the context of terms and documents, and its concept lattice."""
