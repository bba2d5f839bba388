"""Pages that browsers and proxies may store: the same bytes for everybody.

Caches must ask again before each use. So a page that is withdrawn disappears at once, and a page
that has not changed is not sent again.
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
    """A page or file that browsers and proxies may store, as cached_response() sends it.

    body: its bytes, which hold no secret. So the length of the compressed form reveals nothing.
    type: the media type.
    compressed: `body` compressed with gzip, or b"" if it is never sent compressed.
    """

    body: bytes
    type: str = "text/html"
    compressed: bytes = b""

    @cached_property
    def tag(self) -> str:
        """The part of the ETag that depends on the body: 128 bits of its hash.

        They are written as 32 hexadecimal digits, of 4 bits each.
        """
        return hashlib.sha256(self.body).hexdigest()[:32]


def cached_page(text: str) -> CachedContent:
    """Return the content of an HTML page, with its compressed form, for cached_response().

    text: the HTML of the page. It must hold no secret: see CachedContent.
    """
    body = text.encode()
    # mtime=0 leaves the time out of the gzip header. So the compressed form does not change while
    # its ETag, which depends on the body only, stays the same.
    return CachedContent(body, compressed=gzip.compress(body, mtime=0))


def cached_response(
    request: HttpRequest, content: CachedContent, style: str = "", script: str = ""
) -> HttpResponse:
    """Return a response with this content, or 304 if the browser or proxy has the content stored.

    The content is sent compressed if it has a compressed form and the browser accepts gzip.

    style, script: sources for the content security policy, as
        surveys.site.headers.allow_public_reuse() takes them.
    """
    accepts_gzip = "gzip" in request.headers.get("Accept-Encoding", "")
    is_compressed = bool(content.compressed) and accepts_gzip
    # An ETag stands for the bytes that are sent, so each form has one of its own.
    suffix = "-gzip" if is_compressed else ""
    etag = f'"{content.tag}{suffix}"'

    if _is_known(request, etag):
        response = HttpResponse(status=304)
    elif is_compressed:
        response = HttpResponse(content.compressed)
    else:
        response = HttpResponse(content.body)

    response["Content-Type"] = f"{content.type}; charset=utf-8"
    response["ETag"] = etag
    # A proxy must not send the compressed form to a browser that does not accept it.
    if content.compressed:
        patch_vary_headers(response, ["Accept-Encoding"])
    if is_compressed and response.status_code == 200:
        response["Content-Encoding"] = "gzip"
    return allow_public_reuse(response, style, script)


def _is_known(request: HttpRequest, etag: str) -> bool:
    """Return whether the sender of a request has the content with this ETag stored.

    Browsers and proxies name the ETags that they have in the header If-None-Match. "*" names all.
    """
    known_etags = parse_etags(request.headers.get("If-None-Match", ""))
    if "*" in known_etags:
        return True
    # A proxy that compresses a page marks its ETag as weak, with W/. It still stands for the same
    # page.
    return any(value.removeprefix("W/") == etag for value in known_etags)
