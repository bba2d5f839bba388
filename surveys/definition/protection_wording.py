"""Sentences on protection: for respondents in their language, and for authors in English."""

import math
from collections.abc import Callable, Sequence

from django.utils.translation import gettext, ngettext

from mechanisms import odds_percent, round_up
from surveys.definition.instrument import QuestionDefinition
from surveys.definition.protection import AMBER_LIMITS, Losses, Versions, guess_rate_of_pair
from surveys.definition.response_format import QuestionSubset
from surveys.models import Question

# The largest guess rates, in 100, at which a report is called a weak hint, and a hint.
# With a larger rate it is strong evidence.
WEAK_HINT_LIMIT, HINT_LIMIT = 75, 90
# A larger guess rate, in 100, is stated as “more than 99”.
LARGEST_STATED_RATE = 99
# The correlations for which authors read how often a guess about one of two answers is right.
CORRELATIONS = (0, 0.1, 0.3, 0.5, 0.8, 1)
NOT_SCRAMBLED = "Not scrambled"
# The limits of the length of a reason, in characters.
LEAST_REASON, LONGEST_REASON = 20, 500


# Sentences for respondents, in the language of the page.


def scrambling_text(scrambled: Sequence[QuestionDefinition]) -> str:
    """Return two sentences for respondents: who scrambles sensitive answers, and what arrives.

    scrambled: the sensitive questions of a survey.
    """
    arrives = gettext("What arrives may be your answer, or may be chance.")
    if any(item.traits.has_yes for item in scrambled):
        arrives = gettext("A Yes that arrives may be yours, or may be chance.")
    return f"{who_scrambles(scrambled)} {arrives}"


def who_scrambles(scrambled: Sequence[QuestionDefinition]) -> str:
    """Return a sentence for respondents on who scrambles the answers to these questions.

    If people scramble some of them by hand or with a spinner, it says only that it is by chance.
    """
    if all(item.mode == Question.Mode.AUTOMATIC for item in scrambled):
        return gettext(
            "Your device scrambles each sensitive answer before sending it: it mixes in chance."
        )
    return gettext("Each sensitive answer is scrambled by chance before it is sent.")


def guess_rates_for_respondents(loss: Losses, stressed: Callable[[str], str] = str) -> str:
    """Return sentences for respondents on how often a guess about them is right.

    The sentences compare pure chance, one answer, and all answers; these are left out if nobody is
    asked more than one sensitive question. The last one grades the rate: “That is a weak hint.”

    loss: the privacy losses of the survey.
    stressed: returns a number of the text as the page shows it, such as in bold.
    """
    if loss.has_several_answers:
        text = gettext(
            "By pure chance, a guess between two answers is right 50 times in 100. With one of "
            "your scrambled answers: %(one)s. With all of them: %(all)s."
        )
    else:
        text = gettext(
            "By pure chance, a guess between two answers is right 50 times in 100. With your "
            "scrambled answer: %(one)s."
        )
    rate_of_one, rate_of_all = loss.max_guess_rates
    numbers = {"one": stressed(_bound_text(rate_of_one)), "all": stressed(_bound_text(rate_of_all))}
    return f"{text % numbers} {_grade_sentence(rate_of_all)}"


def _bound_text(rate: int) -> str:
    """Return "at most 75" for a guess rate in 100, or "more than 99" if it is above 99.

    The words are in the language of the page.
    """
    if rate > LARGEST_STATED_RATE:
        return gettext("more than %(times)s") % {"times": LARGEST_STATED_RATE}
    return gettext("at most %(times)s") % {"times": rate}


def _grade_sentence(rate: int) -> str:
    """Return a sentence for respondents on how much evidence a guess rate in 100 is."""
    if rate <= WEAK_HINT_LIMIT:
        return gettext("That is a weak hint.")
    if rate <= HINT_LIMIT:
        return gettext("That is a hint, not a certainty.")
    return gettext("That is strong evidence.")


def guess_rate_bound(epsilon: float) -> str:
    """Return how often in 100 a guess is right at this privacy loss: "at most 75".

    The words are in the language of the page. Rates above 99 are "more than 99".
    """
    return _bound_text(odds_percent(epsilon))


