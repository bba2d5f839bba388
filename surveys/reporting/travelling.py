"""The report as it travels: plain data for programs, with what was found in the words and numbers of the page."""

from collections.abc import Container

from surveys.reporting.findings import Finding, finding
from surveys.reporting.numbers import finite
from surveys.reporting.report import QuestionReport, SurveyReport
from surveys.reporting.side_by_side import SideBySide
from surveys.reporting.subgroups import MINIMUM


def as_json(result: SurveyReport, filtered: Container[str] = ()) -> dict:
    """epsilon is None where nothing is randomized or a report can prove a truth.

    filtered: keys of the questions that the respondents of this report were picked by.
    """
    return {
        "survey": result.survey,
        "instrument": result.instrument,
        "n": result.n,
        "waiting": result.waiting,
        "epsilon": finite(result.epsilon),
        "confidence": result.confidence,
        "simultaneous": result.simultaneous,
        "questions": [question_as_json(question, filtered=question.key in filtered) for question in result.questions],
    }


def question_as_json(question: QuestionReport, *, filtered: bool = False) -> dict:
    return {
        "key": question.key,
        "text": question.text,
        "design": question.design,
        "epsilon": finite(question.epsilon),
        "n": question.n,
        "interval_kind": question.interval_kind,
        "constrained_by": question.constrained_by,
        "finding": finding_as_json(finding(question, filtered=filtered)),
        "choices": [
            {
                "label": choice.label,
                "observed": choice.observed,
                "estimate": choice.estimate,
                "standard_error": choice.standard_error,
                "interval": list(choice.interval) if choice.interval else None,
                "constrained": choice.constrained,
            }
            for choice in question.choices
        ],
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
