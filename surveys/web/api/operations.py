"""What the schema says of every operation beside what its view says: scopes, files, addresses of what is made."""

from typing import Any

from drf_spectacular.openapi import AutoSchema

from surveys.web.api.fields import Strict
from surveys.web.api.tasks import task_of
from surveys.web.api.uploads import OCTETS

BYTES = {"type": "string", "format": "binary"}
LOCATION = {
    "Location": {"description": "the address of the new resource", "schema": {"type": "string"}}
}
ETAG = {
    "ETag": {
        "description": "of what you read; streamed answers have none",
        "schema": {"type": "string"},
    }
}


class DescribedSchema(AutoSchema):
    """AutoSchema with descriptions, and without additional properties."""

    def get_description(self) -> str:
        """Docstrings are for those who read the code."""
        return str(getattr(self.view, "description", ""))

    def get_summary(self) -> str | None:
        return getattr(self.view, "summary", None)

    def get_tags(self) -> list[str]:
        return [task_of(self.path_regex)]

    def get_response_serializers(self) -> Any:
        return getattr(self.view, "answers", None) or super().get_response_serializers()

    def get_request_serializer(self) -> Any:
        return self.view.body if hasattr(self.view, "body") else super().get_request_serializer()

    def get_override_parameters(self) -> list[Any]:
        return getattr(self.view, "asked", [])

    def get_operation(self, *args: Any) -> dict[str, Any] | None:
        operation: dict[str, Any] | None = super().get_operation(*args)
        if operation is None:
            return None
        self._say_scope(operation)
        answers = operation["responses"]
        if "201" in answers and operation["operationId"] != "tokens_create":
            answers["201"]["headers"] = LOCATION
        for answer in answers.values():
            if len(answer.get("content", {})) > 1:
                answer["content"].pop("*/*", None)  # of the files that the address gives to read
        if self.method in ("GET", "PUT", "PATCH", "DELETE") and hasattr(self.view, "get"):
            answers["412"] = answers["400"]
        if self.method == "GET" and "200" in answers:
            self._say_file(answers["200"])
            answers["200"]["headers"] = ETAG
            answers.setdefault(
                "304", {"description": "unchanged: the ETag is the one in If-None-Match"}
            )
        return operation

    def _say_scope(self, operation: dict[str, Any]) -> None:
        """In words, and as the roles that OpenAPI 3.1 allows for every kind of credentials."""
        wanted = [each for each in operation.get("security", []) if "token" in each]
        if not wanted:
            operation.setdefault("security", [])
            return
        scope = self.view.scope_for(self.method)
        wanted[0]["token"] = [scope] if scope else []
        said = f"Token: `{scope}`." if scope else "Any token."
        operation["description"] = f"{operation.get('description', '')} {said}".strip()

    def _say_file(self, answer: dict[str, Any]) -> None:
        media_type = getattr(self.view, "media_type", None)
        if media_type:
            plain = media_type.partition(";")[0]
            shape = (
                {"type": "object", "additionalProperties": True}
                if plain == "application/json"
                else {"type": "string"}
            )
            is_text = plain.startswith("text/") or plain in (
                "application/json",
                "application/jsonl",
                "image/svg+xml",
            )
            answer["content"] = {
                plain: {"schema": shape if is_text else shape | {"format": "binary"}}
            }
            if (
                not plain.startswith("text/") and plain != "application/json"
            ):  # else generated clients leave it out
                answer["content"][OCTETS] = {"schema": BYTES}

    def _map_serializer(
        self, serializer: Any, direction: Any, bypass_extensions: bool = False
    ) -> dict[str, Any]:
        shape: dict[str, Any] = super()._map_serializer(serializer, direction, bypass_extensions)
        is_strict = isinstance(serializer, Strict) or (
            isinstance(serializer, type) and issubclass(serializer, Strict)
        )
        return shape | {"additionalProperties": False} if is_strict else shape
