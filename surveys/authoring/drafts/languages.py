"""The further languages of a draft: which there are, and its texts in them. Each function is one change."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from surveys.accounts import history
from surveys.authoring.drafts.drafts import CONFLICT
from surveys.authoring.drafts.translations import checked, spoken
from surveys.definition.status import require_draft
from surveys.definition.text_places import Place, iter_texts
from surveys.models import Survey, Translated
from surveys.site.errors import Invalid

Address = tuple[str, str, int]  # variable name or "", field, number of the choice or 0
What = history.What


@transaction.atomic
def set_languages(
    *, survey: Survey, languages: Sequence[str], by: AbstractBaseUser | None = None
) -> Survey:
    """All languages, the first one first. Texts of one that is taken out stay, and are there again with it."""
    survey = survey.locked()
    require_draft(survey)
    try:
        further = spoken(survey.language, languages)
    except ValueError as wrong:
        raise Invalid({"languages": str(wrong)}) from None
    if further != survey.further_languages:
        survey.further_languages = further
        survey.edition += 1
        survey.save(update_fields=["further_languages", "edition"])
        history.record(survey, by, What.CHANGED, f"languages: {', '.join(survey.languages)}")
    return survey


def translation_version(survey: Survey, code: str) -> str:
    """Return a hash that changes with every text of a language."""
    texts = [
        (place.address, place.text, place.text.others.get(code, "")) for place in iter_texts(survey)
    ]
    return hashlib.sha256(json.dumps(texts).encode()).hexdigest()[:16]


@transaction.atomic
def translate(
    *,
    survey: Survey,
    texts: Mapping[Address, Mapping[str, str]],
    by: AbstractBaseUser | None = None,
    seen: Mapping[str, str] | None = None,
) -> int:
    """Write texts in further languages; an empty one is taken away. All or nothing; how many have changed.

    Raises Invalid with a message for each place (Place.id). seen: of a language the state that its author started from.
    """
    survey = survey.locked()
    require_draft(survey)
    if any(translation_version(survey, code) != before for code, before in (seen or {}).items()):
        raise Invalid({"edition": CONFLICT})
    places_by_address = {place.address: place for place in iter_texts(survey)}
    wrong: dict[str, str] = {}
    changed: dict[str, int] = {}
    for address, given in texts.items():
        place = places_by_address.get(address)
        for code, text in given.items():
            named = (
                place.id(code)
                if place
                else "-".join((code, address[0] or "survey", *map(str, address[1:])))
            )
            try:
                changed[code] = changed.get(code, 0) + _write(survey, place, code, text)
            except ValueError as error:
                wrong[named] = str(error)
    if wrong:
        raise Invalid(wrong)
    said = ", ".join(
        f"{count} in {Survey.Language(code).label}" for code, count in changed.items() if count
    )
    if said:
        _store(place.row for address, place in places_by_address.items() if address in texts)
        history.record(survey, by, What.CHANGED, f"translated texts: {said}")
    return sum(changed.values())


def _store(rows: Iterable[Translated]) -> None:
    """Their translations, with one statement for many rows of a kind."""
    kinds: dict[type[Translated], list[Translated]] = {}
    for row in dict.fromkeys(rows):
        kinds.setdefault(type(row), []).append(row)
    for kind, same in kinds.items():
        kind.objects.bulk_update(same, ["translations"], batch_size=500)


def _write(survey: Survey, place: Place | None, code: str, text: str) -> bool:
    """Put a text into its row, which is not stored yet; whether it is another than before."""
    if place is None:
        raise ValueError("The survey has no such text.")
    if code not in survey.further_languages:
        raise ValueError(f"“{code[:20]}” is not a further language of this survey.")
    clean = checked(type(place.row), place.name, text)
    before = place.row.translations.get(code, {})
    after = {name: said for name, said in (before | {place.name: clean}).items() if said}
    others = {name: said for name, said in place.row.translations.items() if name != code}
    place.row.translations = others | ({code: after} if after else {})
    return before.get(place.name, "") != clean
