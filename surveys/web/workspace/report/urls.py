"""What stands below the report's address."""

from django.urls import path

from surveys.web.workspace.report import report

ROOT = "<slug:slug>/report/"
QUESTION = f"{ROOT}<slug:key>/"
routes = [
    path(ROOT, report.report, name="report"),
    path(f"{ROOT}shares.csv", report.table, name="report-table"),
    path(f"{ROOT}methods.txt", report.methods_text, name="report-methods"),
    path(f"{ROOT}quality/", report.check, name="report-quality"),
    path(f"{ROOT}quality.csv", report.checks_table, name="report-quality-table"),
    path(f"{QUESTION}details/", report.question_details, name="report-details"),
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
