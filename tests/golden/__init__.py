"""Digests of small crawls, recorded before refactorings."""
