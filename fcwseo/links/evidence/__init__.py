"""Features of links that have not been followed, and the relevance predicted from them."""
