"""Pages that browsers and proxies may keep: the same bytes for everybody, and asked for again each time.

So what is taken back is gone at once, and what is still the same is not sent again.
"""

import gzip
import hashlib
from dataclasses import dataclass
from functools import cached_property

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers
from django.utils.http import parse_etags

from surveys.site.headers import allow_public_reuse


@dataclass(frozen=True)
class CachedContent:
    """small: the same compressed, where that is worth it. Nothing in it is secret, so its length tells nothing."""

    body: bytes
    type: str = "text/html"
    small: bytes = b""

    @cached_property
    def tag(self) -> str:
        return hashlib.sha256(self.body).hexdigest()[:32]


def cached_page(text: str) -> CachedContent:
    body = text.encode()
    return CachedContent(body, small=gzip.compress(body, mtime=0))


def cached_response(
    request: HttpRequest, kept: CachedContent, style: str = "", script: str = ""
) -> HttpResponse:
    """style, script: as surveys.site.headers.allow_public_reuse has them."""
    is_small = bool(kept.small) and "gzip" in request.headers.get("Accept-Encoding", "")
    etag = f'"{kept.tag}{"-gzip" if is_small else ""}"'
    response = (
        HttpResponse(status=304)
        if _is_known(request, etag)
        else HttpResponse(kept.small if is_small else kept.body)
    )
    response["Content-Type"] = f"{kept.type}; charset=utf-8"
    response["ETag"] = etag
    if kept.small:
        patch_vary_headers(response, ["Accept-Encoding"])
    if is_small and response.status_code == 200:
        response["Content-Encoding"] = "gzip"
    return allow_public_reuse(response, style, script)


def _is_known(request: HttpRequest, etag: str) -> bool:
    asked = parse_etags(request.headers.get("If-None-Match", ""))
    return "*" in asked or etag in (each.removeprefix("W/") for each in asked)
