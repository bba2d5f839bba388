"""The words and drawings of an analysis: functions of surveys.results.analysis as filters."""

from django import template

from features.regression.model.comparisons import ModelRow
from features.regression.model.files import figure
from features.regression.model.model import MODELS, Model
from features.regression.model.wording import headline, method, odds_in_words, sentences

register = template.Library()
for write in (headline, method, odds_in_words, sentences):
    register.filter(write.__name__, write)
register.filter("model_figure", figure)


@register.filter
def model_name(kind: str) -> str:
    return MODELS[kind]


@register.filter
def answer(model: Model, row: ModelRow) -> str:
    """Return the answer that a row is about."""
    return model.outcome.item.choices[row.answer]
