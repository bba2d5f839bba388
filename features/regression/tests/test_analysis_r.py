"""The R script's tables, groups and weights are those of the page, computed by R itself from the exported rows."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from surveys.export.formats import find_file
from surveys.models import Instrument
from tests.factories.analysis_surveys import MATRIX, get_api, owner_client, publish_import_survey
from tests.factories.responses import add_responses, release_reports
from tests.factories.surveys import (
    add_background,
    add_choice,
    add_yes_no,
    create_draft,
    publish_survey,
)
from tests.helpers.exports import csv_of
from tests.servers import subprocesses
from tests.servers.r import RSCRIPT, needs_r

pytestmark = [pytest.mark.django_db, pytest.mark.once]
TABLES = [
    ("region", "tax"),
    ("tax", "fruit"),
    ("region", "way"),
    ("way:2", "tax"),
    ("pets", "region"),
    ("tax", "beasts:3"),
    ("region", "pets"),
    ("way:2", "region"),
    ("region", "sex"),
]
COMPARED = [("tax", 1), ("fruit", 0), ("way", 2), ("pets", 1), ("beasts", 3), ("near", 1)]
MARGINS = {"region": [0.2, 0.3, 0.5], "sex": [0.45, 0.55]}
TO_JSON = """
plain <- function(x) {
  if (is.null(x)) return("null")
  if (is.data.frame(x)) x <- as.list(x)
  if (is.list(x)) return(paste0("{", paste(sprintf('"%s":%s', names(x), vapply(x, plain, "")), collapse = ","), "}"))
  values <- if (is.numeric(x)) ifelse(is.na(x), "null", sprintf("%.17g", x)) else sprintf('"%s"', x)
  if (length(x) == 1 && is.null(names(x))) return(values)
  if (!is.null(names(x))) return(paste0("{", paste(sprintf('"%s":%s', names(x), values), collapse = ","), "}"))
  paste0("[", paste(values, collapse = ","), "]")
}
"""


@pytest.fixture(scope="module")
def columns() -> dict[str, np.ndarray]:
    rng, n = np.random.default_rng(8), 2500
    region, sex = rng.choice(3, n, p=[0.5, 0.3, 0.2]), rng.integers(0, 2, n)
    return {
        "region": region,
        "sex": sex,
        "tax": (rng.random(n) < 0.2 + 0.2 * region).astype(int),
        "fruit": np.where(rng.random(n) < 0.5, region, rng.integers(0, 4, n)),
    }


@pytest.fixture
def made(columns: dict[str, np.ndarray]) -> Instrument:
    survey = create_draft()
    add_yes_no(survey)
    add_choice(survey)
    add_choice(
        survey, "way", ["By car", "By bus", "On foot"], design="direct", parameters={"epsilon": "2"}
    )
    add_choice(
        survey, "pets", ["Cat", "Dog"], kind="any", design="unary-any", parameters={"epsilon": "3"}
    )
    add_yes_no(survey, "near", parameters={"p": "99/100"})
    beasts = [f"Beast {v}" for v in range(8)]
    add_choice(survey, "beasts", beasts, kind="any", design="marks", parameters={"epsilon": "1.6"})
    add_background(survey, labels=("North", "East", "South"))
    add_background(survey, "sex", ("Female", "Male"))
    made = publish_survey(survey)
    add_responses(made, 2500, **columns)
    return Instrument.objects.get(pk=made.pk)


def run(made: Instrument, folder: Path, calls: dict[str, str]) -> dict:
    """What these calls give, by name."""
    (folder / "responses.csv").write_text(csv_of(made), encoding="utf-8", newline="")
    script = b"".join(find_file("analysis.R").stream(made)).decode() + TO_JSON
    found = ", ".join(f"`{name}` = {call}" for name, call in calls.items())
    script += f'writeLines(plain(list({found})), "found.json")\n'
    (folder / "analysis.R").write_text(script, encoding="utf-8")
    command = [RSCRIPT, "--vanilla", "analysis.R", "responses.csv"]
    subprocesses.run(command, cwd=folder)
    return json.loads((folder / "found.json").read_text(encoding="utf-8"))


def close(found: list, expected: list) -> None:
    assert [value is None for value in found] == [value is None for value in expected]
    pairs = [(a, b) for a, b in zip(found, expected, strict=True) if a is not None]
    assert [a for a, _ in pairs] == pytest.approx([b for _, b in pairs], rel=1e-7, abs=1e-9)


def flat(cells: list[list], *path: str | int) -> list:
    return [follow(cell, path) for row in cells for cell in row]


def follow(cell: dict | None, path: tuple) -> float | None:
    for step in path:
        cell = None if cell is None else cell[step]
    return cell


def expect_same_test(found: dict, expected: dict) -> None:
    """Expect the same test of independence, where R draws other permutations."""
    for name in ("statistic", "degrees", "draws"):
        assert found[name] == pytest.approx(expected[name], rel=1e-7)
    assert found["method"] == expected["method"]
    p_value = expected["p_value"]
    tolerance = 1e-9
    if expected["draws"]:
        tolerance = 4 * math.sqrt(2 * p_value * (1 - p_value) / expected["draws"])
    assert found["p_value"] == pytest.approx(p_value, rel=1e-7, abs=tolerance)


@needs_r
def test_tables_of_two_questions(made: Instrument, tmp_path: Path) -> None:
    client = owner_client(made)
    found = run(made, tmp_path, {f"{a} {b}": f'crosstab("{a}", "{b}")' for a, b in TABLES})
    for a, b in TABLES:
        page, table = (
            get_api(client, made, f"table/?rows={a}&columns={b}").json(),
            found[f"{a} {b}"],
        )
        assert table["n"] == page["n"]
        labels = [
            (row, column) for row in page["rows"]["labels"] for column in page["columns"]["labels"]
        ]
        assert list(zip(table["cells"]["row"], table["cells"]["column"], strict=True)) == labels
        for name, path in (
            ("share", ("share",)),
            ("standard_error", ("standard_error",)),
            ("low", ("interval", 0)),
        ):
            close(table["cells"][name], flat(page["cells"], *path))
        for side in ("of_row", "of_column"):
            close(table["cells"][side], flat(page[f"{side}s"], "share"))
            close(table["cells"][f"{side}_low"], flat(page[f"{side}s"], "interval", 0))
            close(table["cells"][f"{side}_high"], flat(page[f"{side}s"], "interval", 1))
        expect_same_test(table["independence"], page["independence"])
        for name in ("phi", "odds_ratio"):
            assert (table.get(name) is None) == (page[name] is None)
            if page[name]:
                expected = [
                    page[name]["value"],
                    page[name]["standard_error"],
                    *page[name]["interval"],
                ]
                close(list(table[name].values()), expected)


@needs_r
def test_tables_of_few_people_are_tested_by_permutation(tmp_path: Path) -> None:
    """Random tables for two questions with one report each, permuted rows where one sends bits."""
    survey = create_draft()
    add_choice(survey)
    add_choice(
        survey, "pets", ["Cat", "Dog"], kind="any", design="unary-any", parameters={"epsilon": "3"}
    )
    add_background(survey, labels=("North", "East", "South"))
    instrument = publish_survey(survey)
    rng = np.random.default_rng(13)
    region = rng.integers(0, 3, 120)
    pets = (rng.random((120, 2)) < 0.3 + 0.1 * region[:, np.newaxis]).astype(int)
    fruit = rng.integers(0, 4, 120)
    add_responses(instrument, 120, region=region, pets=pets, fruit=fruit)
    instrument = Instrument.objects.get(pk=instrument.pk)
    client = owner_client(instrument)

    tables = [("region", "pets"), ("fruit", "region"), ("fruit:0", "region")]
    found = run(instrument, tmp_path, {f"{a} {b}": f'crosstab("{a}", "{b}")' for a, b in tables})

    for a, b in tables:
        page = get_api(client, instrument, f"table/?rows={a}&columns={b}").json()
        assert page["independence"]["method"] == "permutation"
        expect_same_test(found[f"{a} {b}"]["independence"], page["independence"])


@needs_r
def test_groups_compared(made: Instrument, tmp_path: Path) -> None:
    client = owner_client(made)
    found = run(
        made, tmp_path, {f"{key}:{v}": f'compare("{key}", {v}, "region")' for key, v in COMPARED}
    )
    for key, v in COMPARED:
        page, here = (
            get_api(client, made, f"groups/?by=region&outcome={key}:{v}").json(),
            found[f"{key}:{v}"],
        )
        pairs, compared = page["comparison"]["pairs"], here["pairs"]
        assert compared["first"] == [pair["first"] for pair in pairs]
        assert compared["second"] == [pair["second"] for pair in pairs]
        for name in ("difference", "standard_error", "p", "p_holm", "p_bh"):
            close(compared[name], [pair[name] for pair in pairs])
        for end, name in enumerate(("low", "high")):
            close(compared[name], [pair["interval"][end] for pair in pairs])
        close(list(here["test"].values()), list(page["comparison"]["test"].values()))
        shares = [
            question["choices"][v]
            for group in page["groups"]
            for question in group["questions"]
            if question["key"] == key
        ]
        close(here["groups"]["share"], [share["estimate"] for share in shares])
        assert here["groups"]["n"] == [share["n"] for share in shares]


@needs_r
def test_groups_compared_by_a_matrix(tmp_path: Path) -> None:
    """One group's reports are all alike: its error is that of the design."""
    fruit = {
        "key": "fruit",
        "kind": "choice",
        "choices": ["A", "B", "C"],
        "design": "matrix",
        "parameters": MATRIX,
    }
    made = publish_import_survey(
        fruit, {"key": "region", "kind": "background", "choices": ["North", "South", "West"]}
    )
    reports = [(0, 0)] * 60 + [(v % 3, 1) for v in range(120)] + [(v % 2, 2) for v in range(90)]
    release_reports(made, [{"fruit": fruit, "region": region} for fruit, region in reports])
    compared = run(made, tmp_path, {"pairs": 'compare("fruit", 2, "region")'})["pairs"]["pairs"]
    pairs = get_api(owner_client(made), made, "groups/?by=region&outcome=fruit:2").json()[
        "comparison"
    ]["pairs"]
    for name in ("difference", "standard_error", "p", "p_holm", "p_bh"):
        close(compared[name], [pair[name] for pair in pairs])
    for end, name in enumerate(("low", "high")):
        close(compared[name], [pair["interval"][end] for pair in pairs])


