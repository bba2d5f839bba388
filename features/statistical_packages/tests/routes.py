"""The addresses of files for statistical packages, and who may download them."""

from surveys.accounts.access import Right
from tests.whole_site.route_rules import export_rules

RULES = {
    **export_rules(
        ("responses.sav", "responses.dta", "responses.parquet", "responses-packed.parquet"),
        Right.ROWS,
    ),
    **export_rules(
        (
            "codebook.xml",
            "analysis.R",
            "import.R",
            "import_responses.py",
            "import.sps",
            "import.do",
        ),
        Right.REPORT,
    ),
}
