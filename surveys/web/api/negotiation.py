"""Which form of an answer a program gets, by its header `Accept`."""

from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.request import Request

PROBLEM = "application/problem+json"


class ContentNegotiation(DefaultContentNegotiation):
    """Answers a program that accepts problem documents with JSON, which these are.

    Some generated clients send the media type of errors as the only one that they accept.
    """

    def get_accept_list(self, request: Request) -> list[str]:
        """Return the media types that the program accepts, with JSON in place of problem documents."""
        accepted = []
        for media_type in super().get_accept_list(request):
            name, separator, parameters = media_type.partition(";")
            if name.strip().lower() == PROBLEM:
                name = "application/json"
            accepted.append(f"{name}{separator}{parameters}")
        return accepted
