"""What the import of responses does every few minutes."""

from features.response_import.staging import forget_imports


def forget_old_imports(**options: object) -> str:
    """Delete imports that no one confirmed, and return a sentence with their number."""
    return f"{forget_imports()} old imports deleted."
