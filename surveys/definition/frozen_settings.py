"""The settings of surveys and questions that instruments store, as definitions have them.

`definition.fields` has a row for each setting. Code asks for many of them by name; these are
attributes of `SurveyDefinition` and `QuestionDefinition`. The others are for pages only.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields as attributes
from typing import Any

from surveys.definition import fields
from surveys.definition.texts import in_language, text_from_instrument


@dataclass(frozen=True)
class InstrumentSettings:
    """The base class of definitions, with access to every setting of the instrument by its name.

    other_settings: by name, the settings for which the class has no attribute of their own, because
        only templates read them.
    """

    other_settings: dict[str, Any] = field(default_factory=dict, compare=False, kw_only=True)

    def setting(self, name: str) -> Any:
        """Return the value of a setting of the instrument, by its name in definition.fields."""
        if name in self.other_settings:
            return self.other_settings[name]
        return getattr(self, name)

    def texts_in(self, model: fields.Model, code: str) -> dict[str, Any]:
        """Return the texts in one language, as arguments for the constructor of this class.

        A definition in one language is this one with these arguments replaced.

        model: Survey or Question, whose texts these are.
        code: the code of the language.
        """
        texts = {
            name: in_language(self.setting(name), code) for name in fields.instrument_texts(model)
        }
        return constructor_arguments(type(self), texts)


def constructor_arguments(
    definition_class: type[InstrumentSettings], settings: Mapping[str, Any]
) -> dict[str, Any]:
    """Return settings as keyword arguments for the constructor of a definition.

    Settings for which the class has no attribute are together in the argument `other_settings`.

    settings: the values of the settings by name.
    """
    attribute_names = {attribute.name for attribute in attributes(definition_class)}
    arguments = {}
    other_settings = {}
    for name, value in settings.items():
        if name in attribute_names:
            arguments[name] = value
        else:
            other_settings[name] = value
    return {**arguments, "other_settings": other_settings}


def settings_from_instrument(
    model: fields.Model, data: dict, languages: list[str]
) -> dict[str, Any]:
    """Return the texts and switches that an instrument stores of a survey or a question, by name.

    A text that the instrument lacks is "", and a switch is False.

    model: Survey or Question.
    data: the content of the instrument, or of one of its questions.
    languages: the codes of the languages of the survey, the first one first.
    """
    settings: dict[str, Any] = {}
    for name in fields.instrument_texts(model):
        settings[name] = text_from_instrument(data.get(name, ""), languages)
    for switch in fields.rows(model, is_switch=True):
        if switch.since:
            settings[switch.name] = data.get(switch.name, False)
    return settings
