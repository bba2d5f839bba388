"""What no DRF view tells the schema: the shape of a row, and the addresses where respondents' pages post."""

from typing import Any

from surveys.models import SLUG_LETTERS
from surveys.web.api.tasks import SITE

REPORTS = {
    "type": "object",
    "description": "question key -> report",
    "additionalProperties": {
        "oneOf": [{"type": "integer", "minimum": 0}, {"type": "string", "pattern": "^[01]+$"}]
    },
}
CELLS = {
    "type": "object",
    "description": "name of a column -> code, number or mark; null where there is none",
    "additionalProperties": {"type": ["integer", "null"]},
}
ROWS = {"type": "array", "items": CELLS}
SUBMISSION: dict[str, Any] = {
    "operationId": "responses_submit",
    "summary": "Submit one randomized response",
    "description": (
        "Sent by the respondent's page, without credentials. The device has already randomized each report. Each "
        "key is for one response. What is sent under it a second time is not stored, and gets 200. "
        "Where only invited people can answer, send “ticket” instead of “key”: 32 random bytes and "
        "their signature. A second message with the same ticket always gets 409 (`ticket-spent`), "
        "whatever its body."
    ),
    "tags": [SITE],
    "security": [],
    "parameters": [{"in": "path", "name": "slug", "required": True, "schema": {"type": "string"}}],
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {
                "examples": {
                    "Two questions": {
                        "value": {
                            "instrument": "0" * 64,
                            "key": "7f1f3c2e-8c43-4f0e-9d57-7c4d2f3a9b10",
                            "reports": {"tax": 1, "occupation": "01001"},
                        }
                    }
                },
                "schema": {
                    "type": "object",
                    "additionalProperties": False,
                    "required": ["instrument", "reports"],
                    "oneOf": [{"required": ["key"]}, {"required": ["ticket"]}],
                    "properties": {
                        "instrument": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
                        "key": {
                            "type": "string",
                            "format": "uuid",
                            "description": "random (version 4)",
                        },
                        "ticket": {
                            "type": "string",
                            "pattern": "^[A-Za-z0-9_-]{384}$",
                            "description": "for surveys with tickets, instead of a key; base64url",
                        },
                        "reports": REPORTS,
                    },
                },
            }
        },
    },
}
RECORDED = {
    "type": "object",
    "required": ["status"],
    "properties": {"status": {"type": "string", "enum": ["recorded"]}},
}
OUTCOMES = {
    "201": "Recorded",
    "200": "Recorded before",
    "400": "Not JSON",
    "403": "The survey is closed",
    "404": "No such survey",
    "409": "The instrument differs, this key was used in another survey, or the ticket has been used",
    "413": "Too large",
    "415": "Not application/json",
    "422": "The reports do not fit the instrument",
    "429": "Too many answers from this connection; send the same body again in a minute",
    "503": "Could not be stored; send the same body again",
}


BLINDED = {
    "type": "string",
    "pattern": "^[A-Za-z0-9_-]{342}$",
    "description": "256 bytes as base64url",
}
FETCHING = {
    "operationId": "tickets_fetch",
    "summary": "Take a ticket",
    "description": (
        "Sent by the page where people take their tickets, without credentials. The device blinds what the site signs "
        "(RFC 9474, RFC 9578 type 2), so no one can tell which ticket comes of it. The same code with the same blinded "
        "text gets the same answer as long as people can take tickets."
    ),
    "tags": [SITE],
    "security": [],
    "parameters": SUBMISSION["parameters"],
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {
                "schema": {
                    "type": "object",
                    "additionalProperties": False,
                    "required": ["code", "blinded"],
                    "properties": {
                        "code": {"type": "string", "pattern": f"^[{SLUG_LETTERS}]{{16}}$"},
                        "blinded": BLINDED,
                    },
                },
            }
        },
    },
}
SIGNED = {"type": "object", "required": ["signed"], "properties": {"signed": BLINDED}}
FETCHED = {
    "200": "The signature",
    "400": "Not JSON",
    "403": "No one can take a ticket now: answers are open, or the survey is closed or paused",
    "404": "No such survey, no such code, or a code for another survey",
    "409": "This code has been used to take a ticket",
    "413": "Too large",
    "415": "Not application/json",
    "422": "Not as described",
    "429": "Too many requests or wrong codes from this connection; try again in a minute",
    "503": "Could not be signed; send the same body again",
}


def add_submission(result: dict, generator: object, **_: object) -> dict:
    """Post-processing hook of drf-spectacular."""
    path = result["paths"]["/api/v1/surveys/{slug}/responses/"]
    path["post"] = SUBMISSION | {"responses": _responses(OUTCOMES, RECORDED)}
    tickets = {"post": FETCHING | {"responses": _responses(FETCHED, SIGNED)}}
    result["paths"] = dict(
        sorted((result["paths"] | {"/api/v1/surveys/{slug}/tickets/": tickets}).items())
    )
    return result


def put_successes_first(result: dict, generator: object, **_: object) -> dict:
    """Post-processing hook of drf-spectacular: the responses of each operation in the order in which people read them.

    Some generators make clients that accept only the media type of the first response.
    """
    for operations in result["paths"].values():
        for operation in operations.values():
            responses = operation["responses"]
            codes = sorted(responses, key=lambda code: not code.startswith("2"))
            operation["responses"] = {code: responses[code] for code in codes}
    return result


def _responses(texts: dict[str, str], shape: dict) -> dict[str, dict]:
    return {code: _response(code, text, shape) for code, text in texts.items()}


def _response(code: str, text: str, shape: dict) -> dict:
    if code.startswith("2"):
        return {"description": text, "content": {"application/json": {"schema": shape}}}
    problem = {"$ref": "#/components/schemas/Problem"}
    return {"description": text, "content": {"application/problem+json": {"schema": problem}}}
