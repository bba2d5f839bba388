"""A survey's way: published or prepared for files, paused, closed, opened again."""

from collections.abc import Sequence

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils import timezone

from surveys.accounts import history
from surveys.authoring.planning import expected
from surveys.authoring.planning.precision import shows_no_number
from surveys.definition import (
    data_protection,
    none_of_these,
    placeholders,
    protection_wording,
    short_names,
    text_places,
    ticket_key,
    ticket_phases,
)
from surveys.definition.freezing import add_ticket_key, build_definition
from surveys.definition.instrument import SurveyDefinition
from surveys.definition.protection import definition_losses
from surveys.fieldwork import page
from surveys.models import Instrument, Question, Survey
from surveys.signals import survey_closed, survey_prepared, survey_published, survey_reopened
from surveys.site.errors import Invalid, Refused

What = history.What
DELETED = (
    "You can’t reopen this survey: respondents were told that its responses are deleted on {day}. To ask again, make "
    "a new version."
)
FINISHED = (
    "You can’t reopen this survey: its tickets are finished, and their key is deleted. To ask again, make a new "
    "version."
)
TAKING = (Survey.Status.OPEN, Survey.Status.PAUSED, Survey.Status.FILLING)  # what can be closed


def required_confirmations(survey: Survey, frozen: SurveyDefinition) -> dict[str, str]:
    """Return what the author must confirm when publishing, with the reason for each."""
    asked = {}
    loss = definition_losses(frozen)
    if loss.grade_colour == "red":
        asked["reason"] = protection_wording.weak_protection_text(loss)
    if survey.target and shows_no_number(
        frozen, survey.target, expected.expected_shares_published(frozen, survey)
    ):
        asked["no_number"] = (
            f"With {survey.target:,} people, probably no sensitive question will have a number."
        )
    return asked


def _answered(asked: dict[str, str], reason: str, *, no_number: bool) -> str:
    """The reason as it is kept, where one is asked for. Raises Invalid with what is asked and was not given."""
    wrong, kept = {}, ""
    if "reason" in asked:
        try:
            kept = protection_wording.validate_reason(reason) if reason.strip() else ""
            wrong |= {} if kept else {"reason": asked["reason"]}
        except ValueError as error:
            wrong["reason"] = str(error)
    if "no_number" in asked and not no_number:
        wrong["no_number"] = asked["no_number"]
    if wrong:
        raise Invalid(wrong)
    return kept


def check_publishable(survey: Survey, questions: Sequence[Question] = ()) -> SurveyDefinition:
    """Return the survey as it would be published. Raises Refused."""
    if not survey.is_draft:
        raise Refused("This survey is already published.")
    if survey.import_only:
        raise Refused("An import-only survey can’t be published to respondents.")
    if survey.closes and survey.closes <= timezone.now():
        raise Refused("Change or remove the closing time, then publish. It is in the past.")
    if wrong := data_protection.deletion_problem(survey) or ticket_phases.ticket_problem(survey):
        raise Refused(wrong)
    frozen = build_definition(survey, questions)
    if wrong := text_places.translation_problems(survey):
        raise Refused(" ".join(wrong))
    if wrong := placeholders.placeholder_problem(survey):
        raise Refused(wrong)
    page.within_size(frozen)
    return frozen


@transaction.atomic
def publish(
    survey: Survey,
    by: AbstractBaseUser | None = None,
    *,
    reason: str = "",
    no_number: bool = False,
    read: str = "",
) -> Instrument:
    """Freeze the survey into its one instrument and open it. `by`: who does it, for the history.

    reason: why so little protection is justified; no_number: the author knows that no number will come of it. Both are
    only asked for where `asks` says so; then Invalid is raised without them. read: the SHA-256 that the author has
    read, where known.
    """
    survey = survey.locked()
    frozen = check_publishable(survey)
    if read not in ("", frozen.sha256):
        raise Refused(
            "The survey has changed since you opened this page. Review it again, then publish."
        )
    survey.reason = _answered(required_confirmations(survey, frozen), reason, no_number=no_number)
    survey.save(update_fields=["reason"])
    if survey.reason:
        history.record(survey, by, What.CHANGED, f"reason for publishing: {survey.reason}")
    instrument = _instrument(survey, _with_issuer(survey, frozen), Survey.Status.OPEN)
    history.record(survey, by, What.PUBLISHED, instrument.sha256)
    survey_published.send(Survey, survey=survey)
    return instrument


