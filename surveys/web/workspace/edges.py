"""What a draft says before its questions and after them, in a line each."""

from surveys.definition import text_places
from surveys.models import Survey

NOTHING = "Nothing written yet."


def edges(survey: Survey) -> dict[str, str]:
    """welcome, after, languages: what is there already."""
    return {"welcome": _welcome(survey), "after": _after(survey), "languages": _languages(survey)}


def _listed(parts: dict[str, object]) -> str:
    return " · ".join(name for name, there in parts.items() if there) or NOTHING


def _welcome(survey: Survey) -> str:
    told = (
        survey.controller,
        survey.officer,
        survey.purpose,
        survey.legal_basis,
        survey.rights,
        survey.delete_on,
    )
    parts = {
        "Introduction": survey.introduction,
        "Contact": survey.contact,
        "Consent": survey.consent,
    }
    return _listed(
        ({survey.sender: True} if survey.sender else {}) | parts | {"Data protection": any(told)}
    )


def _after(survey: Survey) -> str:
    lines = sum(bool(line.strip()) for line in survey.help_lines.splitlines())
    helps = {f"{lines} help line{'s' if lines > 1 else ''}": lines}
    return _listed({"Thanks": survey.after_sending, "Declining": survey.after_declining} | helps)


def _languages(survey: Survey) -> str:
    names = dict(Survey.Language.choices)
    spoken = ", ".join(names[code] for code in survey.languages)
    if not survey.further_languages:
        return f"{spoken} only."
    places = text_places.iter_texts(survey)
    missing = sum(
        len(text_places.missing_translations(places, code)) for code in survey.further_languages
    )
    if not missing:
        return f"{spoken}. All texts are there."
    return f"{spoken}. {missing} text{' is' if missing == 1 else 's are'} missing."
