"""The card of the page of files that names the files for each program."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest

from surveys.models import Survey


@dataclass(frozen=True)
class Program:
    """A program for statistics: the file that it reads, and the scripts that prepare and compute."""

    name: str
    file: str
    scripts: tuple[str, ...] = ()


PROGRAMS = (
    Program("SPSS", "responses.sav"),
    Program("Stata", "responses.dta"),
    Program("R", "responses.csv", ("import.R", "analysis.R")),
    Program("Python", "responses.csv", ("import_responses.py",)),
    Program("SPSS from CSV", "responses.csv", ("import.sps",)),
    Program("Stata from CSV", "responses.csv", ("import.do",)),
)


def card_context(request: HttpRequest, survey: Survey | None) -> dict[str, Any]:
    """Return the programs. The template leaves out those whose file is not offered."""
    return {"programs": PROGRAMS}