def grade_text(epsilon: float) -> str:
    """Return how much a report with this privacy loss reveals: such as "a weak hint".

    The words are in the language of the page.
    """
    rate = odds_percent(epsilon)
    if rate <= WEAK_HINT_LIMIT:
        return gettext("a weak hint")
    if rate <= HINT_LIMIT:
        return gettext("a hint, not a certainty")
    return gettext("strong evidence")


def respondent_sentences(
    loss: Losses, *, as_it_is: bool, stressed: Callable[[str], str] = str
) -> list[str]:
    """Return the sentences on protection for the first screen of a survey.

    They say how often a guess between two answers is right, and warn of answers that are not
    scrambled, if there are any. A survey without sensitive questions has at most the warning.

    loss: the privacy losses of the survey.
    as_it_is: True if some questions are not scrambled.
    stressed: returns a number of a sentence as the page shows it, such as in bold.
    """
    if not loss.one:
        return [not_scrambled_text(nothing_is=True)] if as_it_is else []
    sentences = [guess_rates_for_respondents(loss, stressed)]
    if as_it_is:
        sentences.append(not_scrambled_text(nothing_is=False))
    return sentences


def not_scrambled_text(*, nothing_is: bool) -> str:
    """Return a warning for respondents that answers are not scrambled.

    nothing_is: True if no answer is scrambled, False if some are.
    """
    if nothing_is:
        return gettext("Nothing in this survey is scrambled. Your answers could identify you.")
    return gettext("Answers marked “Not scrambled” could identify you.")


def subset_text(draw: QuestionSubset, items: Sequence[QuestionDefinition]) -> str:
    """Return a sentence for respondents on how many of the sensitive questions they get.

    It mentions the questions that everyone gets, if there are any. It says “at most” if a question
    of the subset has a condition, since a picked question may then not be asked.

    draw: the question subset of the survey.
    items: all questions of the survey.
    """
    sensitive = [item for item in items if item.mechanism]
    # A picked question that is not on the path of a respondent is not replaced by another one.
    has_conditions = any(item.when for item in sensitive if item.key in draw.of)
    # The other sensitive questions are asked of everyone, unless one of them has a condition.
    others = [item for item in sensitive if item.key not in draw.of]
    n_for_everyone = len(others)
    if any(item.when for item in others):
        n_for_everyone = 0
    if n_for_everyone and has_conditions:
        text = ngettext(
            "Everyone gets one of the sensitive questions. Your device picks at most %(number)s of "
            "the other %(of)s at random.",
            "Everyone gets %(everyone)s of the sensitive questions. Your device picks at most "
            "%(number)s of the other %(of)s at random.",
            n_for_everyone,
        )
    elif n_for_everyone:
        text = ngettext(
            "Everyone gets one of the sensitive questions. Your device picks %(number)s of the "
            "other %(of)s at random.",
            "Everyone gets %(everyone)s of the sensitive questions. Your device picks %(number)s "
            "of the other %(of)s at random.",
            n_for_everyone,
        )
    elif has_conditions:
        text = ngettext(
            "You get at most %(number)s of the %(of)s sensitive questions. Your device picks it at "
            "random.",
            "You get at most %(number)s of the %(of)s sensitive questions. Your device picks them "
            "at random.",
            draw.count,
        )
    else:
        text = ngettext(
            "You get %(number)s of the %(of)s sensitive questions. Your device picks it at random.",
            "You get %(number)s of the %(of)s sensitive questions. Your device picks them at "
            "random.",
            draw.count,
        )
    return text % {"everyone": n_for_everyone, "number": draw.count, "of": len(draw.of)}


# Sentences for authors, in English.


def guess_rates_text(loss: Losses) -> str:
    """Return sentences for authors on how often a guess about a respondent is right.

    They have the rates from one answer and by pure chance, and the rate from all answers together
    if some respondent has several sensitive ones.

    loss: the privacy losses of the survey.
    """
    rate_of_one, rate_of_all = loss.max_guess_rates
    if not loss.has_several_answers:
        return (
            f"Guessed right {_rate_text(rate_of_one)} times in 100. "
            "Pure chance between two answers: 50."
        )
    return (
        f"One answer alone: guessed right {_rate_text(rate_of_one)} times in 100. "
        f"All answers together: {_rate_text(rate_of_all)}. Pure chance between two answers: 50."
    )


