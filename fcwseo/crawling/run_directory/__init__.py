"""A run directory: a module for each of its files; ``writing`` combines them."""
