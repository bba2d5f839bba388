"""Pages of a survey that asks invited people only: who can answer, whom to invite, links, letters, mails, the end."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from features.invitations import links, mails, outbox, roster
from features.invitations.forms import FinishForm, PeopleForm, TicketsForm
from surveys.accounts.access import Right
from surveys.authoring.drafts.drafts import update_settings
from surveys.authoring.planning.overview import survey_overview
from surveys.authoring.planning.tickets import warnings
from surveys.authoring.planning.uniqueness import uniqueness_of
from surveys.definition.status import require_draft
from surveys.fieldwork.link import qr_code
from surveys.fieldwork.responses.progress import count_received
from surveys.fieldwork.responses.ticket_completion import finish as finish_tickets
from surveys.fieldwork.tickets import invitees
from surveys.models import Invitee, Mail, Survey
from surveys.site.errors import Invalid, Refused
from surveys.web.confirm import confirm
from surveys.web.workspace.access import post_only, survey_page

LETTERS = 200  # on one page for print
FOUND = 20  # people, at most, that a search shows
FINISHES = "These are deleted permanently:"
FINISHED = (
    "The responses, the report and the three numbers stay. You can never reopen the survey: to ask again, make a new "
    "version. Backups keep all of this until the operator deletes them."
)
ONE_MAIL = "1 mail is waiting and will be sent within a few minutes."


@survey_page(Right.WRITE)
def choose(request: HttpRequest, survey: Survey) -> HttpResponse:
    require_draft(survey)
    form, edition = TicketsForm(initial={"tickets": survey.tickets}), survey.edition
    if request.method == "POST":
        form = TicketsForm(request.POST)
        by = {"by": request.user, "edition": form.edition()}
        if saved := form.attempt(
            update_settings, survey=survey, data={"tickets": form.typed("tickets")}, **by
        ):
            messages.success(request, "Who can answer is saved.")
            return redirect(
                "workspace:invite" if saved.tickets else "workspace:survey", survey.slug
            )
        edition = edition if form.non_field_errors() else form.typed("edition")
    context = {"survey": survey, "form": form, "edition": edition}
    return render(
        request, "invitations/invitation_steps.html", context, status=422 if form.errors else 200
    )


@survey_page(Right.INVITE)
@never_cache
def invite(request: HttpRequest, survey: Survey) -> HttpResponse:
    form = PeopleForm(request.POST if request.method == "POST" else None)
    if form.is_bound and (made := _add(request, survey, form)):
        count = len(made)
        messages.success(
            request, "1 person is added." if count == 1 else f"{count:,} people are added."
        )
        return redirect("workspace:invite", survey.slug)
    return _page(request, survey, form)


def _add(request: HttpRequest, survey: Survey, form: PeopleForm) -> list[Invitee] | None:
    """Everything that is wrong stands at its field; the list that was pasted comes back."""
    file, number = request.FILES.get("file"), form.number()
    data = file.read(roster.LARGEST + 1) if file else form.typed("people").encode()
    form.full_clean()
    if number is None or number > invitees.MOST_AT_ONCE:
        form.say("unnamed", f"Write a whole number up to {invitees.MOST_AT_ONCE:,}.")
        return None
    try:
        people = roster.parse_people(data) if data.strip() else []
        asked = {"unnamed": number, "skip": bool(form.typed("skip")), "by": request.user}
        return roster.add(survey, people, **asked)
    except Invalid as wrong:
        for message in wrong.errors.values():
            form.say("file" if file else "people", message)
    return None


def _page(request: HttpRequest, survey: Survey, form: PeopleForm) -> HttpResponse:
    survey.refresh_from_db()
    context = {
        "survey": survey,
        "form": form,
        "counts": invitees.counts(survey),
        "withdrawn": survey.invitees.filter(withdrawn=True).count(),
        "answered": None if survey.is_draft else count_received(survey)["released"],
        "closed_to": _why_not(survey),
        "warnings": _warnings(survey),
        "search": request.GET.get("find", "")[:100],
        **_handing_out(survey, _site(request)),
    }
    context["found"] = _search(survey, context["search"])
    return render(
        request, "invitations/invitations.html", context, status=422 if form.errors else 200
    )


def _warnings(survey: Survey) -> list[tuple[str, str]]:
    """Return what deserves a thought, each in short and as a sentence."""
    seen = survey_overview(survey)
    listed = list(warnings(survey, seen))
    unique = uniqueness_of(survey, seen.background_sizes)
    if survey.tickets and unique is not None and unique.is_expected:
        listed.append((unique.in_short, unique.sentence))
    return listed


def _why_not(survey: Survey) -> str:
    """Why nobody can be added; nothing where people can be, as also in a draft that has not chosen its steps."""
    if survey.is_draft and not survey.tickets and not survey.import_only:
        return ""
    try:
        invitees.require_inviting(survey)
    except Refused as reason:
        return str(reason)
    return ""


def _handing_out(survey: Survey, site: str) -> dict[str, Any]:
    """What there is to give out or send, as far as there is."""
    try:
        links.require_links(survey)
    except Refused as reason:
        return {"no_links": str(reason)}
    fetching = outbox.gives_out(survey)
    return {
        "page": links.page(site, survey),
        "fetching": fetching,
        "has_server": outbox.has_server(),
        "to_invite": outbox.unmailed_invitees(survey).count() if fetching else 0,
        "to_remind": fetching and survey.invitees.filter(mailed=True).exclude(email="").exists(),
        "waiting": outbox.count_queued(survey),
        "delayed": outbox.delayed(survey),
        "set_aside": outbox.set_aside(survey),
        "unsent_after_restore": outbox.has_unsent_after_restore(survey),
        "refused": list(outbox.refused_mails(survey).select_related("invitee")[:FOUND]),
        "may_mail": not survey.is_over,
    }


def _search(survey: Survey, text: str) -> list[Invitee]:
    """Some whose label or address has this text. Whether they took a ticket, or answered, is not shown."""
    if not text.strip():
        return []
    asked = Q(label__icontains=text.strip()) | Q(email__icontains=text.strip())
    return list(links.invited_people(survey).filter(asked)[:FOUND])


@survey_page(Right.INVITE)
@require_safe
@never_cache
def table(request: HttpRequest, survey: Survey) -> HttpResponse:
    response = HttpResponse(
        links.as_csv(_site(request), survey), content_type="text/csv; charset=utf-8"
    )
    response["Content-Disposition"] = f'attachment; filename="{survey.slug}-links.csv"'
    return response


@survey_page(Right.INVITE)
@require_safe
@never_cache
def letters(request: HttpRequest, survey: Survey) -> HttpResponse:
    links.require_links(survey)
    return _letters(
        request,
        survey,
        Paginator(links.invited_people(survey), LETTERS).get_page(request.GET.get("page")),
    )


@survey_page(Right.INVITE)
@require_safe
@never_cache
def letter(request: HttpRequest, survey: Survey, pk: UUID) -> HttpResponse:
    """That of one person."""
    links.require_links(survey)
    invitee = get_object_or_404(links.invited_people(survey), pk=pk)
    return _letters(request, survey, Paginator([invitee], 1).get_page(1))


def _letters(request: HttpRequest, survey: Survey, shown: Any) -> HttpResponse:
    site = _site(request)
    context = {
        "survey": survey,
        "shown": shown,
        "page": links.page(site, survey),
        "hash": links.hash_in_short(survey),
        "said": mails.printable_letters(survey),
        # Drawn from the link alone, which holds letters that need no escape.
        "letters": [
            (each, mark_safe(qr_code(each.link).decode()))  # noqa: S308
            for each in links.iter_links(site, shown.object_list, survey)
        ],
    }
    return render(request, "invitations/invitation_letters.html", context)


@survey_page(Right.INVITE)
@post_only
def send(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Invitations, or once more what the mail server refused, or what a restore set aside."""
    if request.POST.get("set_aside") == "discard":
        outbox.discard_set_aside(survey)
        messages.success(
            request, "The invitations were discarded. You can still remind these people."
        )
        return redirect("workspace:invite", survey.slug)
    if "set_aside" in request.POST:
        _say(request, outbox.send_set_aside(survey))
        return redirect("workspace:invite", survey.slug)
    made = (
        outbox.try_again(survey) if "again" in request.POST else outbox.invite(survey, request.user)
    )
    _say(request, made)
    return redirect("workspace:invite", survey.slug)


