from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.urls import include, path
from django.views.decorators.csrf import csrf_exempt
from django.views.generic import RedirectView

from surveys.extensions import feature_urls
from surveys.operation.probes import PROBES
from surveys.web.account import login, provider
from surveys.web.api.views import Responses, problem_kinds
from surveys.web.respondent import brand, trust
from surveys.web.respondent.pages import help_lines, leave, missing_page, tickets
from surveys.web.respondent.submission import submit
from surveys.web.respondent.tickets import issue_ticket


@csrf_exempt
def responses(request: HttpRequest, slug: str) -> HttpResponse:
    """One address, two doors: respondents' pages post here, researchers' programs read."""
    door = submit if request.method == "POST" else Responses.as_view()
    return door(request, slug=slug)


handler400, handler403, handler404, handler500 = (
    f"surveys.web.errors.{name}" for name in ("bad_request", "forbidden", "not_found", "failed")
)
responses.cls, responses.initkwargs = Responses, {}  # lets the schema find the door that reads

urlpatterns = [
    *feature_urls("site"),
    path("", RedirectView.as_view(pattern_name="workspace:surveys"), name="home"),
    *(path(name, view, name=name) for name, view in PROBES.items()),
    path("s/", include("surveys.web.respondent.urls")),
    path("i/<slug:slug>/", tickets, name="take-ticket"),
    path("i/<path:rest>/", missing_page),
    path("brand/<slug:sha256>.png", brand.logo, name="logo"),
    path("leave/", leave, name="leave"),
    path("help/<slug:slug>/", help_lines, name="help-lines"),
    path("trust/", trust.trust, name="trust"),
    path("trust/<slug:slug>/", trust.trust, name="trust-survey"),
    path("login/", login.Login.as_view(), name="login"),
    path("login/provider/", provider.go, name="provider"),
    path("login/provider/back/", provider.back, name="provider-back"),
    path("logout/", login.Logout.as_view(), name="logout"),
    path("account/", include("surveys.web.account.urls")),
    path("surveys/", include("surveys.web.workspace.urls")),
    path("problems/", problem_kinds.index, name="problems"),
    path("problems/<slug:name>", problem_kinds.show, name="problem"),
    path("api/v1/surveys/<slug:slug>/responses/", responses, name="responses"),
    path("api/v1/surveys/<slug:slug>/tickets/", issue_ticket, name="tickets"),
    path("api/v1/", include("surveys.web.api.urls")),
    path("admin/login/", login.admin_login),
    path("admin/", admin.site.urls),
]
