"""Responses on their way: taken into the inbox, sealed, held, released into the report."""

from surveys.fieldwork.responses.inbox import Outcome, store_response

__all__ = ["Outcome", "store_response"]
