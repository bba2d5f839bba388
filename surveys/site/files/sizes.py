"""How large a file may be, and what is said of a larger one. Pages, the API and commands say it in the same words."""

LARGEST_WHOLE_FILE = 1_048_576  # bytes of a file of answers that cannot be read part by part


def too_large_message(most: int, unit: str = "bytes") -> str:
    """Return the sentence about a file with more than `most` bytes, or characters."""
    return f"The file is too large: it can have at most {most:,} {unit}."
