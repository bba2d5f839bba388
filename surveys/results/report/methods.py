"""The methods section of a paper on this survey, with its actual parameters and the references, ready to paste."""

import math
from dataclasses import dataclass

from mechanisms import Mechanism
from surveys.definition import protection_wording
from surveys.definition.designs.modes import UNRELATED
from surveys.definition.designs.wording import report_coding_clause
from surveys.definition.instrument import QuestionDefinition, SurveyDefinition
from surveys.definition.protection import definition_losses
from surveys.fieldwork.tickets.invitees import Counts
from surveys.results.estimates import intervals, maximum_likelihood
from surveys.results.estimates.question_report import QuestionReport
from surveys.results.estimates.report import SurveyReport
from surveys.results.report import references
from surveys.results.report.tickets import in_words
from surveys.site.number_format import epsilon, format_count, format_level, join_with_and

INTERVALS = {
    "wilson": "Wilson score intervals for the share of reports, mapped through the design’s known chances",
    "exact": "exact binomial intervals for the share of reports, mapped through the design’s known chances",
    "likelihood": "the shares that a likelihood-ratio test does not reject",
    "wald": "the estimate plus and minus a normal quantile times its standard error (Wald)",
}
ERRORS = {
    True: "√(λ(1 − λ)/n)/|c|, which includes the randomization and the sampling (Chaudhuri and Mukerjee 1988)",
    False: "√((π(c + d)(1 − c − d) + (1 − π)d(1 − d))/n)/|c|, the randomization alone (Warner 1965; Chaudhuri and "
    "Mukerjee 1988); for several answers with the covariance less that of the sampling; Wilson intervals are the "
    "shares that a score test with this variance does not reject",
}
POSSIBLE = {
    "maximum likelihood": "maximum likelihood, given how often each answer was received",
    "Norm-Sub": "Norm-Sub, the nearest shares that are not negative and sum to 1 (Wang et al. 2020)",
    maximum_likelihood.NAME: "maximum likelihood, given all whole reports (expectation-maximization, "
    "Dempster, Laird and Rubin 1977)",
    "clipping to [0, 1]": "limiting each share to the range from 0 to 1",
}
TRUTHFUL = "The estimates assume that respondents answered truthfully under this protection"
ASSUMPTIONS = (
    f"{TRUTHFUL}, that each person responded once, and that those who responded are a simple random sample of a large "
    "population. Standard errors and intervals include no design effect, no weights and no finite-population "
    "correction."
)
THESE = (
    f"{TRUTHFUL} and that each person responded once. They are about exactly the respondents, a finite population "
    "with fixed answers. Standard errors and intervals include the randomization. Where the device picked the "
    "questions, they include this sampling without replacement, with its finite-population correction. They include "
    "no other sampling."
)
FOUND = (
    "A choice of {keys} counts as detected if its exact binomial interval (Clopper and Pearson 1934) is above 0. "
    "These intervals hold simultaneously for the whole list at {level} (Bonferroni)."
)
ON_PAPER = {  # of answers from files
    "spinner": " Respondents turned a paper clip on a printed circle and ticked the outcome, so the estimate relies on "
    "their following the instruction, and on a clip that turns evenly.",
    "by-hand": " Respondents used coins, a die or slips of paper and ticked the outcome, so the estimate relies on "
    "their following the instruction.",
}
DRAWN = {
    "spinner": (
        " The device showed a spinner, and the respondent answered as it said. The estimate relies on respondents "
        "following the instruction, and on their spinning once: after reloading the page they could spin again."
    ),
    "by-hand": (
        " Respondents used coins or dice and entered the outcome. The estimate relies on their following the "
        "instruction."
    ),
}


INVENTED = (
    "Some or all of these responses are invented: a simulation sent them, to show how the survey and its report work. "
    "Nothing follows from them about any person."
)


@dataclass(frozen=True)
class Methods:
    paragraphs: list[str]
    references: list[str]

    def __str__(self) -> str:
        return "\n\n".join([*self.paragraphs, "References", *self.references]) + "\n"


