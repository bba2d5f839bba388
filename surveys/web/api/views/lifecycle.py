"""The steps of a survey: published, paused, closed, opened again, copied, followed by a new version.

Asked once more for what is so already, a step changes nothing and answers the same: a program whose connection broke
may simply ask again.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer

from surveys.accounts import access
from surveys.accounts.access import Right
from surveys.authoring.files import survey_file
from surveys.definition.freezing import hash_without_ticket_key
from surveys.fieldwork import lifecycle
from surveys.fieldwork.link import current_definition
from surveys.fieldwork.responses.closing import close_survey, reopen_survey
from surveys.fieldwork.responses.destruction import destroy
from surveys.models import Survey
from surveys.site.errors import Refused
from surveys.web.api import serializers, survey_object
from surveys.web.api.views.base import View, created, errors, valid

Status = Survey.Status
Given = Mapping[str, Any]
Take = Callable[[Survey, AbstractBaseUser, Given], Any]


@dataclass(frozen=True)
class Step:
    """right: that it takes. take: of the survey, who asks, and the body as `body` checks it; of a step with `makes` the
    survey that it makes. goal: the states of a survey that has taken it. is_listed: whether it answers as lists do.
    notes: what to say besides of the survey that it makes.
    """

    name: str
    summary: str
    take: Take
    description: str = ""
    body: type[BaseSerializer] | None = None
    right: Right = Right.WRITE
    goal: tuple[str, ...] = ()
    is_listed: bool = False
    makes: bool = False
    ends: bool = False
    is_refused: bool = True
    notes: Callable[[Survey, Given], str] | None = None

    @property
    def status(self) -> int:
        return 201 if self.makes else 204 if self.ends else 200


def _freezing(take: Callable[..., Any], *names: str, import_only: bool) -> Take:
    """What was frozen already, and as expected, is left. names: of what `take` is given of the body."""

    @transaction.atomic
    def freeze(survey: Survey, by: AbstractBaseUser, asked: Given) -> None:
        survey = survey.locked()
        frozen, expected = current_definition(survey), asked.get("instrument")
        if expected not in (None, frozen.sha256, hash_without_ticket_key(frozen)):
            raise Refused(f"The questions have the SHA-256 {frozen.sha256}, not the one you sent.")
        if survey.is_draft or survey.import_only != import_only:
            take(survey, by, **{name: asked[name] for name in names if name in asked})

    return freeze


def _simply(take: Callable[[Survey, AbstractBaseUser], Any]) -> Take:
    return lambda survey, by, asked: take(survey, by)


STEPS = (
    Step(
        "publish",
        "Publish the survey: lock its questions and open it",
        _freezing(lifecycle.publish, "reason", "no_number", import_only=False),
        (
            "Publishing twice changes nothing and gets the same answer. A question is refused if its answer could be "
            "guessed right more than 99 times in 100. With weak protection (red) you need a `reason`; where probably "
            "no number will show, `no_number`."
        ),
        serializers.PublishPeopleSerializer,
    ),
    Step(
        "prepare",
        "Prepare an import-only survey: lock its questions, to check files of responses against them",
        _freezing(lifecycle.lock_questions, import_only=True),
        "Doing it twice changes nothing and gets the same answer.",
        serializers.PublishSerializer,
    ),
    Step(
        "pause",
        "Pause the survey: it takes no responses until you reopen it",
        _simply(lifecycle.pause),
        goal=(Status.PAUSED,),
    ),
    Step(
        "close",
        "Close the survey: it takes no more responses",
        _simply(close_survey),
        "The report is updated once more. If fewer than 20 came last, they stay hidden.",
        goal=(Status.CLOSED,),
    ),
    Step(
        "reopen",
        "Reopen a closed or paused survey",
        _simply(reopen_survey),
        goal=(Status.OPEN, "scheduled", Status.FILLING),
    ),
    Step(
        "archive",
        "Archive a closed survey",
        _simply(lifecycle.archive),
        "Only for its owner. Nothing else changes.",
        right=Right.MANAGE,
        is_listed=True,
    ),
    Step(
        "unarchive",
        "Take a survey out of the archive",
        _simply(lifecycle.unarchive),
        "Only for its owner.",
        right=Right.MANAGE,
        is_listed=True,
        is_refused=False,
    ),
    Step(
        "destroy",
        "Delete a closed survey permanently: responses, results, questions, history",
        lambda survey, by, asked: destroy(survey, by, confirm=asked["title"]),
        "Only for its owner. Send its `title` to confirm. This can’t be undone.",
        serializers.DestroySerializer,
        right=Right.MANAGE,
        ends=True,
    ),
    Step(
        "duplicate",
        "Your own copy: a new draft with the same texts and questions",
        lambda survey, by, asked: survey_file.duplicate(
            survey, by, import_only=asked.get("import_only", False)
        ),
        body=serializers.DuplicateSerializer,
        right=Right.SEE,
        makes=True,
        is_refused=False,
        notes=lambda copy, asked: (
            survey_file.not_on_a_sheet(copy) if asked.get("import_only") else ""
        ),
    ),
    Step(
        "version",
        "A new version of a published survey, as a draft with its own address",
        _simply(survey_file.new_version),
        "Same texts, questions, owner and team. The published survey doesn’t change.",
        makes=True,
    ),
)


class TakeStep(View):
    step = STEPS[0]

    @property
    def summary(self) -> str:
        return self.step.summary

    @property
    def description(self) -> str:
        return self.step.description

    @property
    def body(self) -> type[BaseSerializer] | None:
        return self.step.body

    @property
    def answers(self) -> dict:
        step, wrong = self.step, (415, 422) if self.step.body else ()
        gives = None if step.ends else serializers.SurveyDetailSerializer
        if step.is_listed:
            gives = serializers.SurveySerializer
        if step.notes:
            gives = serializers.CopySerializer
        return errors(*([409] if step.is_refused else []), *wrong) | {step.status: gives}

    def post(self, request: Request, slug: str) -> Response:
        step, survey = self.step, access.survey_for(request.user, slug, self.step.right)
        asked = valid(step.body, request) if step.body else {}
        try:
            made = step.take(survey, request.user, asked)
        except Refused:
            if not self._has_been_taken(survey):
                raise
        if step.ends:
            return Response(status=204)
        if step.makes:
            notes = {"notes": list(filter(None, [step.notes(made, asked)]))} if step.notes else {}
            return created(survey_object.shown(made) | notes, "survey", made.slug)
        survey = Survey.objects.select_related("instrument").get(pk=survey.pk)
        return Response(
            serializers.SurveySerializer(survey).data
            if step.is_listed
            else survey_object.shown(survey)
        )

    def _has_been_taken(self, survey: Survey) -> bool:
        if not self.step.goal:
            return False
        survey.refresh_from_db()
        return survey.state in self.step.goal
