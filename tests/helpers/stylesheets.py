"""The stylesheets of the site."""

import re

from django.conf import settings

CSS = settings.BASE_DIR / "static" / "css"


def colours(name: str, *, dark: bool) -> dict[str, str]:
    """Return the colours that a stylesheet defines for light or dark pages, by their names."""
    text = (CSS / name).read_text()
    light_rules, _, rest = text.partition("prefers-color-scheme: dark")
    dark_rules, _, _ = rest.partition("\n}\n")
    rules = dark_rules if dark else light_rules
    return dict(re.findall(r"--([\w-]+): (#\w+);", rules))
