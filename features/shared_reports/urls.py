from django.urls import path

from features.shared_reports import api as links_api, link_page, public_page, publication_api, views
from surveys.web.api.tasks import PUBLISH, RESULTS, task
from surveys.web.workspace.old_addresses import old_address

SURVEY = "surveys/<slug:slug>/"
LINKS = f"{SURVEY}report/links/"

workspace = [
    path("<slug:slug>/report/links/", views.links, name="share-links"),
    old_address("public/", "settings", "results"),
]
api = [
    *task(PUBLISH, path(f"{SURVEY}public/", publication_api.Public.as_view(), name="public")),
    *task(
        RESULTS,
        path(LINKS, links_api.ReportLinks.as_view(), name="report-links"),
        path(f"{LINKS}<uuid:pk>/", links_api.ReportLinkDetail.as_view(), name="report-link"),
        path(
            f"{LINKS}<uuid:pk>/renew/",
            links_api.RenewReportLink.as_view(),
            name="renew-report-link",
        ),
    ),
]
site = [
    path("r/link/<str:secret>/", link_page.page, name="report-link"),
    path("r/link/<path:rest>", link_page.ended),
    path("r/<slug:slug>/", public_page.page, name="results"),
    path("r/<slug:slug>/results.json", public_page.numbers, name="results-numbers"),
    path("r/<slug:slug>/<slug:key>.svg", public_page.figure, name="results-figure"),
]
