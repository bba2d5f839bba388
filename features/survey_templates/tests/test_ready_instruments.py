"""Ready instruments: each is whole in both languages, publishes once it is filled in, and shows what it promises."""

import json
import re
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client

from features.survey_templates import catalogue as ready
from surveys.authoring.drafts.drafts import update_settings
from surveys.authoring.files import survey_file
from surveys.authoring.planning.checklist import FINE, MUST, points
from surveys.authoring.planning.overview import survey_overview
from surveys.authoring.planning.wording_advice import advise
from surveys.definition import placeholders, text_places
from surveys.fieldwork.lifecycle import check_publishable
from surveys.models import Question, Survey
from surveys.site.errors import Refused
from tests.factories.surveys import add_yes_no, create_draft, create_researcher, publish_survey

pytestmark = pytest.mark.django_db
WIDEST = {  # of its shares that all may be asked, at Strong, Balanced and Light: docs of each level's price
    "cheating": (2, 7, 3000, 10.0, 6.7, 5.6),
    "research": (2, 8, 3000, 10.7, 7.1, 5.9),
    "tax": (2, 4, 2500, 8.3, 5.5, 4.6),
    "bribery": (2, 3, 2000, 8.0, 5.4, 4.5),
    "health": (2, 8, 3000, 10.7, 7.1, 5.9),
    "alcohol": (2, 4, 2000, 9.3, 6.2, 5.2),
    "doping": (2, 3, 1800, 8.5, 5.6, 4.7),
    "harassment": (2, 4, 3200, 9.8, 6.1, 4.9),
    "violence": (2, 4, 3200, 9.8, 6.1, 4.9),
    "voting": (2, 3, 2500, 11.7, 7.2, 5.6),
}
ON_PATH = {
    ("tax", "income"): 7.1,
    ("tax", "costs"): 7.1,
}  # of a share that 60 in 100 are expected to be asked about
MEANS = {
    ("tax", "hours"): 2.5,
    ("health", "days"): 2.4,
    ("alcohol", "drinks"): 2.8,
}  # in their own units
KEYS = tuple(ready.READY)
# The German words of docs/glossary.md are held to by people; these are the ones that it does not want.
UNWANTED = re.compile(r"verwürfel|Rückmeldung|Forscher\b|Telefon|Epsilon", re.IGNORECASE)
KINDS, MODES = Question.Kind, Question.Mode
TEXTS = {
    "title",
    "introduction",
    "contact",
    "consent",
    "after_sending",
    "after_declining",
    "help_lines",
}
BLANK = re.compile(r"\[\[.*?\]\]", re.DOTALL)
BLANKS = {"contact", "help lines", "contact in Deutsch", "help lines in Deutsch"}


@pytest.fixture(params=KEYS)
def seen(request: pytest.FixtureRequest) -> ready.Look:
    return ready.look(ready.READY[request.param], create_researcher())


def filled_in(survey: Survey) -> Survey:
    """The same survey, with the words of each blank as if they were what belongs there."""
    text = BLANK.sub(
        lambda blank: blank[0].strip("[]"),
        json.dumps(survey_file.write(survey), ensure_ascii=False),
    )
    return survey_file.read(json.loads(text), owner=survey.owner)


def test_ten_are_listed_and_each_file_is_one_of_them() -> None:
    files = {file.stem for file in Path(ready.FOLDER).glob("*.json")} - {"catalogue"}
    assert len(KEYS) == 10
    assert (
        files == set(KEYS) >= {"tax", "doping", "harassment", "health", "cheating"}
    )  # programs know these


@pytest.mark.parametrize("key", KEYS)
def test_a_file_is_whole_in_both_languages_and_waits_only_for_what_its_author_knows(
    key: str,
) -> None:
    survey = ready.start(ready.READY[key], create_researcher())
    written = json.loads((ready.FOLDER / f"{key}.json").read_text(encoding="utf-8"))
    written |= {"target": ready.READY[key].target}  # which stands in the catalogue
    assert (
        json.loads(survey_file.as_text(survey)) == written == ready.READY[key].file
    )  # keys of a condition in any order
    assert (survey.languages, survey.asks_consent) == (("en", "de"), True)
    said = text_places.iter_texts(survey)
    assert {place.name for place in said} >= TEXTS
    assert [place for place in said if UNWANTED.search(place.text.others["de"])] == []
    assert {str(blank) for blank in placeholders.find_placeholders(survey)} >= BLANKS
    done = filled_in(survey)
    assert done.target == survey.target
    assert check_publishable(done)
    assert [
        point.short for point in points(done, survey_overview(done)) if point.severity != FINE
    ] == []


def test_its_questions_are_worded_as_the_editor_advises(seen: ready.Look) -> None:
    for item in seen.paper.items:
        assert advise(item.text) == advise(item.text.in_language("de"), "de") == []
        assert (
            item.mechanism or item.choices[-1] == "Prefer not to say"
        )  # nobody has to say who they are


def test_it_is_calm_and_every_question_has_a_number_at_its_own_target(
    seen: ready.Look, ada: User
) -> None:
    """The published table: questions, people, and the widest share at each level."""
    count, of, n, *margins = WIDEST[seen.ready.key]
    assert (seen.survey.protection, seen.overview.protection.max_guess_rates) == (
        "balanced",
        (75, 90),
    )
    assert (seen.overview.draw.count, len(seen.overview.draw.of), seen.ready.target) == (
        count,
        of,
        n,
    )
    shown = [line.verdict for line in seen.overview.sensitive]
    assert all(verdict.n == n and not verdict.is_withheld for verdict in shown)
    survey = ready.start(seen.ready, ada)
    for level, margin in zip(("strong", "balanced", "light"), margins, strict=True):
        held = update_settings(survey, {"protection": level})
        lines = [
            line
            for line in survey_overview(held).sensitive
            if not line.when and line.verdict.span is None
        ]
        assert 100 * max(line.verdict.margin for line in lines) == pytest.approx(
            margin, abs=0.051
        ), level
    shares = [
        line.verdict
        for line in seen.overview.sensitive
        if line.verdict.span is None and not line.when
    ]
    assert seen.ready.widest == max(
        shares, key=lambda verdict: verdict.margin
    )  # told before there is a draft


