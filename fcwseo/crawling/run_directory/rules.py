"""The rules by which a run was made, and the release that continues it (docs/adr/0017)."""

# Raise RULES when relevance, parsing or choice change so that a crawl with the same configuration may visit
# other pages or keep others (tests/golden shows it), and add the release to RELEASES.
RULES = 2
RELEASES = {0: "0.1.0", 1: "0.2.0", 2: "0.3.0"}  # rules -> the release that continues such runs
