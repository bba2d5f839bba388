"""The steps of a survey: published, paused, closed, opened again, copied, followed by a new version.

Asked once more for what is so already, a step changes nothing and answers the same: a program whose connection broke
may simply ask again.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from surveys.accounts import access
from surveys.accounts.access import Right
from surveys.authoring.files import survey_file
from surveys.definition.freezing import without_key
from surveys.fieldwork import lifecycle
from surveys.fieldwork.link import frozen_paper
from surveys.fieldwork.responses.closing import close_survey, reopen_survey
from surveys.fieldwork.responses.destruction import destroy
from surveys.models import Survey
from surveys.site.errors import Refused
from surveys.web.api import serializers, survey_object
from surveys.web.api.views.base import View, created, errors, valid

SURVEY = serializers.SurveyDetailSerializer
Status = Survey.Status
Take = Callable[[Survey, AbstractBaseUser], Any]


class Step(View):
    """`goal`: the states of a survey that has taken this step."""

    goal: tuple[str, ...] = ()

    def step(self, request: Request, slug: str, take: Take) -> Response:
        survey = access.survey_for(request.user, slug, Right.WRITE)
        try:
            take(survey, request.user)
        except Refused:
            if not self._has_been_taken(survey):
                raise
        return Response(survey_object.shown(Survey.objects.select_related("instrument").get(pk=survey.pk)))

    def _has_been_taken(self, survey: Survey) -> bool:
        survey.refresh_from_db()
        return survey.state in self.goal


class Freezing(Step):
    """Publishing and preparing: `take` freezes the draft of a survey that is `import_only` or not."""

    def freeze(self, request: Request, slug: str, take: Take, *, expected: str | None, import_only: bool) -> Response:
        @transaction.atomic
        def once(survey: Survey, by: AbstractBaseUser) -> None:
            survey = survey.locked()
            frozen = frozen_paper(survey)
            sha256 = frozen.sha256
            if expected not in (None, sha256, without_key(frozen)):
                raise Refused(f"The frozen survey has the SHA-256 {sha256}, not the one that you expected.")
            if survey.is_draft or survey.import_only != import_only:
                take(survey, by)

        return self.step(request, slug, once)


class Publish(Freezing):
    @extend_schema(
        summary="Publish: freeze the survey and open it",
        description="Asked once more, it changes nothing and answers the same. A question whose answer could be "
        "guessed right more than 99 in 100 times is refused. A survey with almost no protection (red) needs a reason; "
        "one that will probably show no number, `no_number`.",
        request=serializers.PublishPeopleSerializer,
        responses=errors(409, 415, 422) | {200: SURVEY},
    )
    def post(self, request: Request, slug: str) -> Response:
        asked = valid(serializers.PublishPeopleSerializer, request)
        given = {"reason": asked.get("reason", ""), "no_number": asked.get("no_number", False)}
        take = partial(lifecycle.publish, **given)
        return self.freeze(request, slug, take, expected=asked.get("instrument"), import_only=False)


class Prepare(Freezing):
    @extend_schema(
        summary="Prepare an import-only survey: freeze it, so that files of responses can be checked against it",
        description="Asked once more, it changes nothing and answers the same.",
        request=serializers.PublishSerializer,
        responses=errors(409, 415, 422) | {200: SURVEY},
    )
    def post(self, request: Request, slug: str) -> Response:
        expected = valid(serializers.PublishSerializer, request).get("instrument")
        return self.freeze(request, slug, lifecycle.prepare, expected=expected, import_only=True)


class Pause(Step):
    goal = (Status.PAUSED,)

    @extend_schema(summary="Take no responses for a while", request=None, responses=errors(409) | {200: SURVEY})
    def post(self, request: Request, slug: str) -> Response:
        return self.step(request, slug, lifecycle.pause)


class Close(Step):
    goal = (Status.CLOSED,)

    @extend_schema(
        summary="Close: take no more responses",
        description="What waits is released, if it is 20 responses or more.",
        request=None,
        responses=errors(409) | {200: SURVEY},
    )
    def post(self, request: Request, slug: str) -> Response:
        return self.step(request, slug, close_survey)


class Archiving(View):
    """For the owner; answers as the list shows the survey."""

    def archive(self, request: Request, slug: str, take: Take) -> Response:
        take(access.survey_for(request.user, slug, Right.OWN), request.user)
        survey = Survey.objects.select_related("instrument").get(slug=slug)
        return Response(serializers.SurveySerializer(survey).data)


class Archive(Archiving):
    @extend_schema(
        summary="Put a closed survey into the archive",
        description="For its owner. Nothing else changes.",
        request=None,
        responses=errors(409) | {200: serializers.SurveySerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        return self.archive(request, slug, lifecycle.archive)


class Unarchive(Archiving):
    @extend_schema(
        summary="Take a survey out of the archive",
        description="For its owner.",
        request=None,
        responses=errors() | {200: serializers.SurveySerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        return self.archive(request, slug, lifecycle.unarchive)


class Destroy(View):
    @extend_schema(
        summary="Destroy a closed survey: responses, results, questions, history",
        description="For its owner. `title` is the survey’s, to be sure. It cannot be undone.",
        request=serializers.DestroySerializer,
        responses=errors(409, 415, 422) | {204: None},
    )
    def post(self, request: Request, slug: str) -> Response:
        survey = access.survey_for(request.user, slug, Right.OWN)
        destroy(survey, request.user, confirm=valid(serializers.DestroySerializer, request)["title"])
        return Response(status=204)


class Reopen(Step):
    goal = (Status.OPEN, "scheduled", Status.FILLING)

    @extend_schema(summary="Open a closed or paused survey", request=None, responses=errors(409) | {200: SURVEY})
    def post(self, request: Request, slug: str) -> Response:
        return self.step(request, slug, reopen_survey)


class Duplicate(View):
    @extend_schema(
        summary="A new draft of yours with the same texts and questions",
        request=serializers.DuplicateSerializer,
        responses=errors(415, 422) | {201: SURVEY},
    )
    def post(self, request: Request, slug: str) -> Response:
        survey = access.survey_for(request.user, slug, Right.SEE)
        asked = valid(serializers.DuplicateSerializer, request)
        copy = survey_file.duplicate(survey, request.user, import_only=asked.get("import_only", False))
        return created(survey_object.shown(copy), "survey", copy.slug)


class NewVersion(View):
    @extend_schema(
        summary="A draft with an address of its own that names a published survey as its predecessor",
        description="It has the same texts, questions, owner and team. The published survey stays as it is.",
        request=None,
        responses=errors(409) | {201: SURVEY},
    )
    def post(self, request: Request, slug: str) -> Response:
        survey = access.survey_for(request.user, slug, Right.WRITE)
        made = survey_file.new_version(survey, request.user)
        return created(survey_object.shown(made), "survey", made.slug)
