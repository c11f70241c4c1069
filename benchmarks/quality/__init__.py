"""What ``benchmarks/ontology_quality.py`` is made of."""
