"""Pages to write, move and delete the questions of a draft."""

from collections.abc import Container, Sequence
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode

from surveys.accounts.access import Right
from surveys.authoring.drafts import drafts
from surveys.authoring.drafts.conditions import condition_problems, depending
from surveys.authoring.planning import remedies
from surveys.authoring.planning.levels import change_in_words
from surveys.authoring.planning.overview import Overview, survey_overview
from surveys.authoring.planning.wording_advice import advise
from surveys.definition.drafted import load_questions
from surveys.definition.status import require_draft
from surveys.models import Question, Survey
from surveys.site.errors import Invalid
from surveys.web.confirm import confirm
from surveys.web.workspace.access import post_only, question_page, survey_page
from surveys.web.workspace.choice_lists import Held, brought, held
from surveys.web.workspace.question_form import QuestionForm
from surveys.web.workspace.question_initial import another, like, starting
from surveys.web.workspace.question_panel import panel


@survey_page(Right.WRITE)
def create(request: HttpRequest, survey: Survey) -> HttpResponse:
    """?like= opens with a copy of a question, to stand right after it; ?another= with its kind and protection."""
    require_draft(survey)
    original, before = _named(request, survey, "like"), _named(request, survey, "another")
    start = like(original) if original else another(before) if before else starting(survey=survey)
    form = _form(request, survey, start, before=up_to(survey, original), held=held(original))
    if before:
        form.fields["text"].widget.attrs["autofocus"] = True
    seen = survey_overview(survey) if _is_to_save(form) else None
    if seen and (saved := form.save(after=request.GET.get("like", ""), by=request.user)):
        messages.success(request, f"The question is saved.{said_of_change(survey, seen)}")
        return _after_saving(request, survey, saved)
    return _page(request, form, Question(survey=survey), {"original": original, "before": before})


@question_page(Right.WRITE)
def edit(request: HttpRequest, survey: Survey, question: Question) -> HttpResponse:
    require_draft(survey)
    if question.grid:
        return redirect("workspace:grid", survey.slug, question.key)
    every = load_questions(survey)  # with its choices, which can be thousands, read once
    place = every.index(question)
    before, question, after = every[:place], every[place], every[place + 1 :]
    form = _form(
        request, survey, starting(question), before=before, after=after, held=held(question)
    )
    known = condition_problems(survey) if _is_to_save(form) else {}
    if _is_to_save(form) and (saved := _saved(request, form, question)):
        messages.success(request, "The question is saved.")
        warn(request, survey, known)
        return _after_saving(request, survey, saved)
    about = {"question": question, "place": place + 1, "edition": _edition(form, question)}
    return _page(request, form, question, about)


@transaction.atomic
def _saved(request: HttpRequest, form: QuestionForm, question: Question) -> Question | None:
    """With the questions that its condition asks for moved before it; none of them where it cannot be saved."""
    try:
        moving = form.whom.to_move()
    except Invalid:  # which saving says at its field
        moving = []
    for other in reversed(moving):
        steps = question.position - other.position
        drafts.move_question(survey=form.survey, question=other, steps=steps, by=request.user)
    saved = form.save(question, by=request.user)
    if saved is None:
        transaction.set_rollback(True)
    for other in moving if saved else ():
        messages.success(request, f"“{other.text}” now comes before it.")
    return saved


def _named(request: HttpRequest, survey: Survey, parameter: str) -> Question | None:
    """The question whose key the address names. What is typed is not lost where it has been deleted meanwhile."""
    key = request.GET.get(parameter, "")
    found = next((question for question in load_questions(survey) if question.key == key), None)
    if key and found is None and request.method != "POST":
        raise Http404
    return found


def _form(
    request: HttpRequest,
    survey: Survey,
    start: dict[str, Any],
    *,
    before: Sequence[Question],
    after: Sequence[Question] = (),
    held: Held | None,
) -> QuestionForm:
    typed = request.POST if request.method == "POST" else None
    lists = {"held": held, "brought": brought(request)}
    return QuestionForm(typed, survey=survey, initial=start, before=before, after=after, **lists)


def up_to(survey: Survey, last: Question | None = None) -> list[Question]:
    """The questions up to this one, or all."""
    questions = load_questions(survey)
    return questions[: questions.index(last) + 1] if last in questions else questions


def warn(request: HttpRequest, survey: Survey, known: Container[tuple[str, str]]) -> None:
    """Of the conditions that were not broken before."""
    for place, said in condition_problems(survey).items():
        if place not in known:
            messages.warning(request, said)


def _is_to_save(form: QuestionForm) -> bool:
    return form.is_bound and "show" not in form.data


def _after_saving(request: HttpRequest, survey: Survey, saved: Question) -> HttpResponse:
    if "another" in request.POST:
        return redirect(
            f"{reverse('workspace:new-question', args=[survey.slug])}?another={saved.key}"
        )
    return back(survey, saved.key)


