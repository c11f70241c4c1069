"""Ontologies as OWL and RDF."""
