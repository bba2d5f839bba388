from django.urls import path

from surveys.export import earlier_names, files as all_files
from surveys.export.formats import GONE
from surveys.extensions import feature_urls
from surveys.results.analysis.analyses import analyses as all_analyses
from surveys.results.analysis.analysis import FORMS as FORMS_OF_ANALYSES
from surveys.web.api.problems import nothing
from surveys.web.api.tasks import CHECK, DOWNLOAD, PUBLISH, RESULTS, TEAM, WRITE, task
from surveys.web.api.views import (
    designs,
    docs,
    draft_review,
    export,
    history,
    instrument,
    lifecycle,
    link,
    protection,
    responses,
    schema_view,
    survey_files,
    surveys,
    team,
    tokens,
)
from surveys.web.api.views.lifecycle import STEPS
from surveys.web.api.views.report import analyses, files, groups, on_request, report

SURVEY = "surveys/<slug:slug>/"
REPORT = f"{SURVEY}report/"
QUESTION = f"{REPORT}<slug:key>/"
app_name = "api"
urlpatterns = [
    path("schema/", schema_view.Schema.as_view(), name="schema"),
    path("docs/", docs.show, name="docs"),
    *task(
        WRITE,
        path("surveys/", surveys.SurveyList.as_view(), name="surveys"),
        path(SURVEY, surveys.SurveyDetail.as_view(), name="survey"),
        path("designs/", designs.Designs.as_view(), name="designs"),
        path("files/", survey_files.Files.as_view(), name="files"),
        path(f"{SURVEY}file/", survey_files.FileOfSurvey.as_view(), name="file"),
    ),
    *task(
        CHECK,
        path(f"{SURVEY}preview/", draft_review.Preview.as_view(), name="preview"),
        path(f"{SURVEY}protection/", protection.ProtectionOfSurvey.as_view(), name="protection"),
    ),
    *task(
        PUBLISH,
        *(
            path(f"{SURVEY}{step.name}/", lifecycle.TakeStep.as_view(step=step), name=step.name)
            for step in STEPS
        ),
        path(f"{SURVEY}schedule/", link.Schedule.as_view(), name="schedule"),
        path(f"{SURVEY}link/", link.Link.as_view(), name="link"),
        *(
            path(f"{SURVEY}qr.{form}", link.QRCode.as_view(form=form), name=f"qr-{form}")
            for form in link.QR_CODES
        ),
        path(f"{SURVEY}count/", link.Progress.as_view(), name="count"),
        path(f"{SURVEY}instrument/", instrument.InstrumentOfSurvey.as_view(), name="instrument"),
        path(
            "instruments/<slug:sha256>/",
            instrument.InstrumentByHash.as_view(),
            name="instrument-by-hash",
        ),
    ),
    *task(
        RESULTS,
        path(REPORT, report.Report.as_view(), name="report"),
        path(f"{REPORT}shares.csv", files.Shares.as_view(), name="shares"),
        path(f"{REPORT}methods.txt", files.Methods.as_view(), name="methods"),
        *(
            path(
                f"{REPORT}{each.name}/",
                analyses.AnalysisOfSurvey.as_view(analysis=each),
                name=each.name,
            )
            for each in all_analyses()
        ),
        *(
            path(
                f"{REPORT}{each.name}.{form}",
                analyses.FileOfAnalysis.as_view(analysis=each, form=form),
                name=f"{each.name}-{form}",
            )
            for each in all_analyses()
            for form in FORMS_OF_ANALYSES
        ),
        path(f"{REPORT}groups/", groups.GroupsOfSurvey.as_view(), name="groups"),
        path(f"{REPORT}groups.csv", groups.GroupsTable.as_view(), name="groups-table"),
        *(
            path(
                f"{QUESTION}groups.{form}",
                groups.GroupsFigure.as_view(form=form),
                name=f"groups-{form}",
            )
            for form in ("svg", "png")
        ),
        path(f"{QUESTION}readings/", on_request.ReadingsOfQuestion.as_view(), name="readings"),
        path(f"{REPORT}quality/", files.QualityOfSurvey.as_view(), name="quality"),
        *(
            path(
                f"{QUESTION}{drawing}.{form}",
                files.Figure.as_view(drawing=drawing, form=form),
                name=f"{drawing}-{form}",
            )
            for drawing in files.FIGURES
            for form in ("svg", "png")
        ),
        path(f"{SURVEY}tallies/", report.Tallies.as_view(), name="tallies"),
    ),
    *task(
        DOWNLOAD,
        path(f"{SURVEY}export/", export.Exports.as_view(), name="exports"),
        *(
            path(f"{SURVEY}export/{file.name}", responses.Export.as_view(file=file), name=file.name)
            for file in all_files()
        ),
    ),
    *(
        path(
            f"{SURVEY}export/{each.name}",
            responses.Export.as_view(file=each, schema=None),
            name=each.name,
        )
        for each in earlier_names()
    ),
    *(
        path(
            f"{SURVEY}export/{name}", responses.GoneFile.as_view(name=name, schema=None), name=name
        )
        for name in GONE
    ),
    *task(
        TEAM,
        path(f"{SURVEY}team/", team.Team.as_view(), name="team"),
        path(f"{SURVEY}team/invitations/", team.Invite.as_view(), name="invite"),
        path(f"{SURVEY}team/invitations/<uuid:pk>/", team.Withdraw.as_view(), name="withdraw"),
        path(f"{SURVEY}team/<uuid:pk>/", team.Member.as_view(), name="member"),
        path(f"{SURVEY}team/<uuid:pk>/transfer/", team.Transfer.as_view(), name="transfer"),
        path("join/<str:secret>/", team.Join.as_view(), name="join"),
        path(f"{SURVEY}history/", history.History.as_view(), name="history"),
        path("tokens/", tokens.Tokens.as_view(), name="tokens"),
        path("tokens/<uuid:pk>/", tokens.TokenDetail.as_view(), name="token"),
    ),
    *feature_urls("api"),
    path("<path:rest>", nothing),
]
