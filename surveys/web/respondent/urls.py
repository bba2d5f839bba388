"""The addresses of respondents' pages, below /s/."""

from django.urls import path

from surveys.web.respondent import pages

app_name = "answering"
urlpatterns = [
    # The address /s/ itself names no survey.
    path("", pages.missing_page),
    path("<slug:slug>/", pages.survey, name="survey"),
    # The site's own 404 page depends on who is logged in, so it cannot be used here.
    path("<path:rest>/", pages.missing_page),
]
