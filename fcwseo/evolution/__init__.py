"""Web space evolution as in section 6 of the paper: bank, radius, objectives, fronts, NFCS."""
