"""Requests to the API about a survey."""

import json

from django.test import Client

from surveys.models import Survey


def survey_api_path(survey: Survey, part: str) -> str:
    return f"/api/v1/surveys/{survey.slug}/{part}"


def send_json(client: Client, method: str, path: str, data: object = None) -> tuple[int, dict]:
    answer = getattr(client, method)(
        path, json.dumps({} if data is None else data), content_type="application/json"
    )
    return answer.status_code, answer.json() if answer.content else {}
