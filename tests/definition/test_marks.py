"""A choose-all question whose device picks a mark: from the draft to every file, and what the author is told."""

import csv
import io
import json
import re

import numpy as np
import pytest
from django.test import Client

from mechanisms import UnaryEncoding
from surveys.authoring.drafts import drafts
from surveys.authoring.files.survey_file import new_version
from surveys.definition.designs.levels import matching_level, recommend_design
from surveys.definition.parsing import parse_instrument
from surveys.export import find_file
from surveys.fieldwork.responses.records import InvalidReports, encode
from surveys.models import Instrument, Question, Survey
from surveys.results.estimates.question_report import QuestionReport
from surveys.results.estimates.report import report
from surveys.results.report.figures import shares_file
from surveys.results.report.headlines import Verdict, finding
from surveys.results.report.lines import shares_csv
from surveys.results.report.methods import methods
from surveys.results.report.quality import check_counts
from tests.factories import surveys
from tests.factories.responses import add_responses, release_reports
from tests.factories.surveys import publish_survey
from tests.helpers.report_api import report_json

pytestmark = pytest.mark.django_db
DRUGS = ("Cannabis", "Cocaine", "Ecstasy", "Heroin")


def asked(survey: Survey, labels: tuple[str, ...] = DRUGS, **more: object) -> Question:
    options = {"design": "balanced", "parameters": {}} | more
    return drafts.save_question(
        survey=survey, key="drugs", text="Which?", kind="any", choices=labels, **options
    )


def published(labels: tuple[str, ...] = DRUGS, **more: object) -> Instrument:
    survey = surveys.create_draft(**more)
    asked(survey, labels)
    surveys.add_background(survey)
    return publish_survey(survey)


def drugs(instrument: Instrument, **options: object) -> QuestionReport:
    return report(Instrument.objects.get(pk=instrument.pk), **options).questions[0]


def written(instrument: Instrument, name: str) -> bytes:
    return b"".join(find_file(name).stream(instrument))


class TestAuthoring:
    def test_a_level_is_marks(self) -> None:
        question = asked(surveys.create_draft())
        assert (question.design, question.parameters) == ("marks", {"epsilon": "1.0987"})
        assert matching_level(question.design, question.parameters, 4, "any") == "balanced"
        assert matching_level("unary-any", {"epsilon": "1.0987"}, 4, "any") is None

    def test_the_author_is_told_what_it_saves_and_what_it_cannot_say(self) -> None:
        assert recommend_design(10, "1.0987", "any").reason == (
            "The device picks one mark at random and uses all protection there: that needs 9 times fewer people than "
            "scrambling every mark. It shows how many chose each, not how many chose two together."
        )
        assert "needs 18 times fewer" in recommend_design(20, "1.0987", "any").reason
        assert "needs 47% fewer" in recommend_design(2, "1.0987", "any").reason

    @pytest.mark.parametrize("size", [2, 3, 11, 60, 100])
    def test_any_number_of_choices_from_2_to_100_can_be_published(self, size: int) -> None:
        survey = surveys.create_draft()
        asked(survey, tuple(f"Choice {number}" for number in range(size)), decline=True)
        (item,) = parse_instrument(publish_survey(survey)).items
        assert (item.size, item.report_format.size, item.mechanism.pick) == (size + 1, size + 1, 1)
        assert item.choices[-1] == "Prefer not to say"

    def test_scrambling_every_mark_can_still_be_chosen_and_is_kept_by_a_new_version(self) -> None:
        survey = surveys.create_draft()
        asked(survey, design="unary-any", parameters={"epsilon": "2"})
        first = publish_survey(survey)
        copied = new_version(survey, by=survey.owner).questions.get()
        assert (copied.design, copied.parameters) == ("unary-any", {"epsilon": "2"})
        assert isinstance(parse_instrument(first).items[0].mechanism, UnaryEncoding)


class TestSending:
    @pytest.mark.parametrize("good", ["0---", "---1"])
    def test_a_report_is_stored_as_what_was_picked_and_what_is_set(self, good: str) -> None:
        instrument = published()
        reports = {"drugs": good, "region": 1}
        answer = surveys.post_response(
            instrument, surveys.response_body(instrument, reports=reports)
        )
        assert answer.status_code == 201
        picked = "".join("0" if mark == "-" else "1" for mark in good)
        expected = bytes([int(picked, 2) << 4, int(good.replace("-", "0"), 2) << 4, 1])
        assert encode(parse_instrument(instrument), reports) == expected

    @pytest.mark.parametrize(
        "wrong", ["----", "01--", "0--", "0----", "2---", "0101", "", 1, None, "0-–-"]
    )
    def test_anything_else_is_422_and_nothing_is_stored(self, wrong: object) -> None:
        instrument = published()
        body = surveys.response_body(instrument, reports={"drugs": wrong, "region": 1})
        answer = surveys.post_response(instrument, body)
        assert answer.status_code == 422
        with pytest.raises(
            InvalidReports,
            match="The report of drugs must be a string of 4 characters, one of them",
        ):
            encode(parse_instrument(instrument), body["reports"])


