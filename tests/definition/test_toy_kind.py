"""A kind of mechanism is one class: this file adds one, and everything takes it from the draft to the files."""

import csv
import io
import json
import uuid
import zipfile
from fractions import Fraction

import numpy as np
import pyarrow.parquet as pq
import pytest

from mechanisms import Tally, checks
from mechanisms.chance import draw
from mechanisms.designs import specs
from mechanisms.designs.mechanism import Contrast, Mechanism
from mechanisms.designs.wire import Integers
from mechanisms.estimation.constrained import norm_sub
from mechanisms.estimation.decoding import Line
from surveys.authoring.drafts import drafts
from surveys.authoring.planning.precision import verdict
from surveys.definition.designs import catalogue
from surveys.definition.instrument import paper
from surveys.definition.odds import odds
from surveys.exchange.export.formats import FILES
from surveys.fieldwork.lifecycle import prepare, publish
from surveys.fieldwork.responses import Outcome, accept
from surveys.fieldwork.responses.closing import close_survey
from surveys.fieldwork.responses.records import encode
from surveys.models import Instrument
from surveys.results.estimates.report import report
from surveys.results.report.as_json import as_json
from surveys.results.report.methods import methods
from surveys.results.report.quality import check_counts, check_rows, worst
from tests import making
from tests.answered import answered
from tests.filed import send

pytestmark = pytest.mark.django_db
MOODS = ("Calm", "Sad", "Cross")


class Toy(Mechanism):
    """Keeps the answer with chance keep/den; else the report is any of all answers, the true one among them."""

    kind = name = "toy"
    keys = frozenset({"kind", "size", "keep", "den"})
    title = "A toy"
    description = "The answer is kept, or any answer is reported."
    source = "Toymaker, T. (2020). Toys. Journal of Toys, 1(1), 1–2."
    constrained_by = "Norm-Sub"

    def __init__(self, size, keep, den):
        self.size, self.keep, self.den = checks.size(size), keep, den
        self.other = Fraction(den - keep, den * size)
        self.own = Fraction(keep, den) + self.other

    @property
    def wire(self):
        return Integers(self.size)

    @property
    def epsilon(self):
        return float(np.log(float(self.own / self.other)))

    def contrast(self, answer=0):
        return Contrast("direct", self.own, self.other)

    def in_words(self):
        return f"the answer kept with probability {self.keep}/{self.den}"

    def chances(self):
        return [f"The answer is kept with probability {self.keep}/{self.den}."]

    def spec(self):
        return {"kind": "toy", "size": self.size, "keep": self.keep, "den": self.den}

    @classmethod
    def of_spec(cls, spec):
        return cls(spec["size"], spec["keep"], spec["den"])

    def probabilities(self):
        each = range(self.size)
        return tuple(tuple(self.own if truth == said else self.other for said in each) for truth in each)

    def draw(self, truth, next_uint32):
        kept = draw.uniform(self.den, next_uint32) < self.keep
        return truth if kept else draw.uniform(self.size, next_uint32)

    def randomize(self, truths, rng=None):
        rng = checks.generator(rng)
        kept = rng.integers(0, self.den, len(truths)) < self.keep
        return np.where(kept, truths, rng.integers(0, self.size, len(truths)))

    def tally(self, reports):
        return Tally(len(reports), np.bincount(reports, minlength=self.size))

    def check_tally(self, tally):
        if tally.counts.shape != (self.size,):
            raise ValueError("allowed are as many counts as there are answers")

    def line(self):
        return Line(np.full(self.size, float(self.other)), np.full(self.size, self.keep / self.den))

    def share_covariance(self, tally):
        shares = tally.counts / tally.n
        return np.diag(shares) - np.outer(shares, shares)

    def constrain(self, tally):
        return norm_sub(self.decode(tally.counts / tally.n))

    def maximum_likelihood(self, reports):
        return self.constrain(self.tally(reports))


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(specs.KINDS, Toy.kind, (Toy.keys, Toy.of_spec))
    design = catalogue.Design("toy", "A toy", {"p": "How often it is kept."}, _toy)
    monkeypatch.setitem(catalogue.DESIGNS, "toy", design)


