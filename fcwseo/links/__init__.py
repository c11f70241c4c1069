"""What is known of links: the frontier, their graph and rank, and the objectives of each."""
