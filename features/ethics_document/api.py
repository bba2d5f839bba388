"""What an ethics board asks for."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from features.ethics_document.ethics_board import Ethics, bundle
from surveys.accounts import access
from surveys.accounts.access import Right
from surveys.site.shape import as_json
from surveys.web.api.shapes import serializer_for
from surveys.web.api.views.base import View, errors


class EthicsOfSurvey(View):
    @extend_schema(
        summary="A document for an ethics board: questions, chances, consequences, wording, storage, data protection",
        description="For a draft: as it would be if you published it now. 409 says what is missing.",
        responses=errors(409) | {200: serializer_for(Ethics)},
    )
    def get(self, request: Request, slug: str) -> Response:
        return Response(as_json(bundle(access.survey_for(request.user, slug, Right.SEE))))
