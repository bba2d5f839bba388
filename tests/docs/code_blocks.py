"""The programs that stand in a page of docs/, as text."""

import re
from pathlib import Path

DOCS = Path(__file__).resolve().parents[2] / "docs"


def program(page: str, language: str) -> str:
    """Everything in that language, from top to bottom, as one program."""
    return "\n".join(re.findall(rf"```{language}\n(.*?)```", (DOCS / page).read_text(), re.DOTALL))
