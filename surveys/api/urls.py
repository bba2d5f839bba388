from django.urls import path
from drf_spectacular.views import SpectacularAPIView

from surveys.api.problems import nothing
from surveys.api.views import docs, importing, instruments, planning, reports, responses, surveys, tokens
from surveys.export import FILES

SURVEY = "surveys/<slug:slug>/"
app_name = "api"
urlpatterns = [
    path("schema/", SpectacularAPIView.as_view(permission_classes=[], authentication_classes=[]), name="schema"),
    path("docs/", docs.show, name="docs"),
    path("surveys/", surveys.SurveyList.as_view(), name="surveys"),
    path(SURVEY, surveys.SurveyDetail.as_view(), name="survey"),
    path(f"{SURVEY}publish/", surveys.Publish.as_view(), name="publish"),
    path(f"{SURVEY}pause/", surveys.Pause.as_view(), name="pause"),
    path(f"{SURVEY}close/", surveys.Close.as_view(), name="close"),
    path(f"{SURVEY}reopen/", surveys.Reopen.as_view(), name="reopen"),
    path(f"{SURVEY}duplicate/", surveys.Duplicate.as_view(), name="duplicate"),
    path(f"{SURVEY}instrument/", instruments.InstrumentOfSurvey.as_view(), name="instrument"),
    path(f"{SURVEY}report/", reports.Report.as_view(), name="report"),
    path(f"{SURVEY}tallies/", reports.Tallies.as_view(), name="tallies"),
    *(
        path(f"{SURVEY}export/{file.name}", responses.Export.as_view(), {"name": file.name}, name=file.name)
        for file in FILES
    ),
    path("instruments/<slug:sha256>/", instruments.InstrumentByHash.as_view(), name="instrument-by-hash"),
    path("xlsform/", importing.XLSForm.as_view(), name="xlsform"),
    path("planning/", planning.Planning.as_view(), name="planning"),
    path("simulation/", planning.Simulation.as_view(), name="simulation"),
    path("tokens/", tokens.Tokens.as_view(), name="tokens"),
    path("tokens/<uuid:pk>/", tokens.TokenDetail.as_view(), name="token"),
    path("<path:rest>", nothing),
]
