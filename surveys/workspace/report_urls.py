"""What stands below the report's address."""

from django.urls import path

from surveys.workspace import reports

ROOT = "<slug:slug>/report/"
QUESTION = f"{ROOT}<slug:key>/"
routes = [
    path(ROOT, reports.report, name="report"),
    path(f"{ROOT}shares.csv", reports.table, name="report-table"),
    path(f"{ROOT}methods.txt", reports.methods_text, name="report-methods"),
    path(f"{ROOT}quality/", reports.check, name="report-quality"),
    path(f"{ROOT}quality.csv", reports.checks_table, name="report-quality-table"),
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
