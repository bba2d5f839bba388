"""What is handed out of a published survey: its link, a code and a poster that lead to it, and a text for a mail."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from surveys.fieldwork.link import invitation_text
from surveys.models import Survey
from tests.factories.surveys import add_background, add_yes_no, create_draft, publish_survey

pytestmark = pytest.mark.django_db


@pytest.fixture
def survey(ada: User) -> Survey:
    survey = create_draft(ada)
    add_yes_no(survey)
    return survey


def test_the_qr_code_and_the_poster_lead_to_the_survey(client: Client, survey: Survey) -> None:
    assert client.get(f"/surveys/{survey.slug}/poster/").status_code == 409
    publish_survey(survey)
    code = client.get(f"/surveys/{survey.slug}/qr.svg")
    assert code["Content-Type"] == "image/svg+xml"
    assert code.content.startswith(b"<svg")
    assert b"style=" not in code.content
    assert (
        f"http://testserver/s/{survey.slug}/"
        in client.get(f"/surveys/{survey.slug}/poster/").content.decode()
    )
    picture = client.get(f"/surveys/{survey.slug}/qr.png")
    assert (picture["Content-Type"], picture.content[:8]) == ("image/png", b"\x89PNG\r\n\x1a\n")


@pytest.mark.parametrize(
    ("kinds", "said"),
    [
        ((add_yes_no,), (True, False)),
        ((add_background,), (False, False)),
        ((add_yes_no, add_background), (True, True)),
    ],
)
def test_a_mail_promises_what_the_questions_hold(kinds: tuple, said: tuple[bool, bool]) -> None:
    survey = create_draft(title="Fruit & theft", contact="Ada Lovelace, ada@example.org")
    for kind in kinds:
        kind(survey)
    publish_survey(survey)
    written = invitation_text(survey, "https://example.org/s/x/")
    assert written.subject == "Fruit & theft"
    assert "https://example.org/s/x/" in written.text.splitlines()
    assert (
        "Your device scrambles" in written.text,
        "Other answers are not scrambled" in written.text,
    ) == said
    assert written.text.endswith("\n\nAda Lovelace, ada@example.org\n")


CHANCE = "By pure chance, a guess between two answers is right 50 times in 100."
DEVICE = "Your device scrambles each sensitive answer before sending it: it mixes in chance."
OTHER = "Each sensitive answer is scrambled by chance before it is sent."


@pytest.mark.parametrize(
    ("count", "drawn", "mode", "numbers"),
    [
        (
            1,
            None,
            "automatic",
            f"{DEVICE} {CHANCE} With your scrambled answer: at most 75. That is a weak hint.",
        ),
        (
            3,
            1,
            "automatic",
            f"{DEVICE} {CHANCE} With your scrambled answer: at most 75. That is a weak hint.",
        ),
        (
            *(2, None, "spinner"),
            f"{OTHER} {CHANCE} With one of your scrambled answers: at most 75. With all of them: at most 90. "
            "That is a hint, not a certainty.",
        ),
        (
            *(3, None, "automatic"),
            f"{DEVICE} {CHANCE} With one of your scrambled answers: at most 75. With all of them: at most 97. "
            "That is strong evidence.",
        ),
        (
            *(5, None, "automatic"),
            f"{DEVICE} {CHANCE} With one of your scrambled answers: at most 75. With all of them: more than 99. "
            "That is strong evidence.",
        ),
    ],
)
def test_a_mail_has_the_numbers_of_its_survey(
    count: int, drawn: int | None, mode: str, numbers: str
) -> None:
    """Of one answer and of all that a person is asked, rounded up; with the words that fit the larger one."""
    survey = create_draft()
    for number in range(count):
        add_yes_no(
            survey, f"q{number}", mode=mode if number == 0 else "automatic", drawn=drawn is not None
        )
    Survey.objects.update(draw=drawn)
    publish_survey(Survey.objects.get())
    assert numbers in invitation_text(Survey.objects.get(), "https://example.org/s/x/").text.split(
        "\n\n"
    )


@pytest.mark.parametrize(
    ("language", "numbers"),
    [
        (
            "de",
            "Ihr Gerät verändert jede heikle Antwort durch Zufall, bevor es sie sendet. Durch reinen Zufall rät man "
            "zwischen zwei Antworten 50 von 100 Mal richtig. Mit einer Ihrer durch Zufall veränderten Antworten: "
            "höchstens 75. Mit allen: höchstens 90. Das ist ein Hinweis, keine Gewissheit.",
        ),
        (
            "fr",
            "Votre appareil brouille chaque réponse sensible avant de l’envoyer : il y mêle du hasard. Par pur hasard, "
            "on devine juste entre deux réponses 50 fois sur 100. Avec une de vos réponses brouillées : au plus 75. "
            "Avec toutes : au plus 90. C’est un indice, pas une certitude.",
        ),
        (
            "es",
            "Su dispositivo mezcla con el azar cada respuesta delicada antes de enviarla. Por puro azar se acierta "
            "entre dos respuestas 50 de cada 100 veces. Con una de sus respuestas mezcladas con el azar: como mucho "
            "75. Con todas: como mucho 90. Es un indicio, no una certeza.",
        ),
        (
            "ar",
            "يخلط جهازك كل إجابة حساسة بالعشوائية قبل إرسالها. الصدفة وحدها تصيب في التخمين بين إجابتين 50 مرة من كل "
            "100. ومع واحدة من إجاباتك المخلوطة بالعشوائية: 75 على الأكثر. "
            "ومعها كلها: 90 على الأكثر. هذه قرينة وليست يقينًا.",
        ),
    ],
)
def test_a_mail_speaks_the_surveys_language(language: str, numbers: str) -> None:
    survey = create_draft(language=language)
    add_yes_no(survey)
    add_yes_no(survey, "other")
    publish_survey(survey)
    assert numbers in invitation_text(survey, "https://example.org/s/x/").text.split("\n\n")


def test_the_surveys_page_has_the_link_and_the_text_to_share(
    client: Client, survey: Survey
) -> None:
    publish_survey(survey)
    page = client.get(f"/surveys/{survey.slug}/").content.decode()
    assert page.count(f'href="http://testserver/s/{survey.slug}/"') == 1
    assert "Please take part in our survey" in page
