"""Long lists of choices: a page to look through one, the file of one, and a file that is brought into a question."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from surveys.accounts.access import Right
from surveys.authoring.files.choice_list import LARGEST, choices
from surveys.definition.texts import Text, stored_text
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
    choices: tuple[Text, ...]

    @property
    def first(self) -> tuple[Text, ...]:
        return self.choices[:FIRST]


def held(question: Question | None) -> Held | None:
    """None where the question's choices stand in a field."""
    if question is None or "points" in KIND_FORMS[question.kind].fields:
        return None
    found = tuple(
        stored_text(choice, "label", question.survey.languages) for choice in question.choices.all()
    )
    return Held(question.key, found) if len(found) > AT_ONCE else None


def brought(request: HttpRequest) -> tuple[Sequence[str], str]:
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
    numbered = list(enumerate((choice.label for choice in question.choices.all()), 1))
    found = [(number, label) for number, label in numbered if wanted.casefold() in label.casefold()]
    page = Paginator(found, AT_ONCE).get_page(request.GET.get("page"))
    context: dict[str, Any] = {"survey": survey, "question": question, "find": wanted, "page": page}
    return render(request, "workspace/choice_list.html", context | {"count": len(numbered)})


@question_page(Right.SEE)
@require_safe
def text(request: HttpRequest, survey: Survey, question: Question) -> HttpResponse:
    """One choice on each line, as it can be brought again."""
    lines = "".join(f"{choice.label}\n" for choice in question.choices.all())
    response = HttpResponse(lines, content_type="text/plain; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{survey.slug}-{question.key}.txt"'
    return response
