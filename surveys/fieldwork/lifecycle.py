"""The lifecycle of a survey: it is published or prepared for import, paused, closed and reopened.

Every change of its status is made and recorded here.
"""

from collections.abc import Sequence

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from surveys.accounts import history
from surveys.authoring.planning import expected
from surveys.authoring.planning.precision import shows_no_number
from surveys.definition import (
    data_protection,
    placeholders,
    protection_wording,
    text_places,
    ticket_key,
    ticket_phases,
)
from surveys.definition.freezing import add_ticket_key, build_definition, unhashed_settings
from surveys.definition.instrument import SurveyDefinition
from surveys.definition.protection import definition_losses
from surveys.fieldwork import page
from surveys.models import Instrument, Question, Survey
from surveys.signals import survey_closed, survey_prepared, survey_published, survey_reopened
from surveys.site import clock
from surveys.site.errors import Invalid, Refused

What = history.What
# Why a survey cannot be reopened: its responses are due for deletion, or its tickets are finished.
REOPENED_AFTER_DELETION = (
    "You can’t reopen this survey: respondents were told that its responses are deleted on {day}. "
    "To ask again, make a new version."
)
REOPENED_AFTER_FINISHING = (
    "You can’t reopen this survey: its tickets are finished, and their key is deleted. "
    "To ask again, make a new version."
)
# The statuses of a survey that can be closed: it takes responses, may take them again, or is
# being filled from files.
CLOSABLE_STATUSES = (Survey.Status.OPEN, Survey.Status.PAUSED, Survey.Status.FILLING)


def required_confirmations(survey: Survey, definition: SurveyDefinition) -> dict[str, str]:
    """Return what the author must confirm when publishing: by name, a sentence that says why.

    The result is empty if nothing needs to be confirmed. The possible names are:

    "reason": answers are so little protected that the author must give a reason.
    "no_number": with the target number of responses, the results of all sensitive questions will
        probably be too imprecise to show a number, and the author must confirm to know this.

    definition: the definition of the draft as it would be published.
    """
    confirmations = {}
    loss = definition_losses(definition)
    # Red is the colour of the grades with the least protection.
    if loss.grade_colour == "red":
        confirmations["reason"] = protection_wording.weak_protection_text(loss)

    # Without a target, nobody knows how precise the results will be.
    if survey.target:
        shares = expected.expected_shares_published(definition, survey)
        if shows_no_number(definition, survey.target, shares):
            confirmations["no_number"] = (
                f"With {survey.target:,} people, probably no sensitive question will have a number."
            )
    return confirmations


def _validate_confirmations(confirmations: dict[str, str], reason: str, *, no_number: bool) -> str:
    """Check what the author has confirmed, and return the reason as it is stored.

    Return "" if no reason is required, also if the author gave one. Raise Invalid, with a message
    for each confirmation that is missing or not valid.

    confirmations: what must be confirmed, as `required_confirmations` returns it.
    reason: what the author wrote, as it was typed.
    no_number: whether the author knows that probably no sensitive question will have a number.
    """
    errors = {}
    valid_reason = ""
    if "reason" in confirmations:
        try:
            if reason.strip():
                valid_reason = protection_wording.validate_reason(reason)
            if not valid_reason:
                errors["reason"] = confirmations["reason"]
        except ValueError as error:
            errors["reason"] = str(error)

    if "no_number" in confirmations and not no_number:
        errors["no_number"] = confirmations["no_number"]

    if errors:
        raise Invalid(errors)
    return valid_reason


def check_publishable(survey: Survey, questions: Sequence[Question] = ()) -> SurveyDefinition:
    """Return the definition of a draft as it would be published.

    Raise Refused, with the first problem, if the survey cannot be published.

    questions: the questions of the draft, if the caller has loaded them already. Otherwise they are
        loaded here.
    """
    if not survey.is_draft:
        raise Refused("This survey is already published.")
    if survey.import_only:
        raise Refused("An import-only survey can’t be published to respondents.")
    if survey.closes and survey.closes <= clock.clock_now():
        raise Refused("Change or remove the closing time, then publish. It is in the past.")
    _require_possible_settings(survey)

    definition = build_definition(survey, questions)
    translation_problems = text_places.translation_problems(survey)
    if translation_problems:
        raise Refused(" ".join(translation_problems))
    placeholder_problem = placeholders.placeholder_problem(survey)
    if placeholder_problem:
        raise Refused(placeholder_problem)
    page.check_page_size(definition)
    return definition


