"""The shapes that the API takes and gives. What is not known in a shape is refused, never dropped."""

from typing import Any

from rest_framework import serializers

from mechanisms.estimation.intervals import METHODS
from surveys.models import AccessToken, Question, Survey
from surveys.people.tokens import NAME_LENGTH, SCOPES
from surveys.publishing.freezing import MAXIMUM_CHOICES
from surveys.reporting.findings import VERDICTS

MOST_QUESTIONS = 500
SCOPE_CHOICES = sorted(SCOPES)
TEXT_LENGTH = 500


class Strict(serializers.Serializer):
    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, dict) and (unknown := set(data) - set(self.fields)):
            raise serializers.ValidationError({str(name)[:50]: "This is not known here." for name in sorted(unknown)})
        return super().to_internal_value(data)


class Text(serializers.CharField):
    """Text as it was written, without NUL, which no database keeps. A number is none: 1e999 would be read as “inf”."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**({"allow_blank": True, "required": False} | options))

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class Flag(serializers.BooleanField):
    """true or false, not the many words that forms may send."""

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data


class QuestionSerializer(Strict):
    key = Text(max_length=32, help_text="variable name; made from the text unless given")
    kind = serializers.ChoiceField(Question.Kind.choices)
    text = Text(max_length=TEXT_LENGTH, required=True, allow_blank=False)
    help = Text(max_length=TEXT_LENGTH)
    section = Text(max_length=200, help_text="heading of the section that starts with this question")
    choices = serializers.ListField(
        child=Text(max_length=200, allow_blank=False), required=False, max_length=MAXIMUM_CHOICES + 1
    )
    decline = Flag(required=False, help_text="offer “Prefer not to say”")
    design = Text(
        max_length=32,
        help_text="a design as two-coin, or a level: strong, balanced, light, automatic (by epsilon)",
    )
    parameters = serializers.DictField(
        child=Text(max_length=2000), required=False, help_text='as {"p": "3/4"} or {"epsilon": "1"}'
    )
    mode = serializers.ChoiceField(Question.Mode.choices, required=False)
    harmless = Text(max_length=TEXT_LENGTH)
    statement = Text(max_length=TEXT_LENGTH, help_text="Warner by spinner or by hand: what is true of a Yes")
    opposite = Text(max_length=TEXT_LENGTH, help_text="and of a No; both or neither")
    minimum = serializers.IntegerField(required=False, allow_null=True, min_value=-(10**9), max_value=10**9)
    maximum = serializers.IntegerField(required=False, allow_null=True, min_value=-(10**9), max_value=10**9)
    anchor = serializers.FloatField(
        required=False, allow_null=True, min_value=0, max_value=1, help_text="share of Yes where it is known"
    )


class TextsSerializer(Strict):
    title = Text(max_length=200, required=True, allow_blank=False)
    introduction = Text(max_length=5000)
    contact = Text(max_length=200)
    consent = Text(max_length=5000)
    language = serializers.ChoiceField(Survey.Language.choices, required=False)
    comprehension = Flag(required=False, help_text="ask whether the explanation was understood")
    neutral_title = Flag(required=False, help_text="the browser’s history names the page “Survey” only")
    shared_device = Flag(required=False, help_text="several people answer on one device, one after the other")
    results_after_closing = Flag(required=False, help_text="no result is shown before the survey closes")
    project = Text(max_length=100)
    limit = Text(max_length=10, help_text="privacy budget: the largest total epsilon")
    limit_reason = Text(max_length=500)
    import_only = Flag(
        required=False,
        help_text="responses come from files, never from respondents; fixed once there is a draft",
    )


class SurveyInputSerializer(TextsSerializer):
    edition = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=2**31 - 1,
        help_text="the edition you started from; 409 if there is a newer one",
    )
    questions = QuestionSerializer(many=True, required=False, max_length=MOST_QUESTIONS)


class SurveySerializer(serializers.ModelSerializer):
    instrument = serializers.CharField(
        source="instrument.sha256", default=None, allow_null=True, help_text="SHA-256; null for a draft"
    )

    class Meta:
        model = Survey
        fields = ["slug", "title", "status", "archived", "created", "instrument"]
        read_only_fields = fields


class SurveyPageSerializer(serializers.Serializer):
    next = serializers.CharField(allow_null=True, help_text="address of the next page")
    previous = serializers.CharField(allow_null=True, help_text="address of the page before")
    results = SurveySerializer(many=True)


class SurveyDetailSerializer(TextsSerializer):
    """What an author wrote, in the shape in which it can be sent back."""

    slug = serializers.SlugField()
    status = serializers.ChoiceField(Survey.Status.choices)
    created = serializers.DateTimeField()
    edition = serializers.IntegerField()
    instrument = serializers.CharField(allow_null=True, help_text="SHA-256; null for a draft")
    questions = QuestionSerializer(many=True)


class PublishSerializer(Strict):
    instrument = serializers.RegexField(
        r"^[0-9a-f]{64}\Z", required=False, help_text="publish only if the frozen survey has this SHA-256"
    )


class PublishPeopleSerializer(PublishSerializer):
    hardly_protected = Flag(
        required=False, help_text="confirms that all answers together are: a guess is right more than 99 in 100 times"
    )


class DuplicateSerializer(Strict):
    import_only = Flag(
        required=False, help_text="the copy takes files, for what is asked on paper with the same questions and designs"
    )


class DestroySerializer(Strict):
    title = serializers.CharField(max_length=200, help_text="the survey’s, exactly")


class ChoiceReportSerializer(serializers.Serializer):
    label = serializers.CharField()
    observed = serializers.FloatField(allow_null=True, help_text="share of reports, before the correction")
    estimate = serializers.FloatField(allow_null=True, help_text="unbiased; may lie outside 0 and 1")
    standard_error = serializers.FloatField(allow_null=True)
    interval = serializers.ListField(
        child=serializers.FloatField(),
        min_length=2,
        max_length=2,
        allow_null=True,
        help_text="low and high; confidence, simultaneous and interval_kind say what it is",
    )
    constrained = serializers.FloatField(allow_null=True, help_text="the estimate among possible shares")


class BarSerializer(serializers.Serializer):
    label = serializers.CharField()
    estimate = serializers.FloatField(help_text="unbiased; of a background number its mean")
    interval = serializers.ListField(child=serializers.FloatField(), min_length=2, max_length=2)


class FindingSerializer(serializers.Serializer):
    verdict = serializers.ChoiceField(VERDICTS, help_text="whether the result supports a statement, and if not, why")
    sentence = serializers.CharField(help_text="what was found, true at the report’s confidence")
    detail = serializers.CharField(allow_blank=True)
    number = serializers.CharField(allow_null=True, help_text="as written large; null where no number is supported")
    range = serializers.CharField(allow_null=True, help_text="beside the number: a range, or of how many")
    bars = BarSerializer(many=True, help_text="what the sentence is about, as the page draws it")
    scale = serializers.ListField(
        child=serializers.FloatField(),
        allow_null=True,
        help_text="of bars that are numbers; null where they are shares",
    )


class QuestionReportSerializer(serializers.Serializer):
    key = serializers.CharField()
    text = serializers.CharField()
    design = serializers.CharField(allow_null=True, help_text="null for a background question")
    epsilon = serializers.FloatField(allow_null=True, help_text="null where nothing is randomized")
    n = serializers.IntegerField()
    interval_kind = serializers.ChoiceField(METHODS, help_text="of the intervals of this question")
    constrained_by = serializers.CharField(allow_null=True, help_text="how the constrained shares were made")
    finding = FindingSerializer(help_text="the result in words, as the page says it")
    choices = ChoiceReportSerializer(many=True)


class ReportSerializer(serializers.Serializer):
    survey = serializers.CharField()
    instrument = serializers.CharField()
    n = serializers.IntegerField(help_text="released responses, which this report is about")
    waiting = serializers.IntegerField(help_text="not in this report: a multiple of 20, as of the last release")
    epsilon = serializers.FloatField(allow_null=True, help_text="total privacy loss per respondent")
    confidence = serializers.FloatField(help_text="of the intervals")
    simultaneous = Flag(
        help_text="whether the intervals of a question hold together at that confidence, not each alone"
    )
    questions = QuestionReportSerializer(many=True)


class TalliesSerializer(serializers.Serializer):
    survey = serializers.CharField()
    instrument = serializers.CharField(help_text="tallies of one instrument add up, n with n and count with count")
    n = serializers.IntegerField()
    counts = serializers.DictField(child=serializers.ListField(child=serializers.IntegerField()))
    answered = serializers.DictField(
        child=serializers.IntegerField(),
        required=False,
        help_text="question key -> reports to it, where some may be missing; otherwise there are n to each",
    )


class TokenSerializer(serializers.ModelSerializer):
    scopes = serializers.ListField(child=serializers.ChoiceField(SCOPE_CHOICES))

    class Meta:
        model = AccessToken
        fields = ["id", "name", "scopes", "expires", "created", "last_used"]
        read_only_fields = fields


class TokenInputSerializer(Strict):
    name = serializers.CharField(max_length=NAME_LENGTH)
    scopes = serializers.ListField(child=serializers.ChoiceField(SCOPE_CHOICES), min_length=1, max_length=len(SCOPES))
    expires = serializers.DateField(required=False, allow_null=True, help_text="the last day on which it is good")


class NewTokenSerializer(serializers.Serializer):
    token = serializers.CharField(help_text="shown this one time")


class ProblemSerializer(serializers.Serializer):
    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField(required=False)
    errors = serializers.DictField(child=serializers.CharField(), required=False, help_text="place -> what is wrong")
