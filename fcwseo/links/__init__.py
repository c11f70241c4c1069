"""Known links: the frontier, the graph, PageRank, and the objectives of each link."""
