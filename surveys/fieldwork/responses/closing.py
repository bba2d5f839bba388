"""Closing a survey: no more responses are taken, and the pending ones are released and wiped."""

from django.contrib.auth.models import AbstractBaseUser

from surveys.fieldwork import lifecycle
from surveys.fieldwork.responses.erasure import wipe_closed
from surveys.fieldwork.responses.inbox import count_inbox
from surveys.fieldwork.responses.inbox_keys import can_open_inbox
from surveys.fieldwork.responses.release import release
from surveys.fieldwork.responses.sealing import seal_rest
from surveys.models import Instrument, Survey


def close_survey(survey: Survey, by: AbstractBaseUser | None = None) -> None:
    """Close a survey, seal its inbox, release what may be released, and wipe deleted rows.

    Each of these steps is a transaction or more. If this is stopped after the first step, the
    survey is closed, and the next runs of “manage.py seal” do the rest. They also do it if this
    process cannot read the inbox. An import-only survey has nothing to seal or to release.

    Raise surveys.site.errors.Refused unless the survey is open, paused or prepared for import.

    by: who closes the survey, for the history.
    """
    # The order matters: once the survey is closed, the inbox can be sealed to the last response,
    # and only what is sealed can be released.
    lifecycle.close(survey, by)
    seal_rest(survey.instrument)
    if count_inbox(survey.instrument, 1) and not can_open_inbox():
        # The pending responses are released together with those in the inbox: fewer than 20 that
        # come later could never be released. Without an hour the next run need not wait for one.
        Instrument.objects.filter(pk=survey.instrument.pk).update(looked=None)
    else:
        release(survey.instrument, at_once=True)
    # If something remains to be done, the next run of “manage.py seal” does it.
    wipe_closed()


# Reopening has no step beyond the change of status. The name is here so that callers find it beside
# `close_survey`.
reopen_survey = lifecycle.reopen
