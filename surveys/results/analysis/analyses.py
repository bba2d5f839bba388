"""The list of all analyses, in their order on the page.

Page, API, files and documentation are made of it.
"""

from surveys import extensions
from surveys.results.analysis.analysis import Analysis
from surveys.results.analysis.groups.row import COMPARE


def analyses() -> tuple[Analysis, ...]:
    """Return the comparison of groups, then the analyses of features.

    All apps have to be ready before.
    """
    return (COMPARE, *extensions.analyses)
