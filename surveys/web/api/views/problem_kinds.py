"""A page for each kind of problem: where the type of a problem document leads."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from surveys.site.problems import KINDS


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    return render(request, "api/problems.html", {"kinds": KINDS})


@require_safe
def show(request: HttpRequest, name: str) -> HttpResponse:
    if name not in KINDS:
        raise Http404
    return render(request, "api/problem.html", {"name": name, "kind": KINDS[name]})
