"""What stands below the report's address."""

from django.urls import path

from features.shared_reports import views as links
from features.text_candidates import views as candidates
from features.trend import views as trend
from surveys.results.analysis.analysis import FORMS
from surveys.web.workspace.analysis import page
from surveys.web.workspace.analysis.page import PAGE
from surveys.web.workspace.report import report

ROOT = "<slug:slug>/report/"
EARLIER = "<slug:slug>/compare/earlier/"
QUESTION = f"{ROOT}<slug:key>/"
routes = [
    path(ROOT, report.report, name="report"),
    path(f"{ROOT}shares.csv", report.table, name="report-table"),
    path(f"{ROOT}methods.txt", report.methods_text, name="report-methods"),
    path(f"{ROOT}links/", links.links, name="share-links"),
    path(f"{ROOT}quality/", report.check, name="report-quality"),
    path(f"{ROOT}quality.csv", report.checks_table, name="report-quality-table"),
    *(
        path(
            f"{ROOT}{each.name}.{form}",
            page.file_of,
            {"what": each.name, "form": form},
            name=f"report-{each.name}-{form}",
        )
        for each in PAGE
        for form in FORMS
    ),
    path(EARLIER, trend.earlier, name="compare-earlier"),
    *(
        path(f"{EARLIER}changes.{form}", trend.download, {"form": form}, name=f"compare-earlier-{form}")
        for form in ("csv", "svg")
    ),
    path(f"{QUESTION}details/", report.question_details, name="report-details"),
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
