"""Links, pages, failures and visits, and how bytes become a page."""

from fcwseo.pages.values import Failure, Link, Page, Requested, Visit, Why

__all__ = ["Failure", "Link", "Page", "Requested", "Visit", "Why"]