def _require_possible_settings(survey: Survey) -> None:
    """Raise Refused if a draft has a day of deletion or tickets with which it cannot be published.

    The day of deletion must be in the future, and not before the closing time. Tickets need the
    TICKET_KEY of the site and, if all are taken before anybody answers, an opening time in the
    future. An import-only survey cannot have tickets. Nobody needs to be invited yet.
    """
    problem = data_protection.deletion_problem(survey)
    if not problem:
        problem = ticket_phases.ticket_problem(survey)
    if problem:
        raise Refused(problem)


@transaction.atomic
def publish(
    survey: Survey,
    by: AbstractBaseUser | None = None,
    *,
    reason: str = "",
    no_number: bool = False,
    read: str = "",
) -> Instrument:
    """Publish a draft: store its instrument, which never changes, and open the survey.

    Raise Refused if the survey cannot be published, or is no longer the one that the author has
    read. Raise Invalid if a confirmation is missing that `required_confirmations` returns. The
    survey is locked.

    by: who publishes, for the history.
    reason: why so little protection is justified, if this must be confirmed.
    no_number: whether the author knows that probably no sensitive question will have a number.
    read: the SHA-256 of the definition that the author has read, or "" if it is not known.
    """
    survey = survey.locked()
    definition = check_publishable(survey)
    # Somebody else may have changed the draft since the author read it.
    if read not in ("", definition.sha256):
        raise Refused(
            "The survey has changed since you opened this page. Review it again, then publish."
        )

    confirmations = required_confirmations(survey, definition)
    survey.reason = _validate_confirmations(confirmations, reason, no_number=no_number)
    survey.save(update_fields=["reason"])
    if survey.reason:
        history.record(survey, by, What.CHANGED, f"reason for publishing: {survey.reason}")

    if definition.tickets:
        # The instrument has the public key, with which devices verify their tickets.
        definition = _add_issuer(survey, definition)
    instrument = _create_instrument(survey, definition)
    _set_status(survey, Survey.Status.OPEN)
    history.record(survey, by, What.PUBLISHED, instrument.sha256)
    survey_published.send(Survey, survey=survey)
    return instrument


@transaction.atomic
def lock_questions(
    survey: Survey, by: AbstractBaseUser | None = None, read: str = ""
) -> Instrument:
    """Store the instrument of an import-only survey, which can then be filled from files.

    This takes the place of publishing: the questions never change afterwards, and files are checked
    against them. No confirmation is required, since the respondents have answered already,
    elsewhere. The status becomes FILLING, and the signal `survey_prepared` is sent.

    Raise Refused if the survey is not an import-only draft, cannot be prepared, or is no longer the
    one that the author has read. The survey is locked.

    by: who prepares the survey, for the history.
    read: the SHA-256 of the definition that the author has read, or "" if it is not known.
    """
    survey = survey.locked()
    if not survey.import_only:
        raise Refused("Publish this survey instead. Its respondents answer here.")
    if not survey.is_draft:
        raise Refused("This survey is already prepared for import.")
    _require_possible_settings(survey)

    definition = build_definition(survey)
    # Somebody else may have changed the draft since the author read it.
    if read not in ("", definition.sha256):
        raise Refused(
            "The survey has changed since you opened this page. Review it again, then prepare it."
        )

    instrument = _create_instrument(survey, definition)
    _set_status(survey, Survey.Status.FILLING)
    history.record(survey, by, What.PREPARED, definition.sha256)
    survey_prepared.send(Survey, survey=survey)
    return instrument


def _add_issuer(survey: Survey, definition: SurveyDefinition) -> SurveyDefinition:
    """Create and store the key that signs a survey's tickets; return the definition with the key.

    The definition gets only the public half of the key. Both halves are stored as the `Issuer` of
    the survey, the private one encrypted.
    """
    issuer = ticket_key.create_issuer()
    issuer.survey = survey
    issuer.save()
    return add_ticket_key(definition, issuer.modulus)


def _create_instrument(survey: Survey, definition: SurveyDefinition) -> Instrument:
    """Store the definition of a survey as its instrument, and return the instrument.

    Three things about the draft are stored that are not part of the definition: the short names of
    the questions, the codes of their “none of these” answers, and the written values.
    """
    questions = list(survey.questions.prefetch_related("choices"))
    unhashed = unhashed_settings(survey, questions)
    return Instrument.objects.create(
        survey=survey,
        sha256=definition.sha256,
        content=definition.content,
        short_names=unhashed.names,
        nones=unhashed.nones,
        values=unhashed.values,
    )


