from django.urls import path

from surveys.api.problems import nothing
from surveys.api.views import (
    docs,
    drafts,
    ethics,
    exports,
    history,
    imports,
    instruments,
    languages,
    planning,
    publicity,
    readings,
    rehearsing,
    report_files,
    report_groups,
    report_model,
    report_relations,
    reports,
    responses,
    schema,
    sharing,
    simulation,
    starting,
    steps,
    surveys,
    team,
    telling,
    tokens,
    webhooks,
    xlsform,
)
from surveys.export import FILES

SURVEY = "surveys/<slug:slug>/"
QUESTION = f"{SURVEY}report/<slug:key>/"
app_name = "api"
urlpatterns = [
    path("schema/", schema.Schema.as_view(), name="schema"),
    path("docs/", docs.show, name="docs"),
    path("surveys/", surveys.SurveyList.as_view(), name="surveys"),
    path(SURVEY, surveys.SurveyDetail.as_view(), name="survey"),
    path(f"{SURVEY}file/", starting.FileOfSurvey.as_view(), name="file"),
    path(f"{SURVEY}languages/", languages.Languages.as_view(), name="languages"),
    path(f"{SURVEY}texts.csv", languages.TextsTable.as_view(), name="texts-table"),
    path(f"{SURVEY}xlsform/", xlsform.FormOfSurvey.as_view(), name="survey-xlsform"),
    path(f"{SURVEY}preview/", drafts.Preview.as_view(), name="preview"),
    path(f"{SURVEY}budget/", drafts.Budget.as_view(), name="budget"),
    path(f"{SURVEY}rehearsal/", rehearsing.Rehearsal.as_view(), name="rehearsal"),
    path(f"{SURVEY}publish/", steps.Publish.as_view(), name="publish"),
    path(f"{SURVEY}prepare/", steps.Prepare.as_view(), name="prepare"),
    path(f"{SURVEY}pause/", steps.Pause.as_view(), name="pause"),
    path(f"{SURVEY}close/", steps.Close.as_view(), name="close"),
    path(f"{SURVEY}reopen/", steps.Reopen.as_view(), name="reopen"),
    path(f"{SURVEY}archive/", steps.Archive.as_view(), name="archive"),
    path(f"{SURVEY}unarchive/", steps.Unarchive.as_view(), name="unarchive"),
    path(f"{SURVEY}destroy/", steps.Destroy.as_view(), name="destroy"),
    path(f"{SURVEY}duplicate/", steps.Duplicate.as_view(), name="duplicate"),
    path(f"{SURVEY}version/", steps.NewVersion.as_view(), name="version"),
    path(f"{SURVEY}schedule/", sharing.Schedule.as_view(), name="schedule"),
    path(f"{SURVEY}ethics/", ethics.Ethics.as_view(), name="ethics"),
    path(f"{SURVEY}sender/", telling.Sender.as_view(), name="sender"),
    path(f"{SURVEY}logo/", telling.Logo.as_view(), name="logo"),
    path(f"{SURVEY}data-protection/", telling.DataProtection.as_view(), name="data-protection"),
    path(f"{SURVEY}public/", publicity.Public.as_view(), name="public"),
    path(f"{SURVEY}link/", sharing.Link.as_view(), name="link"),
    path(f"{SURVEY}qr.svg", sharing.QRCode.as_view(), name="qr"),
    path(f"{SURVEY}qr.png", sharing.QRCodePicture.as_view(), name="qr-png"),
    path(f"{SURVEY}count/", sharing.Progress.as_view(), name="count"),
    path(f"{SURVEY}history/", history.History.as_view(), name="history"),
    path(f"{SURVEY}team/", team.Team.as_view(), name="team"),
    path(f"{SURVEY}team/invitations/", team.Invite.as_view(), name="invite"),
    path(f"{SURVEY}team/invitations/<uuid:pk>/", team.Withdraw.as_view(), name="withdraw"),
    path(f"{SURVEY}team/<uuid:pk>/", team.Member.as_view(), name="member"),
    path(f"{SURVEY}team/<uuid:pk>/transfer/", team.Transfer.as_view(), name="transfer"),
    path(f"{SURVEY}webhooks/", webhooks.Webhooks.as_view(), name="webhooks"),
    path(f"{SURVEY}webhooks/<uuid:webhook>/", webhooks.WebhookDetail.as_view(), name="webhook"),
    path(f"{SURVEY}webhooks/<uuid:webhook>/ping/", webhooks.Ping.as_view(), name="ping"),
    path(f"{SURVEY}webhooks/<uuid:webhook>/deliveries/", webhooks.Deliveries.as_view(), name="deliveries"),
    path(f"{SURVEY}webhooks/<uuid:webhook>/deliveries/<uuid:delivery>/again/", webhooks.Again.as_view(), name="again"),
    path("join/<str:secret>/", team.Join.as_view(), name="join"),
    path(f"{SURVEY}imports/", imports.Imports.as_view(), name="imports"),
    path(f"{SURVEY}imports/<uuid:pk>/", imports.ImportDetail.as_view(), name="import"),
    path(f"{SURVEY}imports/<uuid:pk>/parts/<int:number>/", imports.ImportPart.as_view(), name="import-part"),
    path(f"{SURVEY}imports/<uuid:pk>/finish/", imports.FinishImport.as_view(), name="finish-import"),
    path(f"{SURVEY}instrument/", instruments.InstrumentOfSurvey.as_view(), name="instrument"),
    path(f"{SURVEY}report/", reports.Report.as_view(), name="report"),
    path(f"{SURVEY}report/shares.csv", report_files.Shares.as_view(), name="shares"),
    path(f"{SURVEY}report/methods.txt", report_files.Methods.as_view(), name="methods"),
    path(f"{SURVEY}report/model/", report_model.ModelView.as_view(), name="model"),
    path(f"{SURVEY}report/table/", report_relations.Table.as_view(), name="table"),
    path(f"{SURVEY}report/weighted/", report_relations.WeightedShares.as_view(), name="weighted"),
    *(
        path(f"{SURVEY}report/{name}.{form}", view.as_view(), {"form": form}, name=f"{name}-{form}")
        for name, view in (
            ("model", report_model.ModelFiles),
            ("compare", report_relations.ComparedFiles),
            ("table", report_relations.TableFiles),
            ("weighted", report_relations.WeightedFiles),
        )
        for form in ("csv", "svg", "png", "txt")
    ),
    path(f"{SURVEY}report/groups/", report_groups.Groups.as_view(), name="groups"),
    path(f"{SURVEY}report/groups.csv", report_groups.GroupsTable.as_view(), name="groups-table"),
    *(
        path(f"{QUESTION}groups.{form}", report_groups.GroupsFigure.as_view(), {"form": form}, name=f"groups-{form}")
        for form in ("svg", "png")
    ),
    path(f"{QUESTION}readings/", readings.Readings.as_view(), name="readings"),
    path(f"{SURVEY}report/quality/", report_files.Quality.as_view(), name="quality"),
    *(
        path(
            f"{QUESTION}{drawing}.{form}",
            report_files.Figure.as_view(),
            {"drawing": drawing, "form": form},
            name=f"{drawing}-{form}",
        )
        for drawing in report_files.FIGURES
        for form in ("svg", "png")
    ),
    path(f"{SURVEY}tallies/", reports.Tallies.as_view(), name="tallies"),
    path(f"{SURVEY}export/", exports.Exports.as_view(), name="exports"),
    *(
        path(f"{SURVEY}export/{file.name}", responses.Export.as_view(), {"name": file.name}, name=file.name)
        for file in FILES
    ),
    path("instruments/<slug:sha256>/", instruments.InstrumentByHash.as_view(), name="instrument-by-hash"),
    path("ready/", starting.ReadyInstruments.as_view(), name="ready"),
    path("ready/<slug:key>/", starting.StartReady.as_view(), name="start-ready"),
    path("files/", starting.Files.as_view(), name="files"),
    path("xlsform/", xlsform.XLSForm.as_view(), name="xlsform"),
    path("planning/", planning.Planning.as_view(), name="planning"),
    path("simulation/", simulation.Simulation.as_view(), name="simulation"),
    path("trusted-server/", rehearsing.TrustedServer.as_view(), name="trusted-server"),
    path("tokens/", tokens.Tokens.as_view(), name="tokens"),
    path("tokens/<uuid:pk>/", tokens.TokenDetail.as_view(), name="token"),
    path("<path:rest>", nothing),
]
