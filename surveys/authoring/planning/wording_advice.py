"""Gentle advice on the wording of a question. It never stops anybody: a rule of thumb can be wrong."""

import re

LONG = 200  # characters; about three lines on a telephone
NEGATIVE = re.compile(
    r"\b(?:not|never|no|none|nobody|nothing|without|neither|nor|cannot|\w+n[’']t)\b", re.IGNORECASE
)
JOINED = re.compile(r"\b(?:and|as well as|and/or)\b", re.IGNORECASE)
LEADING = re.compile(r"\b(?:don[’']t you|do you agree|surely|of course|obviously)\b", re.IGNORECASE)
VAGUE = re.compile(r"\b(?:often|regularly|sometimes|usually|recently)\b", re.IGNORECASE)


def advise(text: str, language: str = "en") -> list[str]:
    """What a careful colleague would ask about this question; the rules about words know English only."""
    thoughts = []
    if len(text) > LONG:
        thoughts.append(
            f"It has {len(text)} characters. Short questions are easier to understand, above all on a phone."
        )
    if language != "en":
        return thoughts
    negatives = NEGATIVE.findall(text)
    if len(negatives) > 1:
        words = "” and “".join(negatives[:2])
        thoughts.append(f"Two negatives (“{words}”) are easily misread. Can you ask it without?")
    if joined := JOINED.search(text):
        thoughts.append(
            f"“{joined[0]}” may ask two things at once. A Yes would not show which. Are these two questions?"
        )
    if leading := LEADING.search(text):
        thoughts.append(f"“{leading[0]}” may push people towards an answer.")
    if vague := VAGUE.search(text):
        thoughts.append(
            f"“{vague[0]}” means something different to everyone. Can you name a period or a number?"
        )
    return thoughts
