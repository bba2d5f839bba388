"""Addresses of pages that features add, and that are missing where the feature was removed."""

from django.urls import NoReverseMatch, reverse


def optional_url(name: str, *args: object) -> str:
    """Return the address of a page, or "" if no feature adds it. Templates write {% url ... as address %} instead."""
    try:
        return reverse(name, args=args)
    except NoReverseMatch:
        return ""
