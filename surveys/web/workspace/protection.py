"""The one choice of protection, as cards above the questions of a draft: a press stores it at once."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse

from surveys.accounts.access import Right, surveys_of
from surveys.authoring.drafts.drafts import update_settings
from surveys.authoring.drafts.question_subset import set_draw
from surveys.authoring.planning.levels import prices, widest_of
from surveys.authoring.planning.overview import Overview
from surveys.authoring.planning.together import published_versions
from surveys.definition.kinds import kind_of
from surveys.definition.protection import (
    LEVELS,
    NO_LEVEL,
    RECOMMENDED_LEVEL,
    combine_versions,
    definition_losses,
)
from surveys.definition.protection_wording import both_versions
from surveys.models import Survey
from surveys.site.errors import Invalid
from surveys.web.workspace.access import post_only, survey_page
from surveys.web.workspace.questions import back


@survey_page(Right.WRITE)
@post_only
def choose(request: HttpRequest, survey: Survey) -> HttpResponse:
    """POST protection: a level, or nothing to set every question yourself. everyone: all questions of everyone."""
    level, replaced = request.POST.get("protection", NO_LEVEL), own_methods(survey)
    if "everyone" in request.POST:
        set_draw(survey=survey, count=None, by=request.user)
        messages.success(request, "Everyone gets all questions.")
        return back(survey, "protection")
    try:
        held = update_settings(survey, {"protection": level}, request.user)
    except Invalid as wrong:
        messages.error(request, str(wrong))
        return back(survey, "protection")
    if held.protection in LEVELS:
        methods = f" It replaces the methods of {_counted(replaced)}." if replaced else ""
        messages.success(request, f"The protection is {LEVELS[held.protection].title}.{methods}")
    elif held.protection == NO_LEVEL:
        messages.success(
            request, "Every question keeps its current method. You can change each at the question."
        )
    return back(survey, "protection")


def own_methods(survey: Survey) -> int:
    """How many sensitive questions have a method that a level would replace, where none is chosen."""
    return (
        sum(bool(q.design) and kind_of(q).sensitive for q in survey.questions.all())
        if not survey.protection
        else 0
    )


def _counted(n: int) -> str:
    return f"{n} question{'s' if n > 1 else ''}"


def remedy(survey: Survey, seen: Overview) -> str:
    """The button that makes a draft calm: the recommended level with what it costs; nothing where that is no help."""
    if survey.protection == RECOMMENDED_LEVEL or seen.protection.grade_colour == "calm":
        return ""
    now, then = (
        widest_of(seen),
        next(price.widest for price in prices(survey, seen.questions) if price.is_recommended),
    )
    title = LEVELS[RECOMMENDED_LEVEL].title
    if not (survey.expected_people and now and then):
        return f"Use {title}"
    if now.verdict.is_withheld and then.verdict.is_withheld:
        return f"Use {title}"
    return f"{title}: {then.verdict.number_in_brief} instead of {now.verdict.number_in_brief}"


def around(request: HttpRequest, survey: Survey, seen: Overview) -> dict[str, Any]:
    """What the cards show; of a new version what both cost together."""
    others = [
        definition_losses(each) for each in published_versions(survey, surveys_of(request.user))
    ]
    return {
        "levels": prices(survey, seen.questions),
        "replaced": _counted(number) if (number := own_methods(survey)) else "",
        "both_versions": both_versions(combine_versions([seen.protection, *others]))
        if others and seen.losses
        else "",
    }
