"""The page that says how something ended, and leads on."""

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def message_page(
    request: HttpRequest,
    title: str,
    *sentences: str,
    status: int = 200,
    things: Sequence[str] = (),
    then: tuple[str, str] | None = None,
    again: bool = False,
) -> HttpResponse:
    """things: a list after the sentences. then: the address and the words of the way on. again: whether a button asks
    for the same once more."""
    context = {"title": title, "said": sentences, "things": things, "then": then, "again": again}
    return render(request, "parts/said.html", context, status=status)
