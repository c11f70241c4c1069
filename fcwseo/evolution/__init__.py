"""Web space evolution, section 6 of the paper: bank, pace, radius, objectives, fronts, NFCS, seating.

``paper_bank``, ``paper_radius`` and ``paper_objectives`` are those of Algorithm 1 (``fcwseo-paper``).
"""
