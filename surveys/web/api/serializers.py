"""The shapes that the API takes and gives. What is not known in a shape is refused, never dropped."""

from rest_framework import serializers

from mechanisms.estimation.intervals import METHODS
from surveys.accounts.tokens import NAME_LENGTH, SCOPES
from surveys.definition.kinds import LONGEST_LIST
from surveys.models import AccessToken, Question, Survey
from surveys.results.report.headlines import VERDICTS
from surveys.results.report.remarks import IfDenied
from surveys.site.shape import serializer
from surveys.web.api.fields import Flag, Strict, Text, Whole, Words
from surveys.web.api.setting_fields import fields_of

MOST_QUESTIONS = 500
SCOPE_CHOICES = sorted(SCOPES)


class QuestionSerializer(Strict):
    vars().update(fields_of(Question))
    choices = serializers.ListField(
        child=Words(max_length=200, allow_blank=False), required=False, max_length=LONGEST_LIST + 1
    )


class TextsSerializer(Strict):
    vars().update(fields_of(Survey))
    languages = serializers.ListField(
        child=serializers.ChoiceField(Survey.Language.choices),
        required=False,
        min_length=1,
        max_length=len(Survey.Language),
        help_text="all in which it can be answered, the first one first; a text is then {language: text}",
    )


class DrawSerializer(Strict):
    count = Whole(min_value=1, max_value=MOST_QUESTIONS, help_text="questions that a person is asked")
    of = serializers.ListField(
        child=Text(max_length=32, allow_blank=False), max_length=MOST_QUESTIONS, help_text="keys of sensitive questions"
    )


