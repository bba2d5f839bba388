"""Reports, tallies and instruments by program."""

import pytest
from django.test import Client

from mechanisms import Tally
from surveys.definition.parsing import parse_instrument
from surveys.models import Instrument
from tests.api.test_reading import client_of, url
from tests.factories.inbox import run_next_timer
from tests.factories.many_responses import add_invented_responses
from tests.factories.surveys import create_published, post_response, response_body

pytestmark = pytest.mark.django_db


@pytest.fixture
def filled() -> Instrument:
    instrument = create_published()
    add_invented_responses(instrument, 300)
    return instrument


@pytest.fixture
def client(filled: Instrument) -> Client:
    return client_of(filled.survey.owner)


def test_confidence_and_interval_are_as_asked(client: Client, filled: Instrument) -> None:
    mechanism, counts = parse_instrument(filled).items[0].mechanism, filled.tally["counts"]["tax"]
    for interval in ("wilson", "wald", "exact", "likelihood"):
        report = client.get(url(filled, f"report/?confidence=0.8&interval={interval}")).json()
        expected = mechanism.estimate(Tally(300, counts), 0.8, interval).intervals[1]
        assert report["questions"][0]["choices"][1]["interval"] == pytest.approx(expected)


def test_a_report_on_a_group_by_background_answers(client: Client, filled: Instrument) -> None:
    group = client.get(url(filled, "report/?where=region:0")).json()
    everybody = client.get(url(filled, "report/")).json()
    assert group["n"] == filled.tally["counts"]["region"][0]
    assert group["n"] < everybody["n"] == 300
    assert client.get(url(filled, "report/?where=region:0,1")).json()["n"] == 300


def test_a_report_on_few_is_refused(client: Client) -> None:
    small = published_for(client)
    add_invented_responses(small, 40)
    answer = client.get(url(small, "report/?where=region:1"))
    assert (answer.status_code, answer.json()["type"]) == (422, "/problems/group-too-small")


def published_for(client: Client) -> Instrument:
    from tests.factories.surveys import add_background, add_yes_no, create_draft, publish_survey

    owner = Instrument.objects.get().survey.owner
    survey = create_draft(owner)
    add_yes_no(survey)
    add_background(survey)
    return publish_survey(survey)


@pytest.mark.parametrize(
    "query",
    [
        *(
            "confidence=2",
            "confidence=nan",
            "confidence=x",
            "confidence=0.5",
            "interval=magic",
            "x=1",
        ),
        *(
            "where=tax:1",
            "where=region:9",
            "where=region",
            "where=region:-1",
            "where=nothing:0",
            "where=region:%C2%B2",
        ),
    ],
)
def test_a_parameter_that_makes_no_sense_is_a_problem(
    client: Client, filled: Instrument, query: str
) -> None:
    answer = client.get(url(filled, f"report/?{query}"))
    assert (answer.status_code, answer["Content-Type"]) == (400, "application/problem+json")


def test_a_report_that_did_not_change_is_not_sent_again(client: Client, filled: Instrument) -> None:
    first = client.get(url(filled, "report/"))
    again = client.get(url(filled, "report/"), headers={"if-none-match": first["ETag"]})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    other = client.get(
        url(filled, "report/?confidence=0.9"), headers={"if-none-match": first["ETag"]}
    )
    assert other.status_code == 200
    assert (
        client.get(
            url(filled, "report/"), headers={"if-none-match": f'"x", W/{first["ETag"]}'}
        ).status_code
        == 304
    )
    add_invented_responses(filled, 50, seed=9)
    assert (
        client.get(url(filled, "report/"), headers={"if-none-match": first["ETag"]}).status_code
        == 200
    )


def test_a_waiting_response_does_not_change_the_etag_and_a_release_does(
    client: Client, filled: Instrument
) -> None:
    first = client.get(url(filled, "report/"))
    known = {"if-none-match": first["ETag"]}
    for _ in range(40):
        assert post_response(filled, response_body(filled)).status_code == 201
        assert client.get(url(filled, "report/"), headers=known).status_code == 304
    run_next_timer()
    later = client.get(url(filled, "report/"), headers=known)
    assert (later.status_code, later.json()["n"], later.json()["waiting"]) == (200, 320, 20)


def test_tallies_give_the_report_again(client: Client, filled: Instrument) -> None:
    tallies = client.get(url(filled, "tallies/")).json()
    assert (tallies["n"], tallies["instrument"]) == (300, filled.sha256)
    report = client.get(url(filled, "report/")).json()
    for item, question in zip(parse_instrument(filled).items, report["questions"], strict=True):
        if item.mechanism:
            estimate = item.mechanism.estimate(Tally(tallies["n"], tallies["counts"][item.key]))
            assert [choice["estimate"] for choice in question["choices"]] == pytest.approx(
                estimate.proportions
            )


def test_tallies_of_nobody_are_zeros() -> None:
    instrument = create_published()
    tallies = client_of(instrument.survey.owner).get(url(instrument, "tallies/")).json()
    assert tallies["counts"] == {"tax": [0, 0], "fruit": [0] * 5, "region": [0, 0]}


def test_an_instrument_is_found_by_its_hash_and_never_changes() -> None:
    instrument = create_published()
    address = f"/api/v1/instruments/{instrument.sha256}/"
    answer = Client().get(address)
    assert answer.content.decode() == instrument.content
    assert Client().get(address, headers={"if-none-match": answer["ETag"]}).status_code == 304
    assert Client().get(f"/api/v1/instruments/{'0' * 64}/").status_code == 404