def methods(
    frozen: SurveyDefinition, result: SurveyReport, about: str = "", reason: str = ""
) -> Methods:
    """reason: that its author gave for publishing with so little protection."""
    sensitive = [item for item in frozen.items if item.mechanism is not None]
    paragraphs = [
        survey_in_words(frozen, result.n, about),
        *([_invited(result.invited)] if result.invited else []),
        *(design_in_words(item, on_paper=frozen.import_only) for item in sensitive),
        *_subset_text(frozen, result),
        *_picked(result),
        *_conditions_text(result),
        *_missing(result),
    ]
    cited = [item.mechanism.source for item in sensitive]
    if sensitive:
        kinds, made = _kinds(result), _possible(result)
        lists = [question.key for question in result.questions if question.found]
        paragraphs += [
            ASSUMPTIONS if result.sampling else THESE,
            f"{_estimation(result, kinds)} {_constrained(made)}",
            *_means(result),
            *(
                [FOUND.format(keys=join_with_and(lists), level=format_level(result.confidence))]
                if lists
                else []
            ),
        ]
        paragraphs.append(privacy_in_words(frozen, reason))
        cited += [] if result.sampling else [references.FINITE]
        kinds += [intervals.EXACT] if lists else []
        cited += [references.ESTIMATION, *(references.INTERVALS.get(kind) for kind in kinds)]
        cited += [references.POSSIBLE.get(how) for how in made]
    return Methods(paragraphs, sorted(set(filter(None, cited))))


def survey_in_words(frozen: SurveyDefinition, n: int, about: str = "") -> str:
    """What was asked of whom. n: responses that are analysed. about: whom a filtered report is about."""
    whom = f" This analysis is restricted to respondents where {about}." if about else ""
    whom = f" {INVENTED}{whom}" if frozen.invented else whom
    if frozen.import_only:
        return _imported(frozen, n, whom)
    by_hand = any(item.mode == "by-hand" for item in frozen.items)
    where = (
        "on the respondent’s device, or by the respondent’s own hand where stated,"
        if by_hand
        else ("on the respondent’s device")
    )
    return (
        f"The survey “{frozen.title}” (Candor, instrument SHA-256 {frozen.sha256}) was answered in the browser; n = "
        f"{format_count(n)} responses are analysed.{whom} Answers to sensitive "
        f"questions were randomized {where} before they "
        "were sent (randomized response, local differential privacy). The server never received the true answers. "
        "Answers to background questions were not randomized."
    )


def _invited(people: Counts) -> str:
    return (
        "Only invited people could answer, each with a blindly signed ticket (RSABSSA, RFC 9474). The signature "
        f"links no response to an invitation. {in_words(people)}"
    )


def _imported(frozen: SurveyDefinition, n: int, whom: str) -> str:
    return (
        f"The responses to the survey “{frozen.title}” (Candor, instrument SHA-256 {frozen.sha256}) were collected "
        f"elsewhere and imported from files; n = {format_count(n)} responses are analysed.{whom} Answers to sensitive "
        "questions were randomized before they reached the files (randomized response), by the designs below. The "
        "estimates rely on these having been carried out as stated. Answers to background questions were not "
        "randomized."
    )


def design_in_words(item: QuestionDefinition, *, on_paper: bool) -> str:
    """How the answers to a sensitive question were randomized."""
    mechanism, drawn = item.mechanism, ON_PAPER if on_paper else DRAWN
    return (
        f"“{item.full_text}” ({item.key}): {mechanism.title}{_parameters(mechanism)}; {mechanism.in_words()}"
        f"{report_coding_clause(mechanism, item.mode)}, epsilon = {epsilon(mechanism.epsilon)}{_for_ever(item)}."
        f"{drawn.get(item.mode, '')}{_harmless_question_text(item)}"
    )


def _for_ever(item: QuestionDefinition) -> str:
    """What that epsilon is of, where a device may keep what later reports are drawn from."""
    if not item.has_permanent_step:
        return ""
    once = epsilon(item.mechanism.epsilon_once)
    return f" for all reports together that a device ever draws from one answer ({once} for one report alone)"


def _subset_text(frozen: SurveyDefinition, result: SurveyReport) -> list[str]:
    """Return a sentence on the questions of which each person got only some."""
    if frozen.draw is None:
        return []
    drawn = [question for question in result.questions if question.drawn]
    each = [
        f"n = {format_count(question.n)} for {question.key}"
        for question in drawn
        if not question.whom
    ]
    numbers = f" ({join_with_and(each)})" if each else ""
    drew = (
        "Each respondent"
        if frozen.import_only
        else "Each respondent’s device drew which questions to ask: each"
    )
    lot = f"{frozen.draw.count} of {len(frozen.draw.of)} sensitive questions, picked uniformly at random"
    return [
        (
            f"{drew} was asked {lot} and whatever the answers are{numbers}. {_dropped(drawn)}Each share is estimated "
            "from the reports to its question. People who did not get a question differ from the others only by "
            "chance, so no assumption about them is needed."
        )
    ]


def _picked(result: SurveyReport) -> list[str]:
    """What releases do not promise of the n that devices decide."""
    if result.import_only or not (
        result.draw or any(question.picks for question in result.questions)
    ):
        return []
    return [
        "The n of a question or answer that devices picked may have grown by fewer than 20 from one release to the "
        "next. Only the device knows what it picked."
    ]


