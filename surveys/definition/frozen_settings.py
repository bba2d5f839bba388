"""The settings of definition.fields as an instrument holds them, and as what is made of it has them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields as attributes
from typing import Any

from surveys.definition import fields
from surveys.definition.texts import in_language, text_from_instrument


@dataclass(frozen=True)
class Frozen:
    """own: the settings of definition.fields that no code asks for by name, as a page reads them."""

    own: dict[str, Any] = field(default_factory=dict, compare=False, kw_only=True)

    def setting(self, name: str) -> Any:
        return self.own[name] if name in self.own else getattr(self, name)

    def texts_in(self, model: fields.Model, code: str) -> dict[str, Any]:
        return as_fields(
            type(self),
            {name: in_language(self.setting(name), code) for name in fields.frozen_texts(model)},
        )


def as_fields(made: type[Frozen], settings: Mapping[str, Any]) -> dict[str, Any]:
    """Settings as the class takes them: those that it has a field for, and its `own` ones."""
    known = settings.keys() & {each.name for each in attributes(made)}
    return {name: settings[name] for name in known} | {
        "own": {n: settings[n] for n in settings.keys() - known}
    }


def thawed_settings(model: fields.Model, data: dict, languages: list[str]) -> dict[str, Any]:
    """Texts and switches that instruments have."""
    texts = {
        name: text_from_instrument(data.get(name, ""), languages)
        for name in fields.frozen_texts(model)
    }
    return texts | {
        row.name: data.get(row.name, False)
        for row in fields.rows(model, is_switch=True)
        if row.since
    }
