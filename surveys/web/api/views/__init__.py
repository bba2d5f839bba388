"""The API's views, by what they are about."""

from surveys.web.api.views import problem_kinds
from surveys.web.api.views.responses import Responses

__all__ = ["Responses", "problem_kinds"]