def _page(
    request: HttpRequest, form: QuestionForm, question: Question, about: dict[str, Any]
) -> HttpResponse:
    """question: the one that is written; a new one has no key yet."""
    survey = form.survey
    context = {"survey": survey, "form": form} | about | {"asked": "show" in form.data}
    if "show" in form.data or not form.is_bound:
        context |= _shown(form, question, about.get("original"))
    if "X-Panel" in request.headers:
        return render(request, "workspace/parts/live.html", context | {"live": True})
    return render(
        request, "workspace/question_form.html", context, status=422 if form.errors else 200
    )


def _shown(form: QuestionForm, question: Question, original: Question | None) -> dict[str, Any]:
    """What the author sees before saving; nothing where a message at a field comes first."""
    advice = advise(form.typed("text"), form.survey.language)
    plan = form.plan()
    if plan is None:
        return {"advice": advice}
    texts = {name: form.typed(name) for name in ("text", "short", "help", "section")}
    everyone = bool(form.survey.protection) and form.typed("everyone") not in ("", "False")
    typed = form.typed("expected_asked").strip()
    on_path = (
        int(typed) if typed.isascii() and typed.isdigit() and 1 <= int(typed[:4]) <= 100 else None
    )
    written = Question(
        pk=question.pk, survey=form.survey, everyone=everyone, expected_asked=on_path, **texts
    )
    shown = panel(form.survey, plan, form.typed("design"), written, after=original)
    return {"advice": advice, "panel": shown}


def _edition(form: QuestionForm, question: Question) -> int | str:
    """Of the version that the page starts from. Whoever was told of another one saves over that one next."""
    told = form.is_bound and form.non_field_errors()
    return question.edition if told or not form.is_bound else form.typed("edition")


@question_page(Right.WRITE)
def delete(request: HttpRequest, survey: Survey, question: Question) -> HttpResponse:
    require_draft(survey)
    if request.method == "POST":
        known = condition_problems(survey)
        below = (
            survey.questions.filter(position__gt=question.position)
            .values_list("key", flat=True)
            .first()
        )
        seen = survey_overview(survey)
        drafts.delete_question(survey=survey, question=question, by=request.user)
        messages.success(
            request, f"The question “{question.text}” is deleted.{said_of_change(survey, seen)}"
        )
        warn(request, survey, known)
        return back(survey, below or "add")
    things = [each.text for each in depending(survey, question.key)]
    said = ["This cannot be undone."]
    if things:
        said.insert(
            0, "Conditions of these questions use it. You would have to fix them before publishing:"
        )
    return confirm(
        request,
        survey,
        f"Delete “{question.text}”?",
        *said,
        things=things,
        do="Delete the question",
        stay="Keep it",
    )


@question_page(Right.WRITE)
@post_only
def move(request: HttpRequest, survey: Survey, question: Question, steps: int = 0) -> HttpResponse:
    """By `steps`, or to the place that dragging chose."""
    steps = steps or _dragged(request)
    known = condition_problems(survey)
    drafts.move_question(survey=survey, question=question, steps=steps, by=request.user)
    messages.success(request, f"“{question.text}” is moved {'up' if steps < 0 else 'down'}.")
    warn(request, survey, known)
    return back(survey, question.key, "up" if steps < 0 else "down")


@question_page(Right.WRITE)
@post_only
def ask_as_rows(request: HttpRequest, survey: Survey, question: Question) -> HttpResponse:
    """Each choice becomes a yes/no row, where a question with several answers would be too uncertain."""
    seen = survey_overview(survey)
    try:
        remedies.ask_as_rows(survey=survey, question=question, by=request.user)
        messages.success(
            request,
            f"“{question.text}” is a grid of yes/no rows now.{said_of_change(survey, seen)}",
        )
    except Invalid as wrong:
        messages.error(request, str(wrong))
    return back(survey, "")


@question_page(Right.WRITE)
@post_only
def leave(request: HttpRequest, survey: Survey, question: Question) -> HttpResponse:
    """It stays too uncertain to show a number: the page says no more about it while its margin is the same."""
    drafts.accept_margin(survey=survey, question=question, margin=_margin(survey, question.key))
    return back(survey, question.key)


def _margin(survey: Survey, key: str) -> str:
    return next(
        (
            line.verdict.number
            for line in survey_overview(survey).lines
            if line.key == key and line.verdict
        ),
        "",
    )


def said_of_change(survey: Survey, before: Overview) -> str:
    """What another number of sensitive questions means for all of them; nothing where that stays."""
    said = change_in_words(survey, before, survey_overview(Survey.objects.get(pk=survey.pk)))
    return f" {said}" if said else ""


def back(survey: Survey, key: str, did: str = "") -> HttpResponse:
    """To the overview, where the focus goes to the question that was worked on, and to what was done with it."""
    place = urlencode({"at": key, "did": did})
    return redirect(f"{reverse('workspace:survey', args=[survey.slug])}?{place}")


def _dragged(request: HttpRequest) -> int:
    try:
        return max(-1000, min(1000, int(request.POST.get("steps", ""))))
    except ValueError:
        return 0
