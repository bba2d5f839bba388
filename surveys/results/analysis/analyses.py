"""The analyses there are, in their order on the page. Page, API, files and documentation are made of this list."""

from surveys import extensions
from surveys.results.analysis.analysis import Analysis
from surveys.results.analysis.groups.row import COMPARE


def analyses() -> tuple[Analysis, ...]:
    """Return the comparison of groups, then the analyses of features. Not to be called before all apps are ready."""
    return (COMPARE, *extensions.analyses)