def test_shares_on_a_path_and_means_are_as_wide_as_the_table_says(ada: User) -> None:
    seen = {
        key: {line.key: line.verdict for line in ready.look(ready.READY[key], ada).overview.lines}
        for key in KEYS
    }
    assert {at: round(100 * seen[at[0]][at[1]].margin, 1) for at in ON_PATH} == ON_PATH
    assert {at: round(seen[at[0]][at[1]].mean_margin, 1) for at in MEANS} == MEANS


def test_no_text_relies_on_another_question_or_promises_too_much(seen: ready.Look) -> None:
    """Of the sensitive questions each person gets two, so another one may be missing."""
    helps = [item.help for item in seen.paper.items if item.mechanism]
    assert not [text for text in helps if re.search(r"question before|Frage davor", str(text))]
    said = str(seen.survey.introduction) + str(seen.survey.consent)
    assert not re.search(r"\bnever\b|nothing is stored", said, re.IGNORECASE)


def test_its_sources_are_cited_in_full(seen: ready.Look) -> None:
    assert seen.ready.sources
    assert all(re.search(r"\((19|20)\d\d\)\. .{20}", source) for source in seen.ready.sources)


def test_all_of_them_together_show_every_way_of_asking(ada: User) -> None:
    papers = [ready.look(each, ada).paper for each in ready.READY.values()]
    items = [item for paper in papers for item in paper.items]
    # Of written answers only their author knows the candidates; several answers are rows, which show more.
    assert {item.kind for item in items} == {*KINDS.values} - {
        KINDS.NUMBER,
        KINDS.WRITTEN,
        KINDS.ANY,
    }
    assert {item.mode for item in items} == {*MODES.values}
    assert any(item.grid for item in items)
    assert any(item.when for item in items)
    assert any(paper.draw for paper in papers)
    assert any(paper.shared_device for paper in papers)


def test_the_list_leads_to_a_look_and_from_there_to_a_draft(client: Client, ada: User) -> None:
    page = client.get("/surveys/ready/").content.decode()
    assert all(f'href="/surveys/ready/{key}/"' in page for key in KEYS)
    look = client.get("/surveys/ready/research/").content.decode()
    seen = ready.look(ready.READY["research"], ada)
    for part in (
        "±7.1 points",
        "each person 2 of 8",
        "3,000",
        "Fill in the texts in double square brackets",
    ):
        assert part in look
    assert all(line.text in look for line in seen.overview.lines)
    assert all(source.split("(")[0].rstrip(" ,&") in look for source in seen.ready.sources)
    assert 'name="ready" value="research"' in look
    assert client.get("/surveys/ready/nothing/").status_code == 404
    client.post("/surveys/ready/", {"ready": "research"})
    assert Survey.objects.get().title == "Research practice"


@pytest.mark.parametrize("key", KEYS)
def test_it_is_seen_as_respondents_see_it_and_nothing_is_stored(
    client: Client, ada: User, key: str
) -> None:
    page = client.get(f"/surveys/ready/{key}/preview/")
    said = page.content.decode()
    assert ready.READY[key].title in said
    assert "<h2" in said
    assert f'href="/surveys/ready/{key}/"' in said  # back
    assert f'href="/surveys/ready/{key}/preview/help/"' in said
    assert page["Referrer-Policy"] == "no-referrer"  # the headers of a respondents' page
    help_page = client.get(f"/surveys/ready/{key}/preview/help/").content.decode()
    assert f'href="/surveys/ready/{key}/preview/"' in help_page
    assert Survey.objects.count() == 0


def test_a_blank_that_is_left_stops_publishing_and_is_named_with_its_place() -> None:
    survey = create_draft(contact="[[who asks]]", help_lines="[single] brackets, or [[ alone")
    add_yes_no(survey)
    assert placeholders.placeholder_problem(survey) == (
        "Fill in the texts in double square brackets [[ ]]: contact."
    )
    with pytest.raises(Refused, match="contact"):
        publish_survey(survey)
    survey.contact = "Ada"
    survey.save()
    survey.questions.update(text="Did you vote in [[the election\nand its day]]?")
    point = next(
        point for point in points(survey, survey_overview(survey)) if point.severity == MUST
    )
    assert (point.short, point.mend, point.question) == ("1 to fill in", "question", "tax")
    survey.questions.update(
        text="Did you vote?", translations={"de": {"text": "Haben Sie [[bei der Wahl]] gewählt?"}}
    )
    assert placeholders.find_placeholders(survey) == []  # German is no language of it
    survey.further_languages = ["de"]
    survey.save()
    assert [str(blank) for blank in placeholders.find_placeholders(survey)] == [
        "question 1 (tax), question in Deutsch"
    ]
    assert "languages" in {
        point.mend for point in points(survey, survey_overview(survey)) if "fill in" in point.short
    }


def test_an_empty_list_offers_three_ways_to_start(client: Client, ada: User) -> None:
    page = client.get("/surveys/").content.decode()
    assert "No surveys yet." in page
    assert all(f'<h2><a href="/surveys/{way}/">' in page for way in ("new", "ready", "import"))
    assert "<table" not in page