class TestReport:
    def test_each_answer_has_the_respondents_whose_device_picked_it(self) -> None:
        instrument = published()
        add_responses(instrument, 2000, drugs=np.tile([1, 0, 0, 1], (2000, 1)))
        question = drugs(instrument)
        assert question.picks
        assert question.n == sum(choice.n for choice in question.choices) == 2000
        assert [choice.estimate > 0.6 for choice in question.choices] == [True, False, False, True]
        for choice in question.choices:
            r = choice.observed
            assert choice.standard_error == pytest.approx(2 * (r * (1 - r) / choice.n) ** 0.5)
        travelled = report_json(report(Instrument.objects.get(pk=instrument.pk)))["questions"][0]
        assert [choice["n"] for choice in travelled["choices"]] == [
            choice.n for choice in question.choices
        ]
        rows = list(
            csv.DictReader(
                io.StringIO(shares_csv(report(Instrument.objects.get(pk=instrument.pk)), "drugs"))
            )
        )
        assert [int(row["n"]) for row in rows] == [choice.n for choice in question.choices]

    def test_an_answer_that_nobody_was_asked_has_no_number_and_says_so(
        self, client: Client
    ) -> None:
        instrument = published()
        release_reports(
            instrument,
            [{"drugs": report, "region": 0} for report in ["1---", "-0--", "--0-", "0---"] * 20],
        )
        question = drugs(instrument)
        heroin = question.choices[3]
        assert (heroin.n, heroin.estimate, heroin.interval, heroin.constrained) == (
            0,
            None,
            None,
            None,
        )
        assert "Too few" in finding(question).sentence
        client.force_login(instrument.survey.owner)
        page = client.get(
            f"/surveys/{instrument.survey.slug}/report/?everything=yes"
        ).content.decode()
        assert "No device picked this answer." in page
        assert "no one was asked" in page
        for text in (
            page,
            json.dumps(
                report_json(report(Instrument.objects.get(pk=instrument.pk))), allow_nan=False
            ),
        ):
            assert not re.search(r"\bnan\b", text, re.IGNORECASE)
        assert "no one was asked" in shares_file(
            report(Instrument.objects.get(pk=instrument.pk)), question
        )
        for option in ("exact", "wald", "likelihood"):
            assert (
                client.get(
                    f"/surveys/{instrument.survey.slug}/report/?interval={option}"
                ).status_code
                == 200
            )

    def test_few_of_each_answer_are_few_however_many_there_are_together(self) -> None:
        instrument = published(tuple(f"Choice {number}" for number in range(20)))
        add_responses(instrument, 400)
        found = finding(drugs(instrument))
        assert found.verdict == Verdict.FEW
        assert re.fullmatch(
            r"Too few responses to report: 400; each option was picked at least \d+ times\.",
            found.sentence,
        )

    def test_the_page_shows_how_many_were_asked(self, client: Client) -> None:
        instrument = published()
        add_responses(instrument, 2000)
        client.force_login(instrument.survey.owner)
        page = client.get(
            f"/surveys/{instrument.survey.slug}/report/?everything=yes"
        ).content.decode()
        assert "Picked</th>" in page
        for choice in drugs(instrument).choices:
            assert f"<bdi>{choice.n}</bdi>" in page
        assert "Add up the shares" not in page

    def test_methods_and_codebook_say_how_it_was_done(self) -> None:
        instrument = published()
        add_responses(instrument, 500)
        text = str(
            methods(parse_instrument(instrument), report(Instrument.objects.get(pk=instrument.pk)))
        )
        assert (
            "of 4 marks one is picked at random and reported, turned over with probability 1/4"
            in text
        )
        assert "Wang, N., Xiao, X." in text
        book = json.loads(written(instrument, "codebook.json"))["variables"][0]
        assert book["report"].startswith(
            "4 columns, one for each choice in their order: 0 or 1, and empty"
        )
        assert book["how_to_correct"].startswith(
            "r is the share of marks 1 among the cells of a choice that are not"
        )
        assert [book["choices"][0][letter] for letter in "cd"] == [0.5, 0.25]
        assert (
            "picked evenly. It is true with probability 3/4"
            in written(instrument, "README.txt").decode()
        )


class TestFiles:
    def test_scripts_take_the_columns(self) -> None:
        instrument = published()
        add_responses(instrument, 60)
        script = written(instrument, "analysis.R").decode()
        assert 'columns = c("drugs_1", "drugs_2", "drugs_3", "drugs_4")' in script
        assert "c = rep(1/2, 4)" in script
        assert 'constrain = "each"' in script
        assert "    drugs_1 F1.0" in written(instrument, "import.sps").decode()
        assert "drugs_4" in written(instrument, "import.do").decode()


class TestQuality:
    def test_what_is_aimed_at_one_answer_shows(self) -> None:
        instrument = published()
        add_responses(instrument, 1000)
        release_reports(instrument, [{"drugs": "--1-", "region": 0}] * 300)
        result = report(Instrument.objects.get(pk=instrument.pk))
        (check,) = [
            each
            for each in check_counts(parse_instrument(instrument), result)
            if each.name == "What was picked"
        ]
        assert check.verdict == "impossible"
        assert "“Ecstasy” came" in check.finding
        assert "325.0 times on average" in check.finding

    def test_a_share_that_the_design_cannot_make_is_judged_by_those_asked(self) -> None:
        """Of 1,000 who were asked 100 have a mark; the design gives 250 at least."""
        instrument = published()
        release_reports(
            instrument,
            [{"drugs": report, "region": 0} for report in (["1---"] + ["0---"] * 9) * 100],
        )
        result = report(Instrument.objects.get(pk=instrument.pk))
        shares = next(
            each
            for each in check_counts(parse_instrument(instrument), result)
            if each.name == "Observed shares"
        )
        assert shares.verdict == "impossible"
