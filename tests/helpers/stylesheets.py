"""The stylesheets of the site."""

import re

from django.conf import settings

CSS = settings.BASE_DIR / "static" / "css"


def colours(name: str, *, dark: bool) -> dict[str, str]:
    """Return the colours that a stylesheet defines for light or dark pages."""
    text = (CSS / name).read_text()
    light, _, after = text.partition("prefers-color-scheme: dark")
    return dict(re.findall(r"--([\w-]+): (#\w+);", after.partition("\n}\n")[0] if dark else light))
