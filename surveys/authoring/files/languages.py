"""Languages as the headings of tables name them."""

import re

from django.conf.locale import LANG_INFO

from surveys.models import Survey


def language_code(heading: str) -> str:
    """Return the code of the language that a heading names, or "" if respondents' pages do not speak it.

    heading: such as english (en), deutsch or fr, in lower case.
    """
    in_brackets = re.search(r"\(([a-z]{2})\)", heading)
    name = in_brackets[1] if in_brackets else heading
    for code in Survey.Language.values:
        if name in (code, LANG_INFO[code]["name"].lower(), LANG_INFO[code]["name_local"].lower()):
            return code
    return ""
