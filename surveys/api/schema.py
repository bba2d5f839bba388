"""What no DRF view tells the schema: the shape of a row, and the address where respondents' pages post."""

REPORTS = {
    "type": "object",
    "description": "question key -> report",
    "additionalProperties": {"oneOf": [{"type": "integer", "minimum": 0}, {"type": "string", "pattern": "^[01]+$"}]},
}
CELLS = {
    "type": "object",
    "description": "name of a column -> code, number or mark; null where there is none",
    "additionalProperties": {"type": ["integer", "null"]},
}
ROWS = {"type": "array", "items": CELLS}
SUBMISSION = {
    "operationId": "responses_submit",
    "summary": "Submit one randomized response",
    "description": (
        "Sent by the respondent's page, without credentials. Each report is already randomized on the device. "
        "The same key with the same body is answered 200."
    ),
    "tags": ["surveys"],
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
                    "required": ["instrument", "key", "reports"],
                    "properties": {
                        "instrument": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
                        "key": {"type": "string", "format": "uuid", "description": "random (version 4)"},
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
    "409": "Another instrument, or another body under this key",
    "413": "Too large",
    "415": "Not application/json",
    "422": "The reports do not fit the instrument",
    "429": "Too many from this address; send the same body again in a minute",
    "503": "Could not be stored just now; send the same body again",
}


def add_submission(result: dict, generator: object, **_: object) -> dict:
    """Post-processing hook of drf-spectacular."""
    path = result["paths"]["/api/v1/surveys/{slug}/responses/"]
    path["post"] = SUBMISSION | {"responses": {code: _response(code, text) for code, text in OUTCOMES.items()}}
    return result


def _response(code: str, text: str) -> dict:
    if code.startswith("2"):
        return {"description": text, "content": {"application/json": {"schema": RECORDED}}}
    problem = {"$ref": "#/components/schemas/Problem"}
    return {"description": text, "content": {"application/problem+json": {"schema": problem}}}
