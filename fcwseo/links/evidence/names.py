"""The names of the features of a link, in the order of their columns."""

EVIDENCE = (
    "parents' mean",  # F2: mean R of its parents
    "best parent",
    "anchor",  # weights of the topic words that its best anchor names
    "context",  # R of its best context
    "address",  # R of the words of the URL
    "address words",  # outcome of pages whose URLs have the same words
    "parents",  # number of parents, as a logarithm
    "words",  # outcome of pages whose links had the same words nearby
    "topical words",  # relevance of the pages that contain the words near a link
    "topical anchor",  # the same for the most indicative word of its anchors
    "theme",  # similarity of its anchors to the words of relevant pages
    "meaning",  # nearness of its words to the topic, by word vectors
    "alike",  # outcome of pages whose links have similar word vectors
    "siblings",  # outcome of pages linked from the same pages
    "place",  # outcome of pages whose links have the same position on pages of that host
    "host",  # outcome of pages of this host
    "section",  # outcome of pages of this section of the host: the first folder of the URL
    "rank",  # F4: improved PageRank, as a logarithm
)