class SurveyInputSerializer(TextsSerializer):
    limit = Text(max_length=10, help_text="read and left out")
    limit_reason = Text(max_length=500, help_text="left out, as the limit")
    draw = DrawSerializer(
        required=False,
        allow_null=True,
        help_text="where `protection` is null: each person is asked `count` of these questions, drawn by lot on the "
        "device; null: everybody all",
    )
    edition = Whole(
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
    draw = DrawSerializer(
        allow_null=True, help_text="null where everybody is asked all questions, or where `protection` decides"
    )
    questions = QuestionSerializer(many=True)


class PublishSerializer(Strict):
    instrument = serializers.RegexField(
        r"^[0-9a-f]{64}\Z", required=False, help_text="publish only if the frozen survey has this SHA-256"
    )


class PublishPeopleSerializer(PublishSerializer):
    reason = Text(
        max_length=2000, help_text="why so little protection is justified, in 20 to 500 characters, where that is red"
    )
    no_number = Flag(
        required=False, help_text="publish all the same where the target is probably too small for any number"
    )
    hardly_protected = Flag(required=False, help_text="left out: give a reason")


class DuplicateSerializer(Strict):
    import_only = Flag(
        required=False, help_text="the copy takes files, for what is asked on paper with the same questions and designs"
    )


class DestroySerializer(Strict):
    title = Text(required=True, allow_blank=False, max_length=200, help_text="the survey’s, exactly")


class ChoiceReportSerializer(serializers.Serializer):
    label = serializers.CharField()
    n = serializers.IntegerField(
        help_text="reports that speak of this choice: of the question, unless devices picked what to report; where "
        "it is 0, all numbers are null"
    )
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
    withheld = serializers.BooleanField(help_text="whether the interval is too wide for pages to show a number")


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


class QuartileSerializer(serializers.Serializer):
    at = serializers.FloatField(help_text="the share of answers that are at most this number")
    number = serializers.IntegerField()
    interval = serializers.ListField(child=serializers.IntegerField(), min_length=2, max_length=2)


class AtMostSerializer(serializers.Serializer):
    number = serializers.IntegerField()
    share = serializers.FloatField(help_text="of the answers up to this number; unbiased, may lie outside 0 and 1")
    standard_error = serializers.FloatField(help_text="at most 0.05; other shares are left out")
    interval = serializers.ListField(child=serializers.FloatField(), min_length=2, max_length=2)


class CurveSerializer(serializers.Serializer):
    number = serializers.IntegerField()
    share = serializers.FloatField(help_text="of the answers up to this number in the likeliest distribution")


class AverageSerializer(serializers.Serializer):
    to = serializers.IntegerField(help_text="the largest number that can be answered")
    step = serializers.IntegerField()
    unit = serializers.CharField(allow_null=True)
    mean = serializers.FloatField(help_text="unbiased; of those who gave a number")
    standard_error = serializers.FloatField()
    interval = serializers.ListField(child=serializers.FloatField(), min_length=2, max_length=2)
    withheld = serializers.BooleanField(help_text="whether the interval is too wide for pages to show the mean")
    quartiles = QuartileSerializer(many=True, help_text="empty for fewer than 200 reports, and where there are choices")
    at_most = AtMostSerializer(many=True)
    curve = CurveSerializer(many=True, help_text="a smooth shape at best; peaks are not to be trusted")

    def get_fields(self) -> dict[str, serializers.Field]:
        """“from” is a word of Python."""
        first = serializers.IntegerField(help_text="the smallest number that can be answered")
        return {"from": first, **super().get_fields()}


class FoundChoiceSerializer(serializers.Serializer):
    code = serializers.IntegerField(help_text="its place among the choices")
    label = serializers.CharField()
    estimate = serializers.FloatField()
    interval = serializers.ListField(child=serializers.FloatField(), min_length=2, max_length=2)


class FoundSerializer(serializers.Serializer):
    """The choices whose share is above 0, with exact intervals that hold together for the whole list."""

    least = serializers.FloatField(
        allow_null=True,
        help_text="an estimate below this cannot be told from 0 with so many responses; null where they are too few "
        "for any",
    )
    of = serializers.IntegerField(help_text="how many choices the list has")
    choices = FoundChoiceSerializer(many=True, help_text="the largest estimate first")


class QuestionReportSerializer(serializers.Serializer):
    key = serializers.CharField()
    text = serializers.CharField()
    design = serializers.CharField(allow_null=True, help_text="null for a background question")
    epsilon = serializers.FloatField(allow_null=True, help_text="null where nothing is randomized")
    asked_of = serializers.CharField(
        allow_null=True, help_text="of whom it was asked, in words; null: of everybody, or by lot"
    )
    on_path = serializers.IntegerField(
        allow_null=True,
        help_text="how many people `asked_of` is true of, where devices pick among such questions; null elsewhere, and "
        "where this reader sees nothing of it",
    )
    n = serializers.IntegerField(
        help_text="reports to this question, which its shares come from; 0 where this reader sees nothing of it"
    )
    interval_kind = serializers.ChoiceField(METHODS, help_text="of the intervals of this question")
    constrained_by = serializers.CharField(allow_null=True, help_text="how the constrained shares were made")
    finding = FindingSerializer(help_text="the result in words, as the page says it")
    choices = ChoiceReportSerializer(many=True, help_text="none of a number or scale that was asked for its mean")
    found = FoundSerializer(allow_null=True, help_text="of a scrambled list of more than 25 choices")
    if_denied = serializer(IfDenied)(
        allow_null=True, help_text="of a scrambled yes/no question: if 2 in 10 of those concerned said No all the same"
    )
    number = AverageSerializer(allow_null=True, help_text="of a sensitive number or scale; a scale counts from 1")


class GroupOfTheCutSerializer(serializers.Serializer):
    label = serializers.CharField()
    codes = serializers.ListField(child=serializers.IntegerField(), help_text="the answers in it, as in the instrument")


class QuestionOfTheCutSerializer(serializers.Serializer):
    key = serializers.CharField()
    groups = GroupOfTheCutSerializer(many=True)


class CutSerializer(serializers.Serializer):
    """The groups to which everybody is bound who has no right to rows."""

    as_of = serializers.DateField(allow_null=True, help_text="the day of the closing that they show; null: none")
    note = serializers.CharField(allow_blank=True, help_text="what is shown, from when on, or why not")
    questions = QuestionOfTheCutSerializer(many=True)


class InvitedCountsSerializer(serializers.Serializer):
    invited = serializers.IntegerField()
    fetched = serializers.IntegerField(help_text="people who took a ticket")
    tickets = serializers.IntegerField(help_text="that were taken")
    duplicates = serializers.IntegerField(help_text="answers that may be a second one, at most")
    words = serializers.CharField()


class ReportSerializer(serializers.Serializer):
    survey = serializers.CharField()
    instrument = serializers.CharField()
    n = serializers.IntegerField(help_text="released responses, which this report is about")
    waiting = serializers.IntegerField(help_text="not in this report: a multiple of 20, as of the last release")
    deleted_on = serializers.DateField(
        allow_null=True, help_text="when the responses were deleted; counts, groups of the closing and results stay"
    )
    epsilon = serializers.FloatField(allow_null=True, help_text="total privacy loss per respondent")
    confidence = serializers.FloatField(help_text="of the intervals")
    simultaneous = Flag(
        help_text="whether the intervals of a question hold together at that confidence, not each alone"
    )
    sampling = Flag(help_text="whether errors and intervals hold the sampling too, and not the randomization alone")
    invited = InvitedCountsSerializer(allow_null=True, help_text="null where anybody could answer")
    cut = CutSerializer(allow_null=True, help_text="null for whoever has the right to rows")
    draw = DrawSerializer(
        allow_null=True, help_text="each respondent was asked `count` of these, drawn by lot; null: everybody all"
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
    name = Text(required=True, allow_blank=False, max_length=NAME_LENGTH)
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
