"""The report as it travels: plain data for programs, with what was found in the words and numbers of the page."""

from collections.abc import Container

from surveys.results.disclosure.access import ReaderView
from surveys.results.disclosure.subgroups import MINIMUM
from surveys.results.estimates.heavy_hitters import Found
from surveys.results.estimates.numeric import Average
from surveys.results.estimates.report import QuestionReport, SurveyReport
from surveys.results.report import tickets
from surveys.results.report.groups import SideBySide
from surveys.results.report.headlines import Finding, finding
from surveys.results.report.numeric_results import Written
from surveys.results.report.trusted_server import Beside, Way
from surveys.site.number_format import finite


def as_json(result: SurveyReport, filtered: Container[str] = (), *, seen: ReaderView | None = None) -> dict:
    """epsilon is None where nothing is randomized or a report can prove a truth.

    filtered: keys of the questions that the respondents of this report were picked by. seen: what its reader may see;
    a reader with the right to rows has no cut.
    """
    return {
        "survey": result.survey,
        "instrument": result.instrument,
        "n": result.n,
        "waiting": result.waiting,
        "deleted_on": seen.instrument.deleted_on.isoformat() if seen and seen.instrument.deleted_on else None,
        "epsilon": finite(result.epsilon),
        "confidence": result.confidence,
        "simultaneous": result.simultaneous,
        "sampling": result.sampling,
        "invited": tickets.as_json(result.invited),
        "cut": seen.as_json() if seen else None,
        "draw": {"count": result.draw.count, "of": list(result.draw.of)} if result.draw else None,
        "questions": [question_as_json(question, filtered=question.key in filtered) for question in result.questions],
    }


def question_as_json(question: QuestionReport, *, filtered: bool = False) -> dict:
    return {
        "key": question.key,
        "text": question.text,
        "design": question.design,
        "epsilon": finite(question.epsilon),
        "asked_of": question.whom or None,
        "n": question.n,
        "on_path": question.on_path,
        "interval_kind": question.interval_kind,
        "constrained_by": question.constrained_by,
        "finding": finding_as_json(finding(question, filtered=filtered)),
        "choices": [
            {
                "label": choice.label,
                "n": choice.n,
                "observed": choice.observed,
                "estimate": choice.estimate,
                "standard_error": choice.standard_error,
                "interval": list(choice.interval) if choice.interval else None,
                "constrained": choice.constrained,
                "withheld": question.withholds(choice),
            }
            for choice in question.choices
        ],
        "found": found_as_json(question.found) if question.found else None,
        "number": average_as_json(question.average) if question.average else None,
    }


def found_as_json(found: Found) -> dict:
    choices = [
        {"code": each.code, "label": each.label, "estimate": each.estimate, "interval": list(each.interval)}
        for each in found.choices
    ]
    return {"least": found.least, "of": found.of, "choices": choices}


def average_as_json(found: Average) -> dict:
    """All in the question's own unit; a scale counts from 1."""
    return {
        "from": found.numbers[0],
        "to": found.numbers[-1],
        "step": found.numbers.step,
        "unit": found.unit or None,
        "mean": found.mean.value,
        "standard_error": found.mean.standard_error,
        "interval": list(found.mean.interval),
        "withheld": Written(found).is_wide,
        "quartiles": [
            {"at": each.at, "number": each.number, "interval": list(each.interval)} for each in found.quartiles
        ],
        "at_most": [
            {
                "number": each.number,
                "share": each.found.value,
                "standard_error": each.found.standard_error,
                "interval": list(each.found.interval),
            }
            for each in found.at_most
        ],
        "curve": [{"number": number, "share": share} for number, share in found.curve],
    }


def finding_as_json(found: Finding) -> dict:
    return {
        "verdict": found.verdict.value,
        "sentence": found.sentence,
        "detail": found.detail,
        "number": found.number or None,
        "range": found.range or None,
        "bars": [{"label": bar.label, "estimate": bar.estimate, "interval": [bar.low, bar.high]} for bar in found.bars],
        "scale": list(found.scale) if found.scale else None,
    }


def groups_as_json(found: SideBySide) -> dict:
    """Scrambled questions only, of those with enough reports to be shown: as the page shows them."""
    first = found.parts[0].result
    return {
        "survey": first.survey,
        "instrument": first.instrument,
        "by": found.by.key,
        "left_out": found.left_out,
        "note": found.note,
        "confidence": first.confidence,
        "groups": [
            {
                "labels": list(part.labels),
                "n": part.result.n,
                "questions": [
                    question_as_json(question)
                    for question in part.result.questions
                    if question.design and question.n >= MINIMUM
                ],
            }
            for part in found.parts
        ],
    }


def beside_as_json(found: Beside) -> dict:
    """Counts of people; errors as fractions of the true counts."""
    ways = {name: _way_as_json(way) for name, way in (("server", found.server), ("devices", found.devices))}
    about = {"epsilon": found.epsilon, "n": found.n, "design": found.design_title, "sentence": found.sentence}
    return about | {"noise": found.noise} | ways


def _way_as_json(way: Way) -> dict:
    counts = [
        {"label": each.label, "true": each.true, "shown": each.shown, "range": [each.low, each.high]}
        | {"error": each.error, "wrong_by": each.wrong_by}
        for each in way.answers
    ]
    return {"error": way.error, "counts": counts}
