"""Operators look, and help people back in; what was frozen or sent cannot be changed here either."""

from dataclasses import dataclass

from django import forms
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import AdminPasswordChangeForm
from django.contrib.auth.models import AbstractBaseUser, User
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html

from surveys.accounts import account, tokens
from surveys.models import (
    AccessToken,
    Choice,
    Event,
    Instrument,
    Invitation,
    Membership,
    Question,
    Survey,
)
from surveys.results.estimates.question_report import QuestionReport
from surveys.results.estimates.report import report as make_report
from surveys.results.report.headlines import finding
from surveys.site.number_format import epsilon_in_view, format_count


class PasswordForm(AdminPasswordChangeForm):
    """A new password ends the person's sessions by itself; tokens only if the operator says so."""

    end_tokens = forms.BooleanField(
        required=False, label="Revoke all API tokens of this person too"
    )

    def save(self, commit: bool = True) -> AbstractBaseUser:
        user = super().save(commit)
        if self.cleaned_data["end_tokens"]:
            tokens.revoke_all(user)
        return user


admin.site.unregister(User)


@admin.register(User)
class AccountAdmin(UserAdmin):
    change_password_form = PasswordForm
    change_user_password_template = "admin/set_password.html"  # noqa: S105 (a template)
    # It is part of the id of the account in the journal of removals.
    readonly_fields = ("date_joined",)

    def delete_model(self, request: HttpRequest, obj: AbstractBaseUser) -> None:
        account.delete_account(obj)

    @transaction.atomic
    def delete_queryset(self, request: HttpRequest, queryset: QuerySet) -> None:
        for user in queryset:
            account.delete_account(user)


class LookOnly(admin.ModelAdmin):
    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


@dataclass(frozen=True)
class EstimateLine:
    """What the page of a survey says of one sensitive question, in the words of its report."""

    text: str
    headline: str
    n: str
    range: str
    loss: str


def estimate_lines(survey: Survey) -> list[EstimateLine]:
    """Of what is released, as readers without row access get it. Background answers, which may show groups, are left
    out: the report has them.
    """
    if survey.is_draft:
        return []
    questions = make_report(survey.instrument).questions
    return [_estimate_line(question) for question in questions if question.epsilon is not None]


def _estimate_line(question: QuestionReport) -> EstimateLine:
    result = finding(question)
    ranges = [f"{bar.label}: {bar.range}" for bar in result.bars if bar.range]
    return EstimateLine(
        text=question.text,
        headline=result.headline,
        n=format_count(question.n) if question.basis else "",
        range=result.range or "; ".join(ranges),
        loss=f"privacy loss ε = {epsilon_in_view(question.epsilon, 2)}",
    )


@admin.register(Survey)
class SurveyAdmin(LookOnly):
    list_display = ["title", "owner", "status", "created", "report"]
    list_filter = ["status"]
    list_select_related = ["owner"]
    search_fields = ["title", "slug"]
    readonly_fields = ["report", "estimates"]

    def get_fields(self, request: HttpRequest, obj: Survey | None = None) -> list[str]:
        """The results first, above what the survey is made of."""
        return sorted(
            super().get_fields(request, obj), key=lambda name: name not in self.readonly_fields
        )

    @admin.display(description="estimates")
    def estimates(self, survey: Survey) -> str:
        return render_to_string("admin/estimates.html", {"lines": estimate_lines(survey)}) or "–"

    @admin.display(description="report")
    def report(self, survey: Survey) -> str:
        if survey.is_draft:
            return "–"
        return format_html(
            '<a href="{}">Report</a>', reverse("workspace:report", args=[survey.slug])
        )


@admin.register(Question)
class QuestionAdmin(LookOnly):
    list_display = ["text", "survey", "kind", "design"]
    list_select_related = ["survey"]


@admin.register(Choice)
class ChoiceAdmin(LookOnly):
    list_display = ["label", "question"]
    list_select_related = ["question"]


@admin.register(Instrument)
class InstrumentAdmin(LookOnly):
    list_display = ["survey", "sha256", "report"]
    list_select_related = ["survey"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Instrument]:
        return super().get_queryset(request).defer("content", "tally")

    @admin.display(description="report")
    def report(self, instrument: Instrument) -> str:
        return format_html(
            '<a href="{}">Report</a>', reverse("workspace:report", args=[instrument.survey.slug])
        )


@admin.register(AccessToken)
class AccessTokenAdmin(LookOnly):
    list_display = ["name", "user", "created"]
    list_select_related = ["user"]

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return admin.ModelAdmin.has_delete_permission(self, request, obj)

    def delete_model(self, request: HttpRequest, obj: AccessToken) -> None:
        tokens.delete_tokens(AccessToken.objects.filter(pk=obj.pk))

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet) -> None:
        tokens.delete_tokens(queryset)


@admin.register(Membership)
class MembershipAdmin(LookOnly):
    list_display = ["survey", "user", "role"]
    list_select_related = ["survey", "user"]
    list_filter = ["role"]

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Or nobody who is in a team could ever be deleted."""
        return admin.ModelAdmin.has_delete_permission(self, request, obj)


@admin.register(Invitation)
class InvitationAdmin(LookOnly):
    list_display = ["survey", "role", "expires"]
    list_select_related = ["survey"]


@admin.register(Event)
class EventAdmin(LookOnly):
    list_display = ["when_in_utc", "survey", "name", "what", "detail"]
    list_select_related = ["survey"]
    list_filter = ["what"]

    @admin.display(description="when (UTC)", ordering="when")
    def when_in_utc(self, event: Event) -> str:
        return f"{event.when:%Y-%m-%d %H:%M}"
