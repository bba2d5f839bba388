"""Responses on their way: taken into the inbox, sealed, held, released into the report."""

from surveys.ballots.inbox import Outcome, accept

__all__ = ["Outcome", "accept"]
