"""Long lists, page by page: `next` and `previous` are addresses of more."""

from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter
from rest_framework import pagination
from rest_framework.exceptions import NotFound
from rest_framework.request import Request

from surveys.web.api.views.base import WrongParameter

PARAMETERS = [
    OpenApiParameter("cursor", str, description="from `next` or `previous`"),
    OpenApiParameter("page_size", {"type": "integer", "minimum": 1, "maximum": 100}),
]


class Pages(pagination.CursorPagination):
    """A view that gives pages has `ordering(request)`."""

    page_size = 100
    page_size_query_param = "page_size"
    max_page_size = 100

    def get_page_size(self, request: Request) -> int:
        text = request.query_params.get(self.page_size_query_param, str(self.page_size))
        size = int(text) if text.isascii() and text.isdigit() and len(text) < 4 else 0
        if not 1 <= size <= self.max_page_size:
            raise WrongParameter(
                f"page_size must be a whole number from 1 to {self.max_page_size}."
            )
        return size

    def get_ordering(self, request: Request, queryset: QuerySet, view: Any) -> tuple[str, ...]:
        return view.ordering(request)

    def paginate_queryset(
        self, queryset: QuerySet, request: Request, view: Any = None
    ) -> list[Any] | None:
        try:
            return super().paginate_queryset(queryset, request, view)
        except (ValidationError, ValueError):  # a cursor that somebody made up
            raise NotFound(self.invalid_cursor_message) from None
