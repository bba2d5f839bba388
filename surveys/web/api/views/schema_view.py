"""The API's schema. It never changes while the program runs, so it is made once, and rendered once in each form."""

import hashlib
from functools import lru_cache
from threading import RLock
from typing import Any

from django.http import HttpResponse
from django.utils.cache import get_conditional_response
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

_ONE_AT_A_TIME = (
    RLock()
)  # else each of the first requests after a start would make what one can make for all


@lru_cache(maxsize=1)
def _described() -> dict[str, Any]:
    return SchemaGenerator().get_schema(request=None, public=True)


def described() -> dict[str, Any]:
    """The schema as an object, for reading only."""
    with _ONE_AT_A_TIME:
        return _described()


@lru_cache
def _rendered(renderer: type[BaseRenderer]) -> tuple[bytes, str]:
    content = renderer().render(described(), renderer.media_type, {})
    return content, f'"{hashlib.sha256(content).hexdigest()}"'


def rendered(renderer: type[BaseRenderer]) -> tuple[bytes, str]:
    """The schema as bytes with their ETag, which is another one as soon as a build says anything else."""
    with _ONE_AT_A_TIME:
        return _rendered(renderer)


class Schema(SpectacularAPIView):
    permission_classes = ()
    authentication_classes = ()

    @extend_schema(exclude=True)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> HttpResponse:
        renderer = request.accepted_renderer
        content, etag = rendered(type(renderer))
        answer = HttpResponse(content, content_type=f"{renderer.media_type}; charset=utf-8")
        answer["ETag"] = etag
        return get_conditional_response(request, etag=etag, response=answer)
