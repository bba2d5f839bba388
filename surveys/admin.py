"""Operators look, and help people back in; what was frozen or sent cannot be changed here either."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html

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


class LookOnly(admin.ModelAdmin):
    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


@admin.register(Survey)
class SurveyAdmin(LookOnly):
    list_display = ["title", "owner", "status", "created", "report"]
    list_filter = ["status"]
    list_select_related = ["owner"]
    search_fields = ["title", "slug"]

    @admin.display(description="report")
    def report(self, survey: Survey) -> str:
        if survey.is_draft:
            return "–"
        return format_html('<a href="{}">Report</a>', reverse("workspace:report", args=[survey.slug]))


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
        return format_html('<a href="{}">Report</a>', reverse("workspace:report", args=[instrument.survey.slug]))


@admin.register(AccessToken)
class AccessTokenAdmin(LookOnly):
    list_display = ["name", "user", "created"]
    list_select_related = ["user"]

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return admin.ModelAdmin.has_delete_permission(self, request, obj)


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
    list_display = ["when", "survey", "name", "what", "detail"]
    list_select_related = ["survey"]
    list_filter = ["what"]