@transaction.atomic
def pause(survey: Survey, by: AbstractBaseUser | None = None) -> None:
    """Stop taking responses until the survey is reopened or closed.

    Stored responses stay where they are, and are still released.

    Raise Refused unless the survey is open. The survey is locked.

    by: who pauses the survey, for the history.
    """
    survey = survey.locked()
    if survey.status != Survey.Status.OPEN:
        raise Refused("Only an open survey can be paused.")
    _set_status(survey, Survey.Status.PAUSED)
    history.record(survey, by, What.PAUSED)


@transaction.atomic
def close(survey: Survey, by: AbstractBaseUser | None = None) -> None:
    """Change the status of a survey to CLOSED, so that it takes no more responses.

    Authors close a survey with responses.closing.close_survey, which calls this and then seals and
    releases what is left. The signal `survey_closed` is sent.

    Raise Refused unless the survey is open, paused or prepared for import. The survey is locked.

    by: who closes the survey, for the history.
    """
    survey = survey.locked()
    if survey.status not in CLOSABLE_STATUSES:
        raise Refused("Only an open survey can be closed.")
    _set_status(survey, Survey.Status.CLOSED)
    history.record(survey, by, What.CLOSED)
    survey_closed.send(Survey, survey=survey)


@transaction.atomic
def reopen(survey: Survey, by: AbstractBaseUser | None = None) -> None:
    """Open a paused or closed survey again, and take it out of the archive.

    Its status becomes OPEN, or FILLING if it is import-only. The signal `survey_reopened` is sent
    if the survey was closed, and not if it was only paused.

    Raise Refused unless the survey was paused or closed by hand. Raise Refused also if its tickets
    are finished, or if its day of deletion or its closing time has come. The survey is locked.

    by: who reopens the survey, for the history and the signal.
    """
    survey = survey.locked()
    if survey.status not in (Survey.Status.CLOSED, Survey.Status.PAUSED):
        raise Refused("Only a paused or closed survey can be reopened.")
    if survey.is_finished:
        raise Refused(REOPENED_AFTER_FINISHING)
    if data_protection.is_deletion_due(survey):
        raise Refused(REOPENED_AFTER_DELETION.format(day=survey.delete_on))
    if survey.closes and survey.closes <= clock.clock_now():
        raise Refused(
            "Change or remove the closing time, then reopen the survey. It is in the past."
        )

    was_closed = survey.status == Survey.Status.CLOSED
    # A survey that takes responses is never in the archive.
    survey.archived = False
    survey.save(update_fields=["archived"])
    if survey.import_only:
        _set_status(survey, Survey.Status.FILLING)
    else:
        _set_status(survey, Survey.Status.OPEN)

    if was_closed:
        survey_reopened.send(Survey, survey=survey, by=by)
    history.record(survey, by, What.REOPENED)


@transaction.atomic
def archive(survey: Survey, by: AbstractBaseUser | None = None) -> None:
    """Put a closed survey into the archive, without any other change.

    Do nothing if it is archived. Raise Refused unless the survey is over. The survey is locked.

    by: who archives the survey, for the history.
    """
    survey = survey.locked()
    if not survey.is_over:
        raise Refused("Close the survey first. Only a closed survey can be archived.")
    if not survey.archived:
        _set_archived(survey, by, archived=True)


@transaction.atomic
def unarchive(survey: Survey, by: AbstractBaseUser | None = None) -> None:
    """Take a survey out of the archive. Do nothing if it is not archived. The survey is locked.

    A closed survey stays closed.

    by: who takes it out, for the history.
    """
    survey = survey.locked()
    if survey.archived:
        _set_archived(survey, by, archived=False)


def _set_archived(survey: Survey, by: AbstractBaseUser | None, *, archived: bool) -> None:
    """Put a survey into the archive or take it out, and record this in the history.

    Nothing is checked here, and the caller has locked the survey.

    by: who does this, for the history.
    archived: True to put it into the archive, False to take it out.
    """
    survey.archived = archived
    survey.save(update_fields=["archived"])
    if archived:
        history.record(survey, by, What.ARCHIVED)
    else:
        history.record(survey, by, What.UNARCHIVED)


def _set_status(survey: Survey, status: Survey.Status) -> None:
    """Store the status. The caller has locked the survey and checked that the status may change."""
    survey.status = status
    survey.save(update_fields=["status"])
