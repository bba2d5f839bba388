from django.urls import path

from features.text_candidates import api as candidates_api, lesson, views
from surveys.web.api.tasks import RESULTS, task

QUESTION = "<slug:slug>/report/<slug:key>/"
QUESTION_BY_PROGRAM = f"surveys/{QUESTION}"

workspace = [
    path(f"{QUESTION}candidates/", views.candidates, name="report-candidates"),
    path(f"{QUESTION}candidates.csv", views.table, name="report-candidates-table"),
]
api = task(
    RESULTS,
    path(
        f"{QUESTION_BY_PROGRAM}candidates/", candidates_api.Candidates.as_view(), name="candidates"
    ),
    path(
        f"{QUESTION_BY_PROGRAM}candidates.csv",
        candidates_api.CandidatesTable.as_view(),
        name="candidates-table",
    ),
)
site = [path("learn/rappor/", lesson.rappor, name="learn-rappor")]
