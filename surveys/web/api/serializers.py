"""The shapes that the API takes and gives. What is not known in a shape is refused, never dropped."""

from datetime import date
from typing import Any

from rest_framework import serializers

from surveys.accounts.tokens import NAME_LENGTH, SCOPES, last_day
from surveys.definition.kinds import LONGEST_LIST
from surveys.models import AccessToken, Question, Survey
from surveys.web.api.fields import (
    Choice,
    Date,
    Flag,
    Items,
    Moment,
    Named,
    Strict,
    Text,
    Whole,
    Words,
)
from surveys.web.api.setting_fields import fields_of

MOST_QUESTIONS = 500
SCOPE_CHOICES = sorted(SCOPES)


class QuestionSerializer(Strict):
    vars().update(fields_of(Question))
    choices = Items(
        child=Words(max_length=200, allow_blank=False), required=False, max_length=LONGEST_LIST + 1
    )


class TextsSerializer(Strict):
    vars().update(fields_of(Survey))
    languages = Items(
        child=Choice(Survey.Language.choices),
        required=False,
        min_length=1,
        max_length=len(Survey.Language),
        help_text="all languages of the survey, the first one first; each text is then {language: text}",
    )


class DrawSerializer(Strict):
    count = Whole(
        min_value=1,
        max_value=MOST_QUESTIONS,
        help_text="how many of these questions each person gets",
    )
    of = Items(
        child=Text(max_length=32, allow_blank=False),
        max_length=MOST_QUESTIONS,
        help_text="keys of sensitive questions",
    )


class SurveyInputSerializer(TextsSerializer):
    limit = Text(max_length=10, help_text="no longer used; ignored")
    limit_reason = Text(max_length=500, help_text="no longer used, like limit; ignored")
    draw = DrawSerializer(
        required=False,
        allow_null=True,
        help_text=(
            "where `protection` is null: each person gets `count` of these questions, picked at random by their "
            "device; null: everyone gets all"
        ),
    )
    edition = Whole(
        required=False,
        min_value=0,
        max_value=2**31 - 1,
        help_text="the edition you read; 409 if the survey has changed since",
    )
    invented = Flag(
        required=False, help_text="left out: the site sets it"
    )  # clients of 0.1 send back all they got
    questions = QuestionSerializer(many=True, required=False, max_length=MOST_QUESTIONS)

    def validate(self, data: dict[str, Any]) -> dict[str, Any]:
        data.pop("invented", None)
        return data


class SurveySerializer(serializers.ModelSerializer):
    instrument = serializers.CharField(
        source="instrument.sha256",
        default=None,
        allow_null=True,
        help_text="SHA-256; null for a draft",
    )

    class Meta:
        model = Survey
        fields = ["slug", "title", "status", "archived", "invented", "created", "instrument"]
        read_only_fields = fields


class SurveyPageSerializer(serializers.Serializer):
    next = serializers.CharField(allow_null=True, help_text="address of the next page")
    previous = serializers.CharField(allow_null=True, help_text="address of the previous page")
    results = SurveySerializer(many=True)


class SurveyDetailSerializer(TextsSerializer):
    """What an author wrote, in the shape in which it can be sent back."""

    slug = serializers.SlugField()
    status = Choice(Survey.Status.choices)
    created = Moment()
    edition = serializers.IntegerField()
    invented = serializers.BooleanField(
        help_text="whether a simulation sent some or all of the answers, in a demo"
    )
    instrument = serializers.CharField(allow_null=True, help_text="SHA-256; null for a draft")
    draw = DrawSerializer(
        allow_null=True,
        help_text="null where everyone gets all questions, or where `protection` decides",
    )
    questions = QuestionSerializer(many=True)


class CopySerializer(SurveyDetailSerializer):
    notes = Items(
        child=serializers.CharField(),
        help_text="of a copy for paper answers, which questions keep a method that no sheet can have",
    )


class PublishSerializer(Strict):
    instrument = serializers.RegexField(
        r"^[0-9a-f]{64}\Z",
        required=False,
        error_messages={"invalid": "Send the 64 characters of a SHA-256."},
        help_text="publish only if the published questions would have this SHA-256",
    )


class PublishPeopleSerializer(PublishSerializer):
    reason = Text(
        max_length=2000,
        help_text="why so little protection is justified, in 20 to 500 characters; needed where protection is red",
    )
    no_number = Flag(
        required=False,
        help_text="publish even if the target is probably too small to show any number",
    )
    hardly_protected = Flag(required=False, help_text="no longer used; send a reason")


class DuplicateSerializer(Strict):
    import_only = Flag(
        required=False,
        help_text="the copy takes its responses from files, to ask the same questions with the same designs on paper",
    )


class DestroySerializer(Strict):
    title = Text(
        required=True, allow_blank=False, max_length=200, help_text="the survey’s title, exactly"
    )


class TokenSerializer(serializers.ModelSerializer):
    scopes = Items(child=Choice(SCOPE_CHOICES))
    pauses_after = serializers.SerializerMethodField(
        help_text="the last day on which it works unless its owner logs in; null where no login is needed for it"
    )

    def get_pauses_after(self, token: AccessToken) -> date | None:
        return last_day(token.user)

    class Meta:
        model = AccessToken
        fields = ["id", "name", "scopes", "expires", "pauses_after", "created", "last_used"]
        read_only_fields = fields


class TokenInputSerializer(Strict):
    name = Text(required=True, allow_blank=False, max_length=NAME_LENGTH)
    scopes = Items(child=Choice(SCOPE_CHOICES), min_length=1, max_length=len(SCOPES))
    expires = Date(required=False, allow_null=True, help_text="the last day on which it works")
    password = Text(
        trim_whitespace=False,
        help_text=(
            "your own, for a token with all scopes; people who log in through their organization have none, and log "
            "in there within the ten minutes before"
        ),
    )


class ProblemSerializer(serializers.Serializer):
    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField(required=False)
    errors = Named(
        child=serializers.CharField(), required=False, help_text="place -> what is wrong"
    )
