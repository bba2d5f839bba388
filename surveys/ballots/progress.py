"""How many have answered. It says nothing about any answer."""

from surveys.ballots.inbox import waiting
from surveys.errors import Refused
from surveys.models import Survey


def received(survey: Survey) -> dict[str, int]:
    """Responses in the report, still waiting for it, and both together. Raises Refused for a draft."""
    if survey.is_draft:
        raise Refused("A draft has no responses.")
    sealed, unsealed = survey.instrument.tally.get("n", 0), waiting(survey.instrument)
    return {"sealed": sealed, "waiting": unsealed, "received": sealed + unsealed}
