"""The stylesheets of the site."""

import re

from django.conf import settings

CSS = settings.BASE_DIR / "static" / "css"


def colours(name: str, *, dark: bool) -> dict[str, str]:
    """Return the colours that a stylesheet defines for light or dark pages, by their names.

    A colour such as "--paper: #0e1518;" has the name "paper" and the value "#0e1518".

    name: the name of the file.
    """
    text = (CSS / name).read_text()
    # The rules for dark pages are in a block that follows those for light pages, and ends with the
    # first line that is only a brace.
    light_rules, _, rest = text.partition("prefers-color-scheme: dark")
    dark_rules, _, _ = rest.partition("\n}\n")
    rules = dark_rules if dark else light_rules
    return dict(re.findall(r"--([\w-]+): (#\w+);", rules))
