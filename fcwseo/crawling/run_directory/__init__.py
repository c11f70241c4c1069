"""A run directory, a module for each of its parts; ``writing`` puts them together."""
