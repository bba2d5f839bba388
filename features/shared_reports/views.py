"""Share: the links under which anyone reads the report of a closed survey."""

from uuid import UUID

from django import forms
from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse

from features.shared_reports import links as report_links
from surveys.accounts.access import Right, require_right, rights
from surveys.models import ReportLink, Survey
from surveys.web.widgets import Line
from surveys.web.workspace.access import survey_page
from surveys.web.workspace.forms import TypedForm


class LinkForm(TypedForm):
    until = forms.Field(
        required=False,
        label="Works until",
        help_text=f"At most {report_links.MOST_DAYS} days. The day ends at midnight UTC.",
        widget=Line(20, type="date"),
    )
    note = forms.Field(
        required=False,
        label="Note (optional)",
        help_text="Only your team sees it, for example “Dean’s office”.",
        widget=Line(maxlength=report_links.NOTE_LENGTH),
    )


@survey_page(Right.SEE)
def links(request: HttpRequest, survey: Survey) -> HttpResponse:
    """POST makes a link, renews one or switches one off; the address of a new one is shown this one time."""
    initial = {"until": report_links.default_until().isoformat()}
    if request.method != "POST":
        return _page(request, survey, LinkForm(initial=initial))
    require_right(request.user, survey, Right.WRITE)
    if "switch_off" in request.POST:
        report_links.switch_off(link=_link(survey, request.POST["switch_off"]), by=request.user)
        messages.success(request, "The link is switched off. It no longer opens the report.")
        return redirect("workspace:share-links", survey.slug)
    if "renew" in request.POST:
        _, secret = report_links.renew(link=_link(survey, request.POST["renew"]), by=request.user)
        return _page(request, survey, LinkForm(initial=initial), secret)
    form = LinkForm(request.POST)
    typed = {name: form.typed(name) for name in form.fields}
    created = form.attempt(report_links.create, survey=survey, by=request.user, **typed)
    if created is None:
        return _page(request, survey, form)
    return _page(request, survey, LinkForm(initial=initial), created[1])


def _link(survey: Survey, pk: str) -> ReportLink:
    try:
        link: ReportLink = get_object_or_404(survey.report_links, pk=UUID(pk))
    except ValueError:
        raise BadRequest("No link has this number.") from None
    return link


def _page(request: HttpRequest, survey: Survey, form: LinkForm, secret: str = "") -> HttpResponse:
    context = {
        "survey": survey,
        "form": form,
        "can_write": Right.WRITE in rights(request.user, survey),
        "not_over": report_links.NOT_OVER,
        "address": request.build_absolute_uri(reverse("report-link", args=[secret]))
        if secret
        else "",
        "links": report_links.active_links(survey),
    }
    response = render(
        request, "shared_reports/links.html", context, status=422 if form.errors else 200
    )
    if secret:
        response["Cache-Control"] = "no-store"
    return response
