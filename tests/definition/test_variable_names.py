"""Variable names made from the texts of questions."""

import pytest

from surveys.authoring.drafts.text_checks import VARIABLE_NAME, variable_name
from surveys.authoring.drafts.variable_names import LENGTH, RESERVED, made


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Have you ever copied in an exam?", "copied_exam"),
        ("Did you ever evade taxes?", "evade_taxes"),
        ("In the past 12 months, have you taken Ritalin?", "taken_ritalin"),
        ("Haben Sie jemals in einer Prüfung abgeschrieben?", "prufung_abgeschrieben"),
        ("Heißt das Straße?", "heisst_strasse"),
        ("Avez-vous déjà triché à l’examen ?", "triche_examen"),
        ("¿Ha copiado usted alguna vez en un examen?", "copiado_examen"),
        ("هل غششت في الامتحان؟", "q1"),
        ("Did you?", "q1"),
        ("", "q1"),
        ("2024?", "q1"),
        ("New?", "new_2"),
        ("Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen?", "donaudampfschifffahrtsge"),
        ("Evaded taxes, customs duties and everything else?", "evaded_taxes_customs"),
    ],
)
def test_a_name_is_made_of_the_words_that_say_something(text: str, name: str) -> None:
    assert made(text, set()) == name


def test_a_name_that_is_taken_gets_a_number() -> None:
    assert made("Copied?", {"copied"}) == "copied_2"
    assert made("Copied?", {"copied", "copied_2"}) == "copied_3"
    assert made("…", {"copied", "q2"}) == "q3"


@pytest.mark.parametrize("word", sorted(RESERVED))
def test_every_made_name_may_be_a_variable_name(word: str) -> None:
    for text in (word, f"{word}?", f"{word} {word}", f"1 {word}", "x" * 60 + word):
        name = made(text, set())
        assert VARIABLE_NAME.fullmatch(name)
        assert len(name) <= LENGTH + 2
        assert name not in RESERVED
        assert variable_name(name, set()) == name


def test_what_is_typed_is_kept() -> None:
    assert variable_name(" exam ", {"copied"}, "Have you ever copied?") == "exam"
    assert variable_name(" ", {"copied"}, "Have you ever copied?") == "copied_2"