@survey_page(Right.INVITE)
@post_only
def remind(request: HttpRequest, survey: Survey) -> HttpResponse:
    kind = (
        Mail.Kind.GENERAL if request.POST.get("kind") == Mail.Kind.GENERAL else Mail.Kind.REMINDER
    )
    outbox.remind(survey, kind, request.user)
    whom = "has a ticket" if kind == Mail.Kind.GENERAL else "has no ticket yet"
    messages.success(
        request, f"Everyone with an address who {whom} gets a mail within a few minutes."
    )
    return redirect("workspace:invite", survey.slug)


def _say(request: HttpRequest, made: int) -> None:
    if made:
        messages.success(
            request,
            ONE_MAIL
            if made == 1
            else (f"{made:,} mails are waiting and will be sent within a few minutes."),
        )
    else:
        messages.warning(request, "There is no one to write to.")


@survey_page(Right.INVITE)
@post_only
def replace(request: HttpRequest, survey: Survey, pk: UUID) -> HttpResponse:
    links.require_links(survey)
    new = invitees.replace(get_object_or_404(links.invited_people(survey), pk=pk), request.user)
    sent = outbox.send_replacement(new)
    more = " It is sent by mail within a few minutes." if sent else ""
    messages.success(request, f"This is the new link. The old one no longer works.{more}")
    return redirect("workspace:letter", survey.slug, pk)


