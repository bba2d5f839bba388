"""The page that an ethics board gets: everything about a survey that it may ask for, made for print."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from features.ethics_document.ethics_board import bundle
from surveys.accounts.access import Right
from surveys.models import Survey
from surveys.web.workspace.access import survey_page


@survey_page(Right.SEE)
@require_safe
def ethics(request: HttpRequest, survey: Survey) -> HttpResponse:
    names = dict(Survey.Language.choices)
    board = bundle(survey)
    spoken = [(code, names[code], passages) for code, passages in board.wording.items()]
    context = {"survey": survey, "bundle": board, "spoken": spoken}
    return render(request, "ethics_document/ethics_board.html", context)
