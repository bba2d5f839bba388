"""The page “What is it linked to?”."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from features.regression.forms import LinkedForm
from features.regression.model.row import MODEL
from features.regression.table.row import TABLE
from surveys.web.workspace.analysis.page import analysis_page
from surveys.web.workspace.head import GROUPS
from surveys.web.workspace.report.report import Reading, reading


@reading
def linked(request: HttpRequest, read: Reading) -> HttpResponse:
    """What an answer is linked to: a model, or of two scrambled answers their table."""
    form = LinkedForm(MODEL, read.seen, request.GET)
    if key := form.group_alone():
        query = request.GET.copy()
        for name in ("what", "outcome", "explain", "truth", "model"):
            query.pop(name, None)
        query["by"] = key
        return redirect(
            f"{reverse(f'workspace:{GROUPS}', args=[read.frozen.survey])}?{query.urlencode()}"
        )
    return analysis_page(request, read, TABLE if form.shows_table else MODEL, form)
