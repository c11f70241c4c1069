"""Typed relations between terms: patterns, heads, senses, and the hierarchy they form."""
