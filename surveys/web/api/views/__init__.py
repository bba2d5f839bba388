"""The API's views, by what they are about."""

from surveys.api.views import kinds
from surveys.api.views.responses import Responses

__all__ = ["Responses", "kinds"]
