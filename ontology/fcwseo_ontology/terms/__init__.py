"""The terms of a domain: candidates, their ranking, and those that are about the topic."""
