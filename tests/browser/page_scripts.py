"""What tests ask of the modules of respondents' pages, which no page imports by name: the frames of its program."""

import re

from surveys.site.page_program import bundle_modules, constant_name

IMPORT = re.compile(r'await import\("/static/([^"]+)"\)')


def with_modules(script: str) -> str:
    """A script in which each `await import("/static/x.js")` is the module as a page's program has it."""
    return IMPORT.sub(
        lambda match: (
            f"(() => {{{''.join(bundle_modules(match[1]).values())}return {constant_name(match[1])};}})()"
        ),
        script,
    )
