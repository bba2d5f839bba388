"""Variable names made from the texts of questions."""

import pytest

from surveys.authoring.drafts.text_checks import VARIABLE_NAME, variable_name
from surveys.authoring.drafts.variable_names import LENGTH, RESERVED, suggest_variable_name
from surveys.definition.negations import NEGATIONS


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
    assert suggest_variable_name(text, set()) == name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Did you not declare all your income?", "not_declare_all_income"),
        ("Have you had sex without a condom?", "sex_without_condom"),
        ("Have you had sex with a condom?", "sex_condom"),
        ("Were you ever off sick without being ill?", "off_sick_without_being"),
        ("How many papers of yours have an author who did not earn it?", "papers_author_not_earn"),
        ("Have you never taken drugs?", "never_taken_drugs"),
        ("Didn’t you pay?", "not_pay"),
        ("Didn't you pay?", "not_pay"),
        ("Didnt you pay?", "not_pay"),
        ("Didn´t you pay?", "not_pay"),
        ("Did nobody see you?", "nobody_see"),
        ("Haben Sie Einkünfte nicht angegeben?", "nicht_angegeben"),
        ("Waren Sie ohne Fahrschein unterwegs?", "ohne_fahrschein"),
        ("Haben Sie nie gelogen?", "nie_gelogen"),
        ("Haben Sie keine Steuern gezahlt?", "keine_steuern_gezahlt"),
        ("N’avez-vous pas déclaré vos revenus ?", "pas_declare_revenus"),
        ("Avez-vous payé sans facture ?", "paye_sans_facture"),
        ("N’avez-vous jamais triché ?", "jamais_triche"),
        ("N’avez-vous plus payé ?", "plus_paye"),
        ("Avez-vous plus payé ?", "paye"),
        ("¿No ha declarado sus ingresos?", "no_declarado_ingresos"),
        ("¿Nunca ha copiado?", "nunca_copiado"),
        ("¿Ha conducido sin permiso?", "conducido_sin_permiso"),
        ("ألا تعرف؟ لم تستخدم Ritalin", "not_ritalin"),
        ("هل استخدمت Ritalin بدون وصفة Rx", "ritalin_without_rx"),
        ("لم تدفع الضريبة أبدا", "q1"),
    ],
)
def test_a_name_keeps_negations(text: str, name: str) -> None:
    assert suggest_variable_name(text, set()) == name


@pytest.mark.parametrize("negation", sorted(word for word in NEGATIONS if word.isascii()))
def test_a_negation_late_in_the_question_is_kept_with_the_word_after_it(negation: str) -> None:
    name = suggest_variable_name(
        f"Cash from several private lessons during the summer holidays: {negation} reported?", set()
    )
    assert f"_{negation}_reported" in name


def test_a_name_without_room_for_all_negations_is_a_number() -> None:
    assert (
        suggest_variable_name("Nobody without nothing neither reported nor declared", set()) == "q1"
    )


def test_a_name_that_is_taken_gets_a_number() -> None:
    assert suggest_variable_name("Copied?", {"copied"}) == "copied_2"
    assert suggest_variable_name("Copied?", {"copied", "copied_2"}) == "copied_3"
    assert suggest_variable_name("…", {"copied", "q2"}) == "q3"


@pytest.mark.parametrize("word", sorted(RESERVED))
def test_every_made_name_may_be_a_variable_name(word: str) -> None:
    for text in (word, f"{word}?", f"{word} {word}", f"1 {word}", "x" * 60 + word):
        name = suggest_variable_name(text, set())
        assert VARIABLE_NAME.fullmatch(name)
        assert len(name) <= LENGTH + 2
        assert name not in RESERVED
        assert variable_name(name, set()) == name


def test_what_is_typed_is_kept() -> None:
    assert variable_name(" exam ", {"copied"}, "Have you ever copied?") == "exam"
    assert variable_name(" ", {"copied"}, "Have you ever copied?") == "copied_2"
