"""The head of a page about one survey, as a tag: {% survey_head survey %}."""

from typing import Any

from django import template
from django.template.context import RequestContext

from surveys.accounts.access import rights
from surveys.models import Survey
from surveys.web.workspace.head import actions, compare_pages, tabs

register = template.Library()


@register.inclusion_tag("parts/head.html", takes_context=True)
def survey_head(context: RequestContext, survey: Survey) -> dict[str, Any]:
    request = context["request"]
    page = request.resolver_match.url_name
    has = rights(request.user, survey)
    steps = actions(survey, has, page)
    return {"request": request, "survey": survey, "tabs": tabs(survey, has, page), "actions": steps}


@register.inclusion_tag("workspace/parts/compare_pills.html", takes_context=True)
def compare_pills(context: RequestContext) -> dict[str, Any]:
    """The pages under Compare."""
    return {
        "slug": context["survey"].slug,
        "pills": compare_pages(),
        "current": context["request"].resolver_match.url_name,
    }
