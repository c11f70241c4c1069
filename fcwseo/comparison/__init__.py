"""Comparisons of strategies: experiment, judge, measures, statistics, report."""
