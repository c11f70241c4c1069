"""The evidence for a link that was not followed yet, and the relevance predicted from it."""