def _rate_text(rate: float, most: float = LARGEST_STATED_RATE) -> str:
    """Return "at most 75" in English for a guess rate in 100, or "more than 99" if it is above.

    most: the largest rate that is stated as a number.
    """
    if rate > most:
        return f"more than {most:g}"
    return f"at most {rate:g}"


def who_gets(
    draw: QuestionSubset, sensitive: Sequence[tuple[str, str]], conditional: Sequence[str] = ()
) -> str:
    """Return a sentence for authors on how many of the sensitive questions each person gets.

    It quotes the question that everyone gets, or counts them if there are several. It says “at
    most” if a question of the subset has a condition, since a picked question may then not be
    asked.

    draw: the question subset of the survey.
    sensitive: the key and the text of each sensitive question.
    conditional: the keys of the questions with a condition.
    """
    has_conditions = bool(set(draw.of) & set(conditional))
    number = f"at most {draw.count}" if has_conditions else f"{draw.count}"
    texts_for_everyone = [text for key, text in sensitive if key not in draw.of]
    if any(key in conditional for key, _ in sensitive if key not in draw.of):
        # Not everyone is asked all of them.
        texts_for_everyone = []
    if len(texts_for_everyone) == 1:
        return (
            f"Each person gets “{texts_for_everyone[0]}” and {number} of the other {len(draw.of)} "
            "sensitive questions, picked by their device."
        )
    if texts_for_everyone:
        return (
            f"Each person gets {len(texts_for_everyone)} of the {len(sensitive)} sensitive "
            f"questions, and {number} of the other {len(draw.of)}, picked by their device."
        )
    return (
        f"Each person gets {number} of the {len(draw.of)} sensitive questions, picked by their "
        "device."
    )


def weak_protection_text(loss: Losses) -> str:
    """Return a request to authors to justify a guess rate that is too high, or to lower it.

    It states the rate of all answers together if that is beyond the limit of amber, else that of
    one answer. Authors lower it by choosing Balanced.

    loss: the privacy losses of the survey, whose colour is red.
    """
    rate_of_one, rate_of_all = loss.max_guess_rates
    if not loss.has_several_answers:
        rates = f"Guessed right {_rate_text(rate_of_one)} times in 100."
    elif rate_of_all > AMBER_LIMITS[1]:
        rates = f"All answers together: guessed right {_rate_text(rate_of_all)} times in 100."
    else:
        rates = f"One answer alone: guessed right {_rate_text(rate_of_one)} times in 100."
    return f"{rates} Say why this is justified, or choose Balanced."


def validate_reason(text: str) -> str:
    """Return the reason for weak protection as it is stored. Raises ValueError with a message.

    Line breaks and repeated spaces become single spaces, before the characters are counted.
    """
    reason = " ".join(text.split())
    if not LEAST_REASON <= len(reason) <= LONGEST_REASON:
        raise ValueError(
            f"The reason has {len(reason)} characters; {LEAST_REASON} to {LONGEST_REASON} are "
            "allowed."
        )
    return reason


def both_versions(versions: Versions) -> str:
    """Return sentences for authors on what is revealed of people who answer two versions.

    versions: the guess rates for such people.
    """
    # These rates are rounded to a tenth, so larger ones can be stated than in whole numbers.
    rate_of_one = _rate_text(versions.one, 99.9)
    rate_of_all = _rate_text(versions.all, 99.9)
    return (
        "Someone may answer both versions and get the same question twice. Then one answer alone: "
        f"guessed right {rate_of_one} times in 100. All answers together: {rate_of_all}. Pure "
        "chance between two answers: 50."
    )


def row_of_correlations(epsilon: float) -> str:
    """Return sentences for authors on how often a guess about one of two answers is right.

    There is a rate for each of several correlations of the two true answers.

    An answer also reveals something about other answers that are correlated with it.

    epsilon: the privacy loss of each of the two answers.
    """
    rates = []
    for correlation in CORRELATIONS:
        rates.append(f"{correlation:g}: {guess_rate_of_pair(epsilon, correlation)}")
    return (
        "Two yes/no answers may go together. Someone who sees both scrambled answers guesses one "
        "of them right at most so many times in 100, by the correlation of the two: "
        f"{', '.join(rates)}."
    )


