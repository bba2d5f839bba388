"""The shapes in which analyses travel, for the schema."""

from rest_framework import serializers

from surveys.results.analysis.groups.differences import VERDICTS, Difference
from surveys.site.shape import serializer

OF = ("shares", "means")


def interval(**options: object) -> serializers.ListField:
    return serializers.ListField(child=serializers.FloatField(), min_length=2, max_length=2, **options)


def references() -> serializers.ListField:
    return serializers.ListField(child=serializers.CharField(), help_text="the literature of the methods")


class OutcomeSerializer(serializers.Serializer):
    key = serializers.CharField()
    choice = serializers.IntegerField(allow_null=True, help_text="null where the mean is compared")
    label = serializers.CharField()


class SignificanceSerializer(serializers.Serializer):
    statistic = serializers.FloatField()
    degrees = serializers.IntegerField()
    p_value = serializers.FloatField()


class PairSerializer(serializers.Serializer):
    first = serializers.CharField()
    second = serializers.CharField()
    difference = serializers.FloatField(help_text="of the shares or means, the first less the second")
    standard_error = serializers.FloatField()
    interval = interval(help_text="holds for all pairs together")
    p = serializers.FloatField(help_text="of this pair by itself")
    p_holm = serializers.FloatField(help_text="adjusted for all pairs: family-wise, Holm")
    p_bh = serializers.FloatField(help_text="adjusted for all pairs: false discovery rate, Benjamini and Hochberg")
    p_together = serializers.FloatField(help_text="for all pairs together (Bonferroni)")
    clear = serializers.BooleanField(help_text="whether it is said which is higher")
    verdict = serializers.ChoiceField(VERDICTS)


class ComparedSerializer(serializers.Serializer):
    outcome = OutcomeSerializer()
    of = serializers.ChoiceField(OF, help_text="what is compared; differences of means are in the unit of the numbers")
    n = serializers.IntegerField()
    test = SignificanceSerializer(allow_null=True, help_text="of one common share (likelihood ratio) or mean (Cochran)")
    differences = serializer(Difference)(
        many=True, help_text="each group against the pooled reports of all others; of two groups one against the other"
    )
    pairs = PairSerializer(many=True, help_text="a family of comparisons of their own")
    sentence = serializers.CharField(help_text="as the page says it")
    methods = serializers.CharField(help_text="for a paper")
    references = references()


class SideSerializer(serializers.Serializer):
    name = serializers.CharField(help_text="as it was asked for")
    labels = serializers.ListField(child=serializers.CharField())


class CellSerializer(serializers.Serializer):
    share = serializers.FloatField(help_text="of all who were asked both; unbiased, may lie outside 0 and 1")
    standard_error = serializers.FloatField()
    interval = interval()
    constrained = serializers.FloatField(help_text="among possible shares")


class OfThoseSerializer(serializers.Serializer):
    share = serializers.FloatField()
    standard_error = serializers.FloatField()
    interval = interval(allow_null=True, help_text="Fieller's; null where nothing is known")


class AssociationSerializer(serializers.Serializer):
    value = serializers.FloatField()
    standard_error = serializers.FloatField()
    interval = interval()


class PhiSerializer(AssociationSerializer):
    value = serializers.FloatField(allow_null=True, help_text="null where only the nearer end of the interval is known")


def table_of(cell: type[serializers.Serializer], **options: object) -> serializers.ListField:
    return serializers.ListField(child=serializers.ListField(child=cell(**options)))


class CrossedSerializer(serializers.Serializer):
    n = serializers.IntegerField(help_text="people who were asked both questions")
    left_out = serializers.IntegerField()
    rows = SideSerializer()
    columns = SideSerializer()
    cells = table_of(CellSerializer)
    of_rows = table_of(OfThoseSerializer, allow_null=True, help_text="of those with the answer of the row")
    of_columns = table_of(OfThoseSerializer, allow_null=True, help_text="of those with the answer of the column")
    constrained_by = serializers.CharField()
    independence = SignificanceSerializer(allow_null=True)
    phi = PhiSerializer(allow_null=True, help_text="of a table of two answers and two")
    odds_ratio = AssociationSerializer(allow_null=True)
    reason = serializers.CharField(allow_blank=True, help_text="why one of these is null")
    confidence = serializers.FloatField()
    sentence = serializers.CharField(help_text="as the page says it")
    methods = serializers.CharField(help_text="for a paper")
    references = references()
    note = serializers.CharField(allow_blank=True, help_text="what this reader sees of background answers")


class KnownSerializer(serializers.Serializer):
    label = serializers.CharField()
    here = serializers.FloatField(help_text="share of the respondents")
    known = serializers.FloatField(help_text="share of the population")


class MarginSerializer(serializers.Serializer):
    key = serializers.CharField()
    groups = KnownSerializer(many=True)


class PlainSerializer(serializers.Serializer):
    share = serializers.FloatField()
    standard_error = serializers.FloatField()
    interval = interval()


class WeighedChoiceSerializer(PlainSerializer):
    label = serializers.CharField()
    n = serializers.IntegerField()
    effective_n = serializers.FloatField()
    design_effect = serializers.FloatField()
    unweighted = PlainSerializer()


class PlainMeanSerializer(serializers.Serializer):
    value = serializers.FloatField()
    standard_error = serializers.FloatField()
    interval = interval()


class WeighedMeanSerializer(PlainMeanSerializer):
    unit = serializers.CharField(allow_blank=True, help_text="of the numbers; a scale counts from 1")
    n = serializers.IntegerField()
    effective_n = serializers.FloatField()
    design_effect = serializers.FloatField()
    unweighted = PlainMeanSerializer()


class WeighedQuestionSerializer(serializers.Serializer):
    key = serializers.CharField()
    n = serializers.IntegerField()
    refused = serializers.CharField(allow_null=True, help_text="why there are no shares and no mean")
    choices = WeighedChoiceSerializer(many=True, help_text="none of a question that was made for its mean")
    mean = WeighedMeanSerializer(allow_null=True, help_text="of such a question")


class WeightedSerializer(serializers.Serializer):
    n = serializers.IntegerField()
    left_out = serializers.IntegerField(help_text="people whose group is not known")
    effective_n = serializers.FloatField(help_text="Kish's")
    design_effect = serializers.FloatField()
    times_apart = serializers.FloatField(help_text="the largest weight over the smallest")
    confidence = serializers.FloatField()
    margins = MarginSerializer(many=True)
    questions = WeighedQuestionSerializer(many=True)
    sentence = serializers.CharField(help_text="as the page says it")
    methods = serializers.CharField(help_text="for a paper")
    references = references()
    note = serializers.CharField(allow_blank=True, help_text="what this reader sees of background answers")
