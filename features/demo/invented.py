"""Invented answers: what people who try a demo send to a survey of theirs, so its report has something to show.

They come through what stores every respondent's message, and a survey that has some says so for good. It works only
on surveys of an account that “manage.py demo” made.
"""

from uuid import uuid4

import numpy as np
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from features.demo import answers
from features.simulation.simulation import parse_shares, truths_of, usual
from surveys.accounts import history
from surveys.definition.instrument import SurveyDefinition
from surveys.definition.parsing import parse_instrument
from surveys.fieldwork.responses import store_response
from surveys.fieldwork.responses.erasure import empty_log
from surveys.fieldwork.responses.records import decode, encode, wire_reports
from surveys.fieldwork.responses.release import release
from surveys.fieldwork.responses.sealing import seal
from surveys.models import DemoAccount, Survey
from surveys.site.errors import Refused

N = 1_000
ONLY_OPEN = "Only a survey that is open to anyone with its link takes invented answers."


def is_demo(survey: Survey) -> bool:
    """Whether “manage.py demo” made the account of its owner."""
    return DemoAccount.objects.filter(user=survey.owner_id).exists()


def takes_some(survey: Survey) -> bool:
    """Whether it can be sent invented answers now: a demo's, open to anyone with the link, and not sent any before."""
    return _is_open(survey) and not survey.invented and is_demo(survey)


def _is_open(survey: Survey) -> bool:
    return survey.state == "open" and not survey.tickets


def mark(survey: Survey, by: AbstractBaseUser | None, n: int) -> None:
    """Note that n answers of it are invented; in a transaction with whatever stores them."""
    survey.invented = True
    survey.save(update_fields=["invented"])
    history.record(survey, by, history.What.INVENTED, f"{n:,}")


def send(survey: Survey, by: AbstractBaseUser | None = None) -> bool:
    """Send it N invented answers and update its report by the usual rule. Whether they were sent: not a second time.

    All of it happens or nothing. Raises Refused unless the survey is a demo's, and open to anyone with the link.
    """
    is_sent = _send(survey, by)
    if is_sent:
        empty_log()  # which a seal leaves to the transaction around it
    return is_sent


@transaction.atomic
def _send(survey: Survey, by: AbstractBaseUser | None) -> bool:
    survey = survey.locked()
    if survey.invented:
        return False
    if not _is_open(survey) or not is_demo(survey):
        raise Refused(ONLY_OPEN)
    mark(survey, by, N)
    instrument = survey.instrument
    frozen = parse_instrument(instrument)
    for reports in _messages(frozen):
        store_response(instrument, uuid4(), encode(frozen, reports))
    seal(instrument)
    release(instrument, at_once=True)
    return True


def _messages(frozen: SurveyDefinition) -> list[dict[str, int | str | None]]:
    """What the devices of N invented people send: question key -> report. Their truths have the simulation's shares."""
    rng = np.random.default_rng()
    truths = {
        item.key: truths_of(item, parse_shares(item, usual(item)), N, rng) for item in frozen.items
    }
    rows = decode(frozen, answers.records(frozen, truths, rng))
    columns = [wire_reports(frozen, rows, item) for item in frozen.items]
    keys = [item.key for item in frozen.items]
    return [dict(zip(keys, each, strict=True)) for each in zip(*columns, strict=True)]