def _dropped(drawn: list[QuestionReport]) -> str:
    if not any(question.whom for question in drawn):
        return ""
    return "If the background answers exclude a picked question, it is dropped and not replaced. "


def _conditions_text(result: SurveyReport) -> list[str]:
    """Return a sentence on who was asked the conditional questions."""
    some = [question for question in result.questions if question.whom]
    if not some:
        return []
    each = [f"{question.key} where {question.whom} ({_asked(question)})" for question in some]
    return [
        "Not everyone got every question. Depending on their background answers, people were asked "
        f"{'; '.join(each)}. No condition depends on a randomized answer. Each share is of the people who got the "
        "question, estimated from their reports alone."
    ]


def _asked(question: QuestionReport) -> str:
    of = f" of {format_count(question.on_path)}" if question.on_path is not None else ""
    return f"n = {format_count(question.n)}{of}" if question.basis is not None else "no estimate"


def _missing(result: SurveyReport) -> list[str]:
    """How many reports each question has, where some are missing that were asked for."""
    others = [question for question in result.questions if not (question.drawn or question.whom)]
    if not any(question.missing for question in others):
        return []
    each = [f"n = {format_count(question.n)} for {question.key}" for question in others]
    return [
        f"Not every response has a report to every question: {join_with_and(each)}. "
        "Each share is estimated from the reports "
        "to its question. This assumes that people without a report would have answered like the others (missing "
        "completely at random)."
    ]


def _harmless_question_text(item: QuestionDefinition) -> str:
    """Return what epsilon rests on if the harmless question is really asked."""
    if (item.mode, item.mechanism.name) != ("by-hand", UNRELATED):
        return ""
    return " Epsilon holds only if no one knows a respondent’s answer to the harmless question."


def _parameters(mechanism: Mechanism) -> str:
    given = mechanism.spec().get("parameters") or {}
    return (
        f" ({', '.join(f'{letter} = {value}' for letter, value in given.items())})" if given else ""
    )


def _kinds(result: SurveyReport) -> list[str]:
    return list(
        dict.fromkeys(question.interval_kind for question in result.questions if question.design)
    )


def _means(result: SurveyReport) -> list[str]:
    """How means were estimated, where some question was made for one."""
    keys = [
        question.key for question in result.questions if question.average and not question.choices
    ]
    if not keys:
        return []
    return [
        f"For {join_with_and(keys)} the estimated mean is the average, over the "
        "reports, of weights w with Mw = x, where M "
        "holds the chances of each report under each true value x; of all such weights those with the least mean "
        "square where all values are equally frequent. It is unbiased for every distribution of the true values. The "
        "cumulative curve and the quartiles are those of the distribution of greatest likelihood, with percentile "
        "intervals of 200 parametric bootstrap samples."
    ]


def _estimation(result: SurveyReport, kinds: list[str]) -> str:
    confidence = format_level(result.confidence)
    return (
        "Under these assumptions the moment estimator is unbiased: for an observed share λ and a true share π "
        "with λ = cπ + d, the estimate is (λ − d)/c (for several answers the inverse of the design’s matrix), "
        f"with standard error {ERRORS[result.sampling]}. "
        f"{confidence} confidence intervals are {join_with_and([INTERVALS[kind] for kind in kinds])}. "
        f"{intervals.for_a_paper(result.simultaneous)} "
        "Estimates were not limited to the range from 0 to 1."
    )


def _possible(result: SurveyReport) -> dict[str, list[str]]:
    """How possible shares were made -> the questions for which they were made so."""
    made: dict[str, list[str]] = {}
    for question in result.questions:
        if question.constrained_by:
            made.setdefault(question.constrained_by, []).append(question.key)
    return made


def _constrained(made: dict[str, list[str]]) -> str:
    if not made:
        return ""
    ways = [f"by {POSSIBLE[how]}, for {join_with_and(keys)}" for how, keys in made.items()]
    return f"Constrained estimates from 0 to 1 are given too: made {'; '.join(ways)}."


def privacy_in_words(frozen: SurveyDefinition, reason: str = "") -> str:
    """What one answer and all answers of one respondent may reveal, and why its author took that for justified."""
    sensitive = [item for item in frozen.items if item.mechanism is not None]
    if math.isinf(frozen.epsilon):
        proving = [item.key for item in sensitive if not item.mechanism.publishable]
        return (
            "The privacy loss per respondent is infinite: some reports to "
            f"{join_with_and(proving)} prove the true answer. "
            "Differential privacy gives no protection for these questions."
        )
    return protection_wording.methods_sentences(definition_losses(frozen), frozen.draw, reason)
