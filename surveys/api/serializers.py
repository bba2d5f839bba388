"""The shapes that the API returns, for its documentation and for reading."""

from rest_framework import serializers

from surveys.models import Survey


class SurveySerializer(serializers.ModelSerializer):
    instrument = serializers.CharField(
        source="instrument.sha256", default=None, help_text="SHA-256 of the instrument; null for a draft"
    )

    class Meta:
        model = Survey
        fields = ["slug", "title", "status", "created", "instrument"]
        read_only_fields = fields


class ChoiceReportSerializer(serializers.Serializer):
    label = serializers.CharField()
    observed = serializers.FloatField(allow_null=True, help_text="share of reports, before the correction")
    estimate = serializers.FloatField(allow_null=True, help_text="unbiased; may lie outside 0 and 1")
    standard_error = serializers.FloatField(allow_null=True)
    interval = serializers.ListField(
        child=serializers.FloatField(), min_length=2, max_length=2, allow_null=True, help_text="95 %, Wilson"
    )
    constrained = serializers.FloatField(allow_null=True, help_text="the estimate among possible shares")


class QuestionReportSerializer(serializers.Serializer):
    key = serializers.CharField()
    text = serializers.CharField()
    design = serializers.CharField(allow_null=True, help_text="null for a background question")
    epsilon = serializers.FloatField(allow_null=True, help_text="null where nothing is randomized")
    n = serializers.IntegerField()
    choices = ChoiceReportSerializer(many=True)


class ReportSerializer(serializers.Serializer):
    survey = serializers.CharField()
    instrument = serializers.CharField()
    n = serializers.IntegerField(help_text="responses in sealed batches, which this report is about")
    waiting = serializers.IntegerField(help_text="responses not yet sealed and not in this report")
    epsilon = serializers.FloatField(help_text="total privacy loss per respondent")
    questions = QuestionReportSerializer(many=True)


class ProblemSerializer(serializers.Serializer):
    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField(required=False)
