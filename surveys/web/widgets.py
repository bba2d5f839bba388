"""What people type into, choose from and tick, as django.forms draws it.

templates/parts/field.html stands around each.
"""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.forms.renderers import TemplatesSetting


class Parts(TemplatesSetting):
    form_template_name = "parts/form.html"
    field_template_name = "parts/field.html"


class Line(forms.TextInput):
    """One line. size: about how many characters it is wide, 3, 5, 10 or 20; without it, all there is room for."""

    def __init__(self, size: int | None = None, **attrs: Any) -> None:
        super().__init__({"autocomplete": "off"} | ({"size": size} if size else {}) | attrs)


class Area(forms.Textarea):
    def __init__(self, rows: int = 3, **attrs: Any) -> None:
        super().__init__({"autocomplete": "off", "rows": rows} | attrs)
        del self.attrs["cols"]


class Switch(forms.CheckboxInput):
    """One box to tick: its label stands behind it."""

    def __init__(self) -> None:
        super().__init__({"value": "1", "autocomplete": "off"})


class File(forms.FileInput):
    def __init__(self, *accept: str) -> None:
        super().__init__({"accept": ",".join(accept)} if accept else {})


class Select(forms.Select):
    """One of a list that opens."""

    def __init__(self, attrs: Any = None, choices: Any = ()) -> None:
        super().__init__({"autocomplete": "off"} | (attrs or {}), choices)


class Languages(Select):
    """Each language by its own name."""

    def create_option(self, name: str, value: Any, *args: Any, **options: Any) -> dict[str, Any]:
        option = super().create_option(name, value, *args, **options)
        option["attrs"]["lang"] = str(value)
        return option


class _Boxes:
    """Choices that all stand on the page, each with a sentence under it where it has one."""

    template_name = "parts/choices.html"

    def __init__(
        self, choices: Any = (), hints: Mapping[Any, str] | None = None, **attrs: Any
    ) -> None:
        super().__init__({"autocomplete": "off"} | attrs, choices)
        self.hints = dict(hints or {})

    def create_option(self, name: str, value: Any, *args: Any, **options: Any) -> dict[str, Any]:
        option = super().create_option(name, value, *args, **options)
        if hint := self.hints.get(value):
            option["hint"] = hint
            option["attrs"]["aria-describedby"] = f"{option['attrs']['id']}_helptext"
        return option

    def id_for_label(self, id_: str, index: str | None = None) -> str:
        """The first has the field's own, for the link of a message to lead there."""
        return id_ if index in (None, "0") else f"{id_}_{index}"


class Choice(_Boxes, forms.RadioSelect):
    """One of them. first: whether the first is chosen where none is."""

    def __init__(
        self, choices: Any = (), hints: Mapping[Any, str] | None = None, *, first: bool = False
    ) -> None:
        super().__init__(choices, hints)
        self.first = first

    def format_value(self, value: Any) -> list[str]:
        return super().format_value(value or (self.choices[0][0] if self.first else value))


class Ticks(_Boxes, forms.CheckboxSelectMultiple):
    """Any of them."""
