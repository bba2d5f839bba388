"""The way of responses: stored in the inbox, sealed, pending, and released into the report."""

from surveys.fieldwork.responses.inbox import Outcome, store_response

__all__ = ["Outcome", "store_response"]