@transaction.atomic
def lock_questions(
    survey: Survey, by: AbstractBaseUser | None = None, read: str = ""
) -> Instrument:
    """Lock the questions of an import-only survey, so that files can be checked against them.

    No reason is asked for: what its respondents spent, they have spent elsewhere. read: the SHA-256 that the
    author has read, where known.
    """
    survey = survey.locked()
    if not survey.import_only:
        raise Refused("Publish this survey instead. Its respondents answer here.")
    if not survey.is_draft:
        raise Refused("This survey is already prepared for import.")
    if wrong := data_protection.deletion_problem(survey) or ticket_phases.ticket_problem(survey):
        raise Refused(wrong)
    frozen = build_definition(survey)
    if read not in ("", frozen.sha256):
        raise Refused(
            "The survey has changed since you opened this page. Review it again, then prepare it."
        )
    instrument = _instrument(survey, frozen, Survey.Status.FILLING)
    history.record(survey, by, What.PREPARED, frozen.sha256)
    survey_prepared.send(Survey, survey=survey)
    return instrument


def _with_issuer(survey: Survey, frozen: SurveyDefinition) -> SurveyDefinition:
    """Where it has tickets, the same with the key that signs them, drawn here for this survey alone."""
    if not frozen.tickets:
        return frozen
    drawn = ticket_key.create_issuer()
    drawn.survey = survey
    drawn.save()
    return add_ticket_key(frozen, drawn.modulus)


def _instrument(survey: Survey, frozen: SurveyDefinition, status: Survey.Status) -> Instrument:
    made_of = {
        "sha256": frozen.sha256,
        "content": frozen.content,
        "short_names": short_names.short_names_to_store(survey),
    }
    made_of["nones"] = none_of_these.none_codes(survey.questions.prefetch_related("choices"))
    instrument = Instrument.objects.create(survey=survey, **made_of)
    _set_status(survey, status)
    return instrument


@transaction.atomic
def pause(survey: Survey, by: AbstractBaseUser | None = None) -> None:
    """Take no responses for a while; what waits goes on waiting."""
    survey = survey.locked()
    if survey.status != Survey.Status.OPEN:
        raise Refused("Only an open survey can be paused.")
    _set_status(survey, Survey.Status.PAUSED)
    history.record(survey, by, What.PAUSED)


@transaction.atomic
def close(survey: Survey, by: AbstractBaseUser | None = None) -> None:
    """Take no more responses."""
    survey = survey.locked()
    if survey.status not in TAKING:
        raise Refused("Only an open survey can be closed.")
    _set_status(survey, Survey.Status.CLOSED)
    history.record(survey, by, What.CLOSED)
    survey_closed.send(Survey, survey=survey)


@transaction.atomic
def reopen(survey: Survey, by: AbstractBaseUser | None = None) -> None:
    survey = survey.locked()
    if survey.status not in (Survey.Status.CLOSED, Survey.Status.PAUSED):
        raise Refused("Only a paused or closed survey can be reopened.")
    if survey.is_finished:
        raise Refused(FINISHED)
    if data_protection.is_deletion_due(survey):
        raise Refused(DELETED.format(day=survey.delete_on))
    if survey.closes and survey.closes <= timezone.now():
        raise Refused(
            "Change or remove the closing time, then reopen the survey. It is in the past."
        )
    was_closed = survey.status == Survey.Status.CLOSED
    survey.archived = False  # what takes responses is not hidden
    survey.save(update_fields=["archived"])
    _set_status(survey, Survey.Status.FILLING if survey.import_only else Survey.Status.OPEN)
    if was_closed:
        survey_reopened.send(Survey, survey=survey, by=by)
    history.record(survey, by, What.REOPENED)


@transaction.atomic
def archive(survey: Survey, by: AbstractBaseUser | None = None) -> None:
    """Put a closed survey out of the way; all else of it stays as it is. One that is there already stays there."""
    survey = survey.locked()
    if not survey.is_over:
        raise Refused("Close the survey first. Only a closed survey can be archived.")
    if not survey.archived:
        _set_archived(survey, by, archived=True)


@transaction.atomic
def unarchive(survey: Survey, by: AbstractBaseUser | None = None) -> None:
    """Back among the others. One that is not in the archive stays as it is."""
    survey = survey.locked()
    if survey.archived:
        _set_archived(survey, by, archived=False)


def _set_archived(survey: Survey, by: AbstractBaseUser | None, *, archived: bool) -> None:
    survey.archived = archived
    survey.save(update_fields=["archived"])
    history.record(survey, by, What.ARCHIVED if archived else What.UNARCHIVED)


def _set_status(survey: Survey, status: Survey.Status) -> None:
    survey.status = status
    survey.save(update_fields=["status"])