def _toy(size: int, p: Fraction) -> Toy:
    return Toy(size, p.numerator, p.denominator)


def asked(**survey: object) -> Instrument:
    made = making.draft(**survey)
    drafts.save_question(
        survey=made, key="mood", text="How?", kind="choice", choices=MOODS, design="toy", parameters={"p": "1/2"}
    )
    making.background(made)
    return made


def written(instrument: Instrument) -> dict[str, bytes]:
    return {file.name: b"".join(file.stream(instrument)) for file in FILES}


def test_it_is_asked_answered_released_and_estimated(toys: None) -> None:
    survey = asked()
    item = paper(publish(survey)).items[0]
    assert item.mechanism == Toy(3, 1, 2)
    assert (odds(item).shape, odds(item).chosen, odds(item).other, odds(item).of) == ("direct", 4, 1, 6)
    assert verdict("choice", item.mechanism, 1000).needed > 0
    instrument = Instrument.objects.get(survey=survey)
    for report_, status in ((2, 201), (3, 422), ("2", 422), (None, 422)):
        body = making.body(instrument, reports={"mood": report_, "region": 0})
        assert making.send(instrument, body).status_code == status
    rng = np.random.default_rng(4)
    made = item.mechanism.randomize(np.zeros(400, int), rng).tolist()
    for number, mood in enumerate(made):
        record = encode(paper(instrument), {"mood": mood, "region": number % 2})
        assert accept(instrument, uuid.uuid4(), record) is Outcome.RECORDED
    close_survey(survey)
    found = report(Instrument.objects.get(pk=instrument.pk))
    calm = found.questions[0].choices[0]
    assert found.n == 401
    assert calm.interval[0] < 1
    assert calm.estimate == pytest.approx(1, abs=0.15)


def test_it_stands_in_every_file_and_comes_back_from_one(toys: None) -> None:
    survey = asked()
    instrument = publish(survey)
    answered(instrument, 300)
    instrument.refresh_from_db()
    files = written(instrument)
    assert zipfile.ZipFile(io.BytesIO(files["everything.zip"])).testzip() is None
    rows = list(csv.DictReader(io.StringIO(files["responses.csv"].decode())))
    objects = [json.loads(text) for text in files["responses.jsonl"].splitlines()]
    table = pq.read_table(io.BytesIO(files["responses.parquet"])).to_pylist()
    assert [int(row["mood"]) for row in rows] == [one["mood"] for one in objects] == [one["mood"] for one in table]
    result = report(instrument)
    assert [choice.observed for choice in result.questions[0].choices] == [
        pytest.approx([one["mood"] for one in objects].count(code) / 300) for code in range(3)
    ]
    book = json.loads(files["codebook.json"])["variables"][0]
    assert book["mechanism"] == {"kind": "toy", "size": 3, "keep": 1, "den": 2}
    assert [book["choices"][0][letter] for letter in "cd"] == [0.5, pytest.approx(1 / 6)]
    assert "kept with probability 1/2" in files["codebook.md"].decode()
    assert "c = rep(1/2, 3)" in files["analysis.R"].decode()
    assert 'key = "mood"' in files["analysis.R"].decode()
    paragraph = str(methods(paper(instrument), result))
    assert "A toy; the answer kept with probability 1/2" in paragraph
    assert "Toymaker, T. (2020)" in paragraph
    checked = check_counts(paper(instrument), result) + check_rows(paper(instrument), instrument)
    assert worst(checked) == "not contradicted"

    other = asked(owner=survey.owner, import_only=True)
    prepare(other, other.owner)
    other.refresh_from_db()
    file = send(other, files["responses.csv"])
    assert (file.state, file.rows) == ("done", 300)
    there = report(Instrument.objects.get(survey=other))
    assert as_json(there)["questions"] == as_json(result)["questions"]
