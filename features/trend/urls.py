from django.urls import path

from features.trend import api as trend_api, views
from surveys.web.api.tasks import RESULTS, task

EARLIER = "<slug:slug>/compare/earlier/"
REPORT = "surveys/<slug:slug>/report/"

workspace = [
    path(EARLIER, views.earlier, name="compare-earlier"),
    path(f"{EARLIER}changes.csv", views.download, {"form": "csv"}, name="compare-earlier-csv"),
    path(f"{EARLIER}changes.svg", views.download, {"form": "svg"}, name="compare-earlier-svg"),
]
api = task(
    RESULTS,
    path(f"{REPORT}trend/", trend_api.TrendOfSurvey.as_view(), name="trend"),
    path(f"{REPORT}trend.csv", trend_api.TrendTable.as_view(), name="trend-csv"),
    path(f"{REPORT}trend.svg", trend_api.TrendFigure.as_view(), name="trend-svg"),
)