@needs_r
def test_weights(made: Instrument, tmp_path: Path) -> None:
    known = ", ".join(
        f"{key} = c({', '.join(map(str, shares))})" for key, shares in MARGINS.items()
    )
    found = run(made, tmp_path, {"weighted": f"weigh(list({known}))"})["weighted"]
    asked = ";".join(f"{key}:{','.join(map(str, shares))}" for key, shares in MARGINS.items())
    page = get_api(owner_client(made), made, f"weighted/?margins={asked}").json()
    rows = [
        (question["key"], each) for question in page["questions"] for each in question["choices"]
    ]
    assert found["question"] == [key for key, _ in rows]
    assert found["choice"] == [each["label"] for _, each in rows]
    assert found["n"] == [each["n"] for _, each in rows]
    for name in ("share", "standard_error", "effective_n"):
        close(found[name], [each[name] for _, each in rows])
    for end, name in enumerate(("low", "high")):
        close(found[name], [each["interval"][end] for _, each in rows])


@needs_r
def test_a_group_of_people_without_a_known_share_stops(made: Instrument, tmp_path: Path) -> None:
    with pytest.raises(
        AssertionError, match="Each group of region with people in it needs a known share"
    ):
        run(made, tmp_path, {"weighted": "weigh(list(region = c(0.5, 0.5, 0)))"})


def test_the_calls_for_a_survey_stand_in_its_script(made: Instrument) -> None:
    script = b"".join(find_file("analysis.R").stream(made)).decode()
    for call in (
        'crosstab("region", "tax")',
        'compare("tax", 1, "region")',
        "weigh(list(region = c(1/3, 1/3, 1/3)))",
        'RRreg::RRlog(as.integer(responses[["tax"]]) ~ factor(region), data = responses, model = "Warner", p = 3/4)',
        'crosstab("region", "beasts:0")',
    ):
        assert f"\n#   {call}\n" in script
