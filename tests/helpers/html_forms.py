"""The form of a page as a browser reads it: what its fields hold, and their error messages."""

from html.parser import HTMLParser

from django.http import HttpResponse


class Form(HTMLParser):
    """The form of a page. Creating this object fails if an id appears twice on the page.

    values: the name of each input and textarea -> what would be sent. Of several ticked boxes with
        one name, this is the last one.
    data: what would be sent of the whole form, with all ticked boxes and selected options.
    errors: the id of a field -> the message that the summary links to the field.
    ids: the id of each element -> its attributes.
    text: the HTML of the page.
    """

    def __init__(self, response: HttpResponse) -> None:
        super().__init__()
        self.values: dict[str, str] = {}
        self.errors: dict[str, str] = {}
        self.ids: dict[str, dict[str, str | None]] = {}
        # The name of a <select> or of inputs -> all values that would be sent with this name.
        self._selected: dict[str, list[str]] = {}
        # The name of the <select> that was read last.
        self._select_name = ""
        # While text is collected: a dictionary and the key under which its text is stored.
        self._collecting: tuple[dict[str, str], str] | None = None
        self.text = response.content.decode()
        self.feed(self.text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Read a field, and begin to collect the text of a <textarea> or of an error message.

        The id of any element is stored. Fails if the id appeared before.
        """
        values = dict(attributes)
        if "id" in values:
            assert values["id"] not in self.ids, f"the id {values['id']} appears twice"
            self.ids[values["id"]] = values

        if tag == "input":
            self._read_input(values)
        elif tag == "select":
            self._select_name = values["name"]
        elif tag == "option":
            self._read_option(values)
        elif tag == "textarea":
            self.values[values["name"]] = ""
            self._collecting = self.values, values["name"]
        # The summary of errors at the top of a page links each message to its field. Django gives
        # fields ids that begin with "id_".
        elif tag == "a" and values.get("href", "").startswith("#id_"):
            self._collecting = self.errors, values["href"].removeprefix("#")

    def _read_input(self, attributes: dict[str, str | None]) -> None:
        """Store what an <input> would send; an unticked box sends nothing."""
        is_unticked = (
            attributes.get("type") in ("radio", "checkbox") and "checked" not in attributes
        )
        if is_unticked:
            return
        name = attributes["name"]
        self.values[name] = attributes.get("value") or ""
        self._selected.setdefault(name, []).append(self.values[name])

    def _read_option(self, attributes: dict[str, str | None]) -> None:
        """Store the value of an <option> if a browser would select it.

        It replaces the option of the same <select> that was stored before: only one is sent.
        """
        # A browser would send the text of such an option. Only the pages on which files are
        # imported have some, for the columns of a file, and no test sends `data` of these pages.
        if "value" not in attributes:
            return
        # A browser selects the first option if no other one is marked as selected.
        is_first = self._select_name not in self._selected
        if is_first or "selected" in attributes:
            self._selected[self._select_name] = [attributes["value"] or ""]

    @property
    def data(self) -> dict[str, str | list[str]]:
        """The data that the form would send."""
        return self.values | self._selected

    def handle_data(self, data: str) -> None:
        """Add text to what is being collected. The parser may pass a text in several pieces."""
        if self._collecting:
            texts, key = self._collecting
            texts[key] = texts.get(key, "") + data

    def handle_endtag(self, tag: str) -> None:
        """Stop collecting text at the end of a <textarea> or of a link."""
        if tag == "textarea":
            # Browsers drop a line break at the start of a textarea.
            texts, key = self._collecting
            texts[key] = texts[key].removeprefix("\n")
        if tag in ("textarea", "a"):
            self._collecting = None


def errors(response: HttpResponse) -> dict[str, str]:
    """Return the error messages of a page, by the name of their field; empty if there are none.

    Fails unless the status and the title of the page fit: 422 and "Error: " with messages, and 200
    without. Fails also unless each message is at its field, too, and the field refers to it.
    """
    form = Form(response)
    assert response.status_code == (422 if form.errors else 200)
    assert ("<title>Error: " in form.text) == bool(form.errors)
    for field in form.errors:
        error_id = f"{field}_error"
        assert error_id in form.ids, f"no message at {field}"
        assert _is_described_by(form, error_id), f"no field is described by {error_id}"
    return {field.removeprefix("id_"): message for field, message in form.errors.items()}


def _is_described_by(form: Form, error_id: str) -> bool:
    """Return whether a field or a group of fields refers to a message.

    A screen reader then reads the message with the field. Groups of fields have no id, so they are
    searched in the text of the page.
    """
    for attributes in form.ids.values():
        if error_id in (attributes.get("aria-describedby") or ""):
            return True
    return f'<fieldset aria-describedby="{error_id}">' in form.text
