"""The page that an ethics board gets: everything about a survey that it may ask for, made for print."""

import json

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from surveys.accounts.access import Right
from surveys.exchange.ethics_board import bundle
from surveys.models import Survey
from surveys.web.workspace.access import survey_page


@survey_page(Right.SEE)
@require_safe
def ethics(request: HttpRequest, survey: Survey) -> HttpResponse:
    names = dict(Survey.Language.choices)
    found = bundle(survey)
    spoken = [(code, names[code], passages) for code, passages in found.wording.items()]
    instrument = json.dumps(found.instrument, ensure_ascii=False, indent=1)
    context = {"survey": survey, "bundle": found, "spoken": spoken, "instrument": instrument}
    return render(request, "workspace/ethics_board.html", context)
