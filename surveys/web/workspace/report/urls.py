"""What stands below the report's address."""

from django.urls import path

from surveys.web.workspace.analysis import page
from surveys.web.workspace.analysis.sections import SECTIONS
from surveys.web.workspace.report import candidates as report_candidates
from surveys.web.workspace.report import groups as report_groups
from surveys.web.workspace.report import report as reports

ROOT = "<slug:slug>/report/"
QUESTION = f"{ROOT}<slug:key>/"
routes = [
    path(ROOT, reports.report, name="report"),
    path(f"{ROOT}shares.csv", reports.table, name="report-table"),
    path(f"{ROOT}methods.txt", reports.methods_text, name="report-methods"),
    path(f"{ROOT}quality/", reports.check, name="report-quality"),
    path(f"{ROOT}quality.csv", reports.checks_table, name="report-quality-table"),
    path(f"{ROOT}analysis/", page.analysis, name="report-analysis"),
    *(
        path(f"{ROOT}{each.name}.{form}", view, {"what": each.name} | more, name=f"report-{each.name}-{form}")
        for each in SECTIONS
        for form, view, more in (
            ("csv", page.table, {}),
            *((form, page.figure, {"form": form}) for form in ("svg", "png")),
            ("txt", page.methods_text, {}),
        )
    ),
    path(f"{ROOT}groups/", report_groups.groups, name="report-groups"),
    path(f"{ROOT}groups.csv", report_groups.table, name="report-groups-table"),
    *(
        path(f"{QUESTION}groups.{form}", report_groups.figure, {"form": form}, name=f"report-groups-{form}")
        for form in ("svg", "png")
    ),
    path(f"{QUESTION}candidates/", report_candidates.candidates, name="report-candidates"),
    path(f"{QUESTION}candidates.csv", report_candidates.table, name="report-candidates-table"),
    path(f"{QUESTION}shares.csv", reports.table, name="report-question-table"),
    *(
        path(
            f"{QUESTION}{drawing}.{form}",
            reports.figure,
            {"drawing": drawing, "form": form},
            name=f"report-{drawing}-{form}",
        )
        for drawing in ("shares", "likelihood")
        for form in ("svg", "png")
    ),
]