# What authors read about question subsets, under “What these numbers mean”.
LEAVING_NOTE = (
    "If people leave because of the question they get, its share is too low. A check "
    "sees this only when it is strong."
)
RELEASE_NOTE = "For one question fewer than 20 may be added at a time."


def loss_explanation(loss: Losses, is_selection: bool) -> list[str]:
    """Return the lines that explain the protection to authors, under “What these numbers mean”.

    loss: the privacy losses of the survey.
    is_selection: True if devices pick some of the sensitive questions.
    """
    rate_of_one, rate_of_all = loss.max_guess_rates
    lines = [
        "Someone who thinks two answers equally likely, and sees only that scrambled answer, is "
        f"right {_rate_text(rate_of_one)} times in 100. Someone who thinks two whole sets of "
        "answers equally likely, and sees all the person sent, is right "
        f"{_rate_text(rate_of_all)} times. "
        "Both numbers are for the worst case.",
        row_of_correlations(loss.one),
    ]
    # The odds of two answers grow at most by the factor exp(loss).
    if rate_of_all <= LARGEST_STATED_RATE:
        odds_of_one = math.exp(loss.one)
        odds_of_all = math.exp(loss.together)
        lines.append(
            f"Other prior odds grow at most {_growth_text(odds_of_one)}-fold (alone), "
            f"{_growth_text(odds_of_all)}-fold (together): 10 in 100 becomes at most "
            f"{_posterior_of_ten(odds_of_one)}, {_posterior_of_ten(odds_of_all)}."
        )
    lines.append("Answers that are not scrambled, other knowledge and answering again come on top.")
    lines.append(
        f"The privacy loss ε is {round_up(loss.one, 2):.2f} for one answer, "
        f"{round_up(loss.together, 2):.2f} for all."
    )
    if is_selection:
        lines += [LEAVING_NOTE, RELEASE_NOTE]
    return lines


def _growth_text(odds: float) -> str:
    """Return a factor by which odds grow, as a text, rounded up to a tenth."""
    # The small number keeps a rounding error from raising the result by a tenth.
    return f"{round_up(odds - 1e-9, 1):g}"


def _posterior_of_ten(odds: float) -> int:
    """Return the largest posterior probability, in 100, for a prior probability of 10 in 100.

    odds: how many times the odds can grow.
    """
    # A probability of 10 in 100 has the odds 1 to 9. They grow to `odds` to 9. The small number
    # keeps a rounding error from raising the result by 1.
    return math.ceil(100 * odds / (odds + 9) - 1e-9)


def methods_sentences(loss: Losses, draw: QuestionSubset | None, reason: str = "") -> str:
    """Return the sentences on protection for the methods section of a publication.

    loss: the privacy losses of the survey.
    draw: the question subset, or None if everyone got every question.
    reason: the author's reason for weak protection; "" if none was needed.
    """
    rate_of_one, rate_of_all = loss.max_guess_rates
    sentences = []
    if draw:
        sentences.append(
            f"Each respondent was asked {draw.count} of {len(draw.of)} sensitive questions, drawn "
            "uniformly on the device."
        )
    sentences.append(
        f"The privacy loss of one answer is at most {round_up(loss.one):g}, of a whole response at "
        f"most {round_up(loss.together):g} (sum over the questions asked, costliest path). "
        "Choosing between two answers held equally likely, a reader of one report alone is right "
        f"{_rate_text(rate_of_one)} times in 100, a reader of all reports "
        f"{_rate_text(rate_of_all)} times in 100, however the answers are related."
    )
    if draw:
        sentences.append(
            "If people left because of the question they were asked, its share is too low; a check "
            "of the questions asked sees this only when it is strong. For one question fewer than "
            "20 reports may have been added at a time."
        )
    if reason:
        sentences.append(f"The researchers’ reason for this protection: {reason}")
    return " ".join(sentences)
