from django.urls import path

from surveys.exchange.export import FILES
from surveys.web.api.problems import nothing
from surveys.web.api.views import designs, docs, history, planning, responses, surveys, team, tokens, webhooks, xlsform
from surveys.web.api.views import draft_review as drafts
from surveys.web.api.views import ethics_board as ethics
from surveys.web.api.views import export as exports
from surveys.web.api.views import importing as imports
from surveys.web.api.views import instrument as instruments
from surveys.web.api.views import invitations as tickets
from surveys.web.api.views import lifecycle as steps
from surveys.web.api.views import link as sharing
from surveys.web.api.views import publication as publicity
from surveys.web.api.views import question_simulation as simulation
from surveys.web.api.views import schema_view as schema
from surveys.web.api.views import sender as telling
from surveys.web.api.views import simulation as rehearsing
from surveys.web.api.views import survey_files as starting
from surveys.web.api.views import translations as languages
from surveys.web.api.views.report import candidates
from surveys.web.api.views.report import files as report_files
from surveys.web.api.views.report import groups as report_groups
from surveys.web.api.views.report import model as report_model
from surveys.web.api.views.report import on_request as readings
from surveys.web.api.views.report import relations as report_relations
from surveys.web.api.views.report import report as reports

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
    path(f"{SURVEY}steps/", tickets.Steps.as_view(), name="steps"),
    path(f"{SURVEY}invitees/", tickets.Invitees.as_view(), name="invitees"),
    path(f"{SURVEY}invitees/links.csv", tickets.InviteLinks.as_view(), name="invite-links"),
    path(f"{SURVEY}invitees/mail/", tickets.InviteMail.as_view(), name="invite-mail"),
    path(f"{SURVEY}invitees/remind/", tickets.Remind.as_view(), name="remind"),
    path(f"{SURVEY}invitees/<uuid:pk>/", tickets.InviteeDetail.as_view(), name="invitee"),
    path(f"{SURVEY}invitees/<uuid:pk>/replace/", tickets.Replace.as_view(), name="replace"),
    path(f"{SURVEY}finish/", tickets.FinishTickets.as_view(), name="finish"),
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
        path(f"{SURVEY}report/{name}.{form}", view.as_view(form=form), name=f"{name}-{form}")
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
        path(f"{QUESTION}groups.{form}", report_groups.GroupsFigure.as_view(form=form), name=f"groups-{form}")
        for form in ("svg", "png")
    ),
    path(f"{QUESTION}candidates/", candidates.Candidates.as_view(), name="candidates"),
    path(f"{QUESTION}candidates.csv", candidates.CandidatesTable.as_view(), name="candidates-table"),
    path(f"{QUESTION}readings/", readings.Readings.as_view(), name="readings"),
    path(f"{SURVEY}report/quality/", report_files.Quality.as_view(), name="quality"),
    *(
        path(
            f"{QUESTION}{drawing}.{form}",
            report_files.Figure.as_view(drawing=drawing, form=form),
            name=f"{drawing}-{form}",
        )
        for drawing in report_files.FIGURES
        for form in ("svg", "png")
    ),
    path(f"{SURVEY}tallies/", reports.Tallies.as_view(), name="tallies"),
    path(f"{SURVEY}export/", exports.Exports.as_view(), name="exports"),
    *(path(f"{SURVEY}export/{file.name}", responses.Export.as_view(file=file), name=file.name) for file in FILES),
    path("instruments/<slug:sha256>/", instruments.InstrumentByHash.as_view(), name="instrument-by-hash"),
    path("designs/", designs.Designs.as_view(), name="designs"),
    path("ready/", starting.ReadyInstruments.as_view(), name="ready"),
    path("ready/<slug:key>/", starting.ReadyInstrument.as_view(), name="ready-instrument"),
    path("files/", starting.Files.as_view(), name="files"),
    path("xlsform/", xlsform.XLSForm.as_view(), name="xlsform"),
    path("planning/", planning.Planning.as_view(), name="planning"),
    path("simulation/", simulation.Simulation.as_view(), name="simulation"),
    path("trusted-server/", rehearsing.TrustedServer.as_view(), name="trusted-server"),
    path("tokens/", tokens.Tokens.as_view(), name="tokens"),
    path("tokens/<uuid:pk>/", tokens.TokenDetail.as_view(), name="token"),
    path("<path:rest>", nothing),
]
