"""Errors of the API as problem documents (RFC 9457): what went wrong, never what was sent."""

from django.http import JsonResponse


def problem(status: int, name: str, title: str, detail: str = "", **more: object) -> JsonResponse:
    """`name` is the last part of the problem's type, a stable word that programs can test for."""
    body = {"type": f"/problems/{name}", "title": title, "status": status}
    if detail:
        body["detail"] = detail
    return JsonResponse(body | more, status=status, content_type="application/problem+json")