@survey_page(Right.INVITE)
@post_only
def withdraw(request: HttpRequest, survey: Survey, pk: UUID) -> HttpResponse:
    roster.take_off(get_object_or_404(links.invited_people(survey), pk=pk), request.user)
    messages.success(
        request, "The person is off the list. The link no longer works. A ticket still does."
    )
    return redirect("workspace:invite", survey.slug)


@survey_page(Right.INVITE)
@post_only
def clear(request: HttpRequest, survey: Survey) -> HttpResponse:
    messages.success(
        request, f"{roster.remove_everyone(survey, request.user):,} taken off the list."
    )
    return redirect("workspace:invite", survey.slug)


@survey_page(Right.INVITE)
def finish(request: HttpRequest, survey: Survey) -> HttpResponse:
    if not survey.tickets or not survey.is_over:
        raise Refused("Close the survey first. Then you can finish its tickets.")
    if survey.is_finished:
        raise Refused("The tickets of this survey are already finished.")
    form = FinishForm(request.POST if request.method == "POST" else None)
    if form.is_bound:
        form.full_clean()
        if form.typed("title").strip() == survey.title:
            finish_tickets(survey, request.user)
            messages.success(
                request, "The tickets are finished. Codes, addresses and the key are deleted."
            )
            return redirect("workspace:invite", survey.slug)
        form.say("title", "This is not the title of the survey. Nothing was deleted.")
    things = [
        f"the list of {invitees.counts(survey).invited:,} invited people, with labels, addresses and codes;",
        "who of them took a ticket;",
        "the key that signed the tickets, and the list of used tickets;",
        "mails still waiting.",
    ]
    asked, back = (
        f"Finish the tickets of “{survey.title}” for good?",
        reverse("workspace:invite", args=[survey.slug]),
    )
    words = {"do": "Finish for good", "stay": "Not now", "back": back}
    return confirm(request, survey, asked, FINISHES, FINISHED, things=things, form=form, **words)


def _site(request: HttpRequest) -> str:
    return request.build_absolute_uri("/")
