"""Responses on their way: taken into the inbox, sealed, held, released into the report."""

from surveys.ballots.inbox import Outcome, accept, is_sealed

__all__ = ["Outcome", "accept", "is_sealed"]
