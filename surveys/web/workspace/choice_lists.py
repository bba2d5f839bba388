"""Long lists of choices: a page to look through one, the file of one, and a file that is brought into a question."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from surveys.accounts.access import Right
from surveys.authoring.files.choice_list import LARGEST, ListedChoice, choices
from surveys.definition.texts import stored_text
from surveys.models import Question, Survey
from surveys.site.errors import Unreadable
from surveys.web.workspace.access import question_page
from surveys.web.workspace.kind_forms import KIND_FORMS

# The most choices that a page shows and a field holds. A longer list is searched on the page, and
# comes in as a file.
AT_ONCE = 100
FIRST = 5


@dataclass(frozen=True)
class Held:
    """A list that is too long for a field, and stays as it is unless another one is written or brought."""

    key: str  # of the question whose list it is
    choices: tuple[ListedChoice, ...]

    @property
    def first(self) -> tuple[ListedChoice, ...]:
        return self.choices[:FIRST]


def held(question: Question | None) -> Held | None:
    """None where the question's choices stand in a field."""
    if question is None or "points" in KIND_FORMS[question.kind].fields:
        return None
    found = tuple(listed_choices(question))
    return Held(question.key, found) if len(found) > AT_ONCE else None


def listed_choices(question: Question) -> list[ListedChoice]:
    """Return the choices of a question with their translations and their written values.

    A yes/no question has none, since its answers are fixed.
    """
    languages = question.survey.languages
    stored = list(question.choices.all())
    labels = [stored_text(choice, "label", languages) for choice in stored]
    if not labels:
        return []
    values = question.values or [""] * len(labels)
    return [ListedChoice(label, value) for label, value in zip(labels, values, strict=True)]


def brought(request: HttpRequest) -> tuple[Sequence[ListedChoice], str]:
    """The list that somebody brought as a file, and what is wrong with that; both empty where nobody did."""
    if request.method != "POST" or not (file := request.FILES.get("file")):
        return (), ""
    try:
        return choices(file.read(LARGEST + 1), file.name), ""
    except Unreadable as wrong:
        return (), " ".join(wrong.lines)


@question_page(Right.SEE)
@require_safe
def show(request: HttpRequest, survey: Survey, question: Question) -> HttpResponse:
    """All choices of a question, or with ?find= those with these letters in them, page by page."""
    wanted = request.GET.get("find", "").strip()
    numbered = list(enumerate(listed_choices(question), 1))
    found = [
        (number, choice)
        for number, choice in numbered
        if wanted.casefold() in choice.label.casefold()
    ]
    page = Paginator(found, AT_ONCE).get_page(request.GET.get("page"))
    context: dict[str, Any] = {"survey": survey, "question": question, "find": wanted, "page": page}
    return render(request, "workspace/choice_list.html", context | {"count": len(numbered)})


@question_page(Right.SEE)
@require_safe
def text(request: HttpRequest, survey: Survey, question: Question) -> HttpResponse:
    """One choice on each line, as it can be brought again."""
    lines = "".join(f"{choice.line}\n" for choice in listed_choices(question))
    response = HttpResponse(lines, content_type="text/plain; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{survey.slug}-{question.key}.txt"'
    return response
