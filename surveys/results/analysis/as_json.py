"""An analysis as it travels: plain data for programs, with the sentences of the page."""

from mechanisms import Association
from surveys.results.analysis.groups.groups import Compared
from surveys.results.analysis.methods import references, text
from surveys.results.analysis.model.comparisons import Comparison
from surveys.results.analysis.model.model import Model, Test
from surveys.results.analysis.model.wording import sentences
from surveys.results.analysis.table.result import Crossed, OfThose
from surveys.results.analysis.weighting.result import WeighedMean, WeighedQuestion, Weighted
from surveys.site.shape import as_json


def model_as_json(found: Model) -> dict:
    return {
        "survey": found.frozen.survey,
        "instrument": found.frozen.sha256,
        "n": found.n,
        "left_out": found.left_out,
        "outcome": found.outcome.name,
        "of": found.measure.of,
        "unit": found.outcome.item.unit if found.outcome.is_mean else "",
        "explain": [term.name for term in found.terms],
        "asked": found.asked,
        "model": found.kind,
        "reason": found.reason,
        "verdict": found.verdict,
        "effective_events": found.effective_events,
        "needed_n": found.needed_n,
        "standard_errors": found.errors,
        "log_likelihood": found.log_likelihood,
        "confidence": found.confidence,
        "terms": [_term(found, row) for row in found.comparisons],
        "tests": list(map(_test, found.tests)),
        "sentence": " ".join(sentences(found)),
        "method": text(found),
        "references": references(found),
        "note": found.seen,
    }


def _term(found: Model, row: Comparison) -> dict:
    return {
        "key": row.level.key,
        "label": row.level.label,
        "answer": row.answer,
        "n": row.n,
        "observed": row.observed,
        "corrected": row.corrected,
        "reference": row.reference.key if row.reference else None,
        "difference": row.difference,
        "difference_error": row.difference_error,
        "interval": _pair(row.interval),
        "simultaneous": _pair(row.together),
        "p": row.p,
        "p_together": row.p_together,
        "p_holm": row.p_holm,
        "clear": row.clear,
        "verdict": row.verdict,
        "corrected_interval": _pair(row.corrected_interval),
        "coefficient": row.coefficient,
        "standard_error": row.standard_error,
        "robust_error": row.robust_error,
        "odds_ratio": row.odds_ratio,
        "odds_interval": _pair(row.odds_interval),
    }


def _test(test: Test) -> dict:
    return {
        "key": test.term.key,
        "kind": test.kind,
        "statistic": test.statistic,
        "degrees": test.degrees,
        "p_value": test.p_value,
    }


def _pair(ends: tuple[float, float] | None) -> list[float] | None:
    return list(ends) if ends else None


def compared_as_json(found: Compared) -> dict:
    return {
        "outcome": {"key": found.question.key, "choice": found.choice, "label": found.answer},
        "of": found.measure.of,
        "n": found.n,
        "test": found.test._asdict() if found.test else None,
        "differences": as_json(found.differences),
        "pairs": [
            {
                "first": pair.group,
                "second": pair.versus,
                "difference": pair.difference,
                "standard_error": pair.standard_error,
                "interval": list(pair.simultaneous),
                "p": pair.p,
                "p_together": pair.p_together,
                "p_holm": pair.p_holm,
                "p_bh": pair.p_bh,
                "clear": pair.clear,
                "verdict": pair.verdict,
            }
            for pair in found.pairs
        ],
        "sentence": " ".join(found.sentences),
        "methods": text(found),
        "references": references(found),
    }


def weighted_as_json(found: Weighted) -> dict:
    return {
        "n": found.n,
        "left_out": found.strata.left_out,
        "effective_n": found.effective_n,
        "design_effect": found.design_effect,
        "times_apart": found.times_apart,
        "confidence": found.confidence,
        "margins": [
            {
                "key": margin.key,
                "groups": [{"label": name, "here": here, "known": known} for name, here, known in groups],
            }
            for margin, groups in found.groups
        ],
        "questions": list(map(_weighed, found.questions)),
        "sentence": " ".join(found.sentences),
        "methods": text(found),
        "references": references(found),
        "note": found.seen,
    }


def _weighed(question: WeighedQuestion) -> dict:
    return {
        "key": question.item.key,
        "n": question.n,
        "refused": question.refused or None,
        "choices": [
            {
                "label": answer.label,
                "n": answer.weighted.n,
                "effective_n": answer.weighted.effective_n,
                "design_effect": answer.weighted.design_effect,
                "share": answer.weighted.share,
                "standard_error": answer.weighted.standard_error,
                "interval": list(answer.weighted.interval),
                "unweighted": {
                    "share": answer.plain.estimate,
                    "standard_error": answer.plain.standard_error,
                    "interval": list(answer.plain.interval),
                },
            }
            for answer in question.answers
        ],
        "mean": _mean(question.mean) if question.mean else None,
    }


def _mean(found: WeighedMean) -> dict:
    weighted, plain = found.weighted, found.plain.mean
    return {
        "unit": found.unit,
        "n": weighted.n,
        "effective_n": weighted.effective_n,
        "design_effect": weighted.design_effect,
        "value": weighted.share,
        "standard_error": weighted.standard_error,
        "interval": list(weighted.interval),
        "unweighted": {
            "value": plain.value,
            "standard_error": plain.standard_error,
            "interval": list(plain.interval),
        },
    }


def crossed_as_json(found: Crossed) -> dict:
    table = found.table
    columns = table.shares, table.standard_errors, table.intervals, table.constrained
    cells = [
        [
            {
                "share": float(share),
                "standard_error": float(error),
                "interval": list(map(float, ends)),
                "constrained": float(possible),
            }
            for share, error, ends, possible in zip(*row, strict=True)
        ]
        for row in zip(*columns, strict=True)
    ]
    return {
        "n": found.n,
        "left_out": found.left_out,
        "rows": {"name": found.first.name, "labels": list(found.rows)},
        "columns": {"name": found.second.name, "labels": list(found.columns)},
        "cells": cells,
        "of_rows": [list(map(_of_those, row)) for row in found.of_rows],
        "of_columns": [list(map(_of_those, row)) for row in found.of_columns],
        "constrained_by": table.constrained_by,
        "independence": found.independence._asdict() if found.independence else None,
        "phi": _strength(found.phi) if not found.is_strong else _strength(found.phi) | {"value": None},
        "odds_ratio": _strength(found.odds_ratio),
        "reason": found.why,
        "confidence": found.confidence,
        "sentence": " ".join(found.sentences),
        "methods": text(found),
        "references": references(found),
        "note": found.seen,
    }


def _of_those(found: OfThose | None) -> dict | None:
    if found is None:
        return None
    return {"share": found.share, "standard_error": found.standard_error, "interval": _pair(found.interval)}


def _strength(found: Association | None) -> dict | None:
    return found and found._asdict() | {"interval": list(found.interval)}
