"""The evidence for a link, a column each: their names, in order."""

EVIDENCE = (
    "parents' mean",  # F2: R of the pages that link there
    "best parent",
    "anchor",  # how much of the topic the best anchor names
    "context",  # R of the best surroundings of a link
    "address",  # R of the words of the URL
    "parents",  # how many, as a logarithm
    "words",  # how pages fared whose links had such words near them
    "topical words",  # how relevant the pages are that have the words near a link
    "topical anchor",  # how relevant the pages are that have that word of an anchor which says most
    "theme",  # how much its anchors are about what relevant pages are about
    "meaning",  # how near what the link says is to the topic, by vectors of words
    "alike",  # how pages fared whose links say something alike
    "siblings",  # how pages fared that are linked from the same pages
    "place",  # how pages fared whose links stand at such a place of the pages of a host
    "host",  # how pages of this host fared
    "section",  # how pages of this section of the host fared: of the first folder of the address
    "rank",  # F4: improved PageRank, as a logarithm
)
