"""What a page is, and how bytes become one."""

from fcwseo.pages.values import Failure, Link, Page, Visit, Why

__all__ = ["Failure", "Link", "Page", "Visit", "Why"]
