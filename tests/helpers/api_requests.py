"""Requests to the API about a survey."""

import json

from django.test import Client

from surveys.models import Survey


def survey_api_path(survey: Survey, part: str) -> str:
    """Return the path of a survey in the API, followed by `part`, such as "settings/"."""
    return f"/api/v1/surveys/{survey.slug}/{part}"


def send_json(client: Client, method: str, path: str, data: object = None) -> tuple[int, dict]:
    """Send a request with a JSON body, and return the status and the JSON of the answer.

    The JSON of an answer without content is {}.

    method: such as "post", in lower case.
    data: the body; None for an empty object.
    """
    # The client has a method of this name.
    send = getattr(client, method)
    body = json.dumps({} if data is None else data)
    answer = send(path, body, content_type="application/json")
    if not answer.content:
        return answer.status_code, {}
    return answer.status_code, answer.json()
