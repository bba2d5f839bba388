"""What stands below the report's address."""

from django.urls import path

from surveys.results.analysis.analyses import ANALYSES
from surveys.results.analysis.analysis import FORMS
from surveys.web.workspace.analysis import page
from surveys.web.workspace.report import candidates, groups, report

ROOT = "<slug:slug>/report/"
QUESTION = f"{ROOT}<slug:key>/"
routes = [
    path(ROOT, report.report, name="report"),
    path(f"{ROOT}shares.csv", report.table, name="report-table"),
    path(f"{ROOT}methods.txt", report.methods_text, name="report-methods"),
    path(f"{ROOT}quality/", report.check, name="report-quality"),
    path(f"{ROOT}quality.csv", report.checks_table, name="report-quality-table"),
    *(
        path(
            f"{ROOT}{each.name}.{form}",
            page.file_of,
            {"what": each.name, "form": form},
            name=f"report-{each.name}-{form}",
        )
        for each in ANALYSES
        for form in FORMS
    ),
    path(f"{ROOT}groups/", groups.groups, name="report-groups"),
    path(f"{ROOT}groups.csv", groups.table, name="report-groups-table"),
    *(
        path(f"{QUESTION}groups.{form}", groups.figure, {"form": form}, name=f"report-groups-{form}")
        for form in ("svg", "png")
    ),
    path(f"{QUESTION}candidates/", candidates.candidates, name="report-candidates"),
    path(f"{QUESTION}candidates.csv", candidates.table, name="report-candidates-table"),
    path(f"{QUESTION}shares.csv", report.table, name="report-question-table"),
    *(
        path(
            f"{QUESTION}{drawing}.{form}",
            report.figure,
            {"drawing": drawing, "form": form},
            name=f"report-{drawing}-{form}",
        )
        for drawing in ("shares", "likelihood")
        for form in ("svg", "png")
    ),
]
