"""An ontology-driven, multi-objective focused crawler."""
