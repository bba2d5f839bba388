"""Reads a page's form as a browser would: what its fields hold, and which message belongs to which field."""

from html.parser import HTMLParser

from django.http import HttpResponse


class Form(HTMLParser):
    """`values`: name -> what would be sent. `errors`: id of a field -> the message that the summary links to it.

    `sent`: the whole form as it stands, with the boxes that are ticked and what is chosen of a list with values.
    """

    def __init__(self, response: HttpResponse) -> None:
        super().__init__()
        self.values: dict[str, str] = {}
        self.errors: dict[str, str] = {}
        self.ids: dict[str, dict[str, str | None]] = {}
        self._chosen: dict[str, list[str]] = {}
        self._list = ""  # the name of the list that was read last
        self._open: tuple[str, str] | None = (
            None  # ("value", name of a textarea) or ("error", id linked to)
        )
        self.text = response.content.decode()
        self.feed(self.text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        has = dict(attributes)
        if "id" in has:
            assert has["id"] not in self.ids, f"the id {has['id']} appears twice"
            self.ids[has["id"]] = has
        if tag == "input" and (has.get("type") not in ("radio", "checkbox") or "checked" in has):
            self.values[has["name"]] = has.get("value") or ""
            self._chosen.setdefault(has["name"], []).append(self.values[has["name"]])
        if tag == "select":
            self._list = has["name"]
        if (
            tag == "option"
            and "value" in has
            and ("selected" in has or self._list not in self._chosen)
        ):
            self._chosen[self._list] = [has["value"] or ""]
        if tag == "textarea":
            self.values[has["name"]] = ""
            self._open = "value", has["name"]
        if tag == "a" and has.get("href", "").startswith("#id_"):
            self._open = "error", has["href"][1:]

    @property
    def data(self) -> dict[str, str | list[str]]:
        """The data that the form would send."""
        return self.values | self._chosen

    def handle_data(self, data: str) -> None:
        if self._open:
            into = self.values if self._open[0] == "value" else self.errors
            into[self._open[1]] = into.get(self._open[1], "") + data

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea":  # browsers drop the line break that a textarea starts with
            self.values[self._open[1]] = self.values[self._open[1]].removeprefix("\n")
        if tag in ("textarea", "a"):
            self._open = None


def errors(response: HttpResponse) -> dict[str, str]:
    """Field -> message of a page that refused what was typed. Checks that each message stands at its field too."""
    form = Form(response)
    assert response.status_code == (422 if form.errors else 200)
    assert ("<title>Error: " in form.text) == bool(form.errors)
    for field in form.errors:
        assert f"{field}_error" in form.ids, f"no message at {field}"
        described = [
            has
            for has in form.ids.values()
            if f"{field}_error" in (has.get("aria-describedby") or "")
        ]
        assert (
            described
            or f'aria-describedby="design-about {field}_error"' in form.text
            or _of_a_group(form, field)
        )
    return {field.removeprefix("id_"): message for field, message in form.errors.items()}


def _of_a_group(form: Form, field: str) -> bool:
    return f'<fieldset aria-describedby="{field}_error">' in form.text
