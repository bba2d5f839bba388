"""Every sentence on protection: what respondents read, in their language, and what authors read, in English."""

import math
from collections.abc import Callable, Sequence

from django.utils.translation import gettext, ngettext

from mechanisms import odds_percent, round_up
from surveys.definition.instrument import QuestionDefinition
from surveys.definition.protection import AMBER, Losses, Versions, guess_rate_of_pair
from surveys.definition.response_format import QuestionSubset
from surveys.models import Question

WEAK, CLEAR = 75, 90  # in 100: up to here a weak hint, a hint; above it is strong evidence
CERTAIN = 99  # in 100: above it a number is not said any more
CORRELATIONS = (
    0,
    0.1,
    0.3,
    0.5,
    0.8,
    1,
)  # for which authors read how often a guess about one of two answers is right
NOT_SCRAMBLED = "Not scrambled"
LEAST_REASON, LONGEST_REASON = 20, 500  # characters


# What respondents read, in the language that is spoken there.


def scrambling_text(scrambled: Sequence[QuestionDefinition]) -> str:
    """Return what happens to a sensitive answer and who does it."""
    arrives = gettext("What arrives may be your answer, or may be chance.")
    if any(item.traits.has_yes for item in scrambled):
        arrives = gettext("A Yes that arrives may be yours, or may be chance.")
    return f"{who_scrambles(scrambled)} {arrives}"


def who_scrambles(scrambled: Sequence[QuestionDefinition]) -> str:
    if all(item.mode == Question.Mode.AUTOMATIC for item in scrambled):
        return gettext(
            "Your device scrambles each sensitive answer before sending it: it mixes in chance."
        )
    return gettext("Each sensitive answer is scrambled by chance before it is sent.")


def guess_rates_for_respondents(loss: Losses, stressed: Callable[[str], str] = str) -> str:
    """Return how often a guess is right by chance, from one answer, and from all answers.

    stressed: makes a number of this bold.
    """
    if loss.has_several_answers:
        text = gettext(
            "By pure chance, a guess between two answers is right 50 times in 100. With one of your scrambled answers: "
            "%(one)s. With all of them: %(all)s."
        )
    else:
        text = gettext(
            "By pure chance, a guess between two answers is right 50 times in 100. With your scrambled answer: %(one)s."
        )
    one, together = (stressed(_bound(times)) for times in loss.max_guess_rates)
    return f"{text % {'one': one, 'all': together}} {_grade(loss.max_guess_rates[1])}"


def _bound(times: int) -> str:
    if times > CERTAIN:
        return gettext("more than %(times)s") % {"times": CERTAIN}
    return gettext("at most %(times)s") % {"times": times}


def _grade(times: int) -> str:
    if times <= WEAK:
        return gettext("That is a weak hint.")
    return (
        gettext("That is a hint, not a certainty.")
        if times <= CLEAR
        else gettext("That is strong evidence.")
    )


def guess_rate_bound(epsilon: float) -> str:
    """Return "at most 75": how often in 100 a guess is right."""
    return _bound(odds_percent(epsilon))


def grade_text(epsilon: float) -> str:
    """Return how much a report reveals: a weak hint, a hint, or strong evidence."""
    times = odds_percent(epsilon)
    if times <= WEAK:
        return gettext("a weak hint")
    return gettext("a hint, not a certainty") if times <= CLEAR else gettext("strong evidence")


def for_respondents(
    loss: Losses, *, as_it_is: bool, stressed: Callable[[str], str] = str
) -> list[str]:
    """What the first screen says of a whole survey; nothing before there is a question.

    as_it_is: whether some questions are not scrambled.
    """
    if not loss.one:
        return [not_scrambled(nothing_is=True)] if as_it_is else []
    return [
        guess_rates_for_respondents(loss, stressed),
        *([not_scrambled(nothing_is=False)] if as_it_is else []),
    ]


def not_scrambled(*, nothing_is: bool) -> str:
    """On the first screen, where some questions are not scrambled, or all."""
    if nothing_is:
        return gettext("Nothing in this survey is scrambled. Your answers could identify you.")
    return gettext("Answers marked “Not scrambled” could identify you.")


def subset_text(draw: QuestionSubset, items: Sequence[QuestionDefinition]) -> str:
    """Return a sentence on which of the sensitive questions each respondent gets."""
    sensitive = [item for item in items if item.mechanism]
    of, at_most = draw.of, any(item.when for item in sensitive if item.key in draw.of)
    if len(sensitive) == len(of) + 1:
        text = (
            gettext(
                "Everyone gets one of the sensitive questions. Your device picks at most %(number)s of the other "
                "%(of)s at random."
            )
            if at_most
            else gettext(
                "Everyone gets one of the sensitive questions. Your device picks %(number)s of the other %(of)s at "
                "random."
            )
        )
    elif at_most:
        text = ngettext(
            "You get at most %(number)s of the %(of)s sensitive questions. Your device picks it at random.",
            "You get at most %(number)s of the %(of)s sensitive questions. Your device picks them at random.",
            draw.count,
        )
    else:
        text = ngettext(
            "You get %(number)s of the %(of)s sensitive questions. Your device picks it at random.",
            "You get %(number)s of the %(of)s sensitive questions. Your device picks them at random.",
            draw.count,
        )
    return text % {"number": draw.count, "of": len(of)}


# What authors read, in English.


def guess_rates_text(loss: Losses) -> str:
    """Return, in one or two sentences, how often a guess about an answer is right."""
    one, together = (_at_most(times) for times in loss.max_guess_rates)
    if not loss.has_several_answers:
        return f"Guessed right {one} times in 100. Pure chance between two answers: 50."
    return (
        f"One answer alone: guessed right {one} times in 100. All answers together: {together}. Pure chance between "
        "two answers: 50."
    )


def _at_most(times: float, most: float = CERTAIN) -> str:
    return f"more than {most:g}" if times > most else f"at most {times:g}"


def who_gets(
    draw: QuestionSubset, sensitive: Sequence[tuple[str, str]], conditional: Sequence[str] = ()
) -> str:
    """Below the numbers. sensitive: key and text of each sensitive question; conditional: keys of those on paths."""
    most = "at most " if set(draw.of) & set(conditional) else ""
    others = [text for key, text in sensitive if key not in draw.of]
    if len(others) == 1:
        return (
            f"Each person gets “{others[0]}” and {most}{draw.count} of the other {len(draw.of)} sensitive questions, "
            "picked by their device."
        )
    return f"Each person gets {most}{draw.count} of the {len(draw.of)} sensitive questions, picked by their device."


def weak_protection_text(loss: Losses) -> str:
    """Return why publishing with so little protection needs a reason."""
    one, together = (_at_most(times) for times in loss.max_guess_rates)
    if not loss.has_several_answers:
        said = f"Guessed right {one} times in 100."
    elif loss.max_guess_rates[1] > AMBER[1]:
        said = f"All answers together: guessed right {together} times in 100."
    else:
        said = f"One answer alone: guessed right {one} times in 100."
    return f"{said} Say why this is justified, or choose Balanced."


def validate_reason(text: str) -> str:
    """Return the reason for weak protection as it is stored. Raises ValueError."""
    written = " ".join(text.split())
    if not LEAST_REASON <= len(written) <= LONGEST_REASON:
        raise ValueError(
            f"The reason has {len(written)} characters; {LEAST_REASON} to {LONGEST_REASON} are allowed."
        )
    return written


def both_versions(versions: Versions) -> str:
    """Of a new version, for its author."""
    one, together = (_at_most(times, 99.9) for times in (versions.one, versions.all))
    return (
        "Someone may answer both versions and get the same question twice. Then one answer alone: guessed right "
        f"{one} times in 100. All answers together: {together}. Pure chance between two answers: 50."
    )


def row_of_correlations(epsilon: float) -> str:
    """For the fold and the ethics page: what goes with other answers is told by them too."""
    row = ", ".join(f"{each:g}: {guess_rate_of_pair(epsilon, each)}" for each in CORRELATIONS)
    return (
        "Two yes/no answers may go together. Someone who sees both scrambled answers guesses one of them right at most "
        f"so many times in 100, by the correlation of the two: {row}."
    )


LEAVING = (
    "If people leave because of the question they get, its share is too low. A check "
    "sees this only when it is strong."
)
STEPS = "For one question fewer than 20 may be added at a time."


def loss_explanation(loss: Losses, is_selection: bool) -> list[str]:
    """Return the lines under “What these numbers mean”."""
    one, together = loss.max_guess_rates
    lines = [
        "Someone who thinks two answers equally likely, and sees only that scrambled answer, is right "
        f"{_at_most(one)} times in 100. Someone who thinks two whole sets of answers equally likely, and sees all "
        f"the person sent, is right {_at_most(together)} times. Both numbers are for the worst case.",
        row_of_correlations(loss.one),
    ]
    if together <= CERTAIN:
        alone, all_ = math.exp(loss.one), math.exp(loss.together)
        lines.append(
            f"Other prior odds grow at most {_fold(alone)}-fold (alone), {_fold(all_)}-fold (together): 10 in 100 "
            f"becomes at most {_from_ten(alone)}, {_from_ten(all_)}."
        )
    lines += [
        "Answers that are not scrambled, other knowledge and answering again come on top.",
        f"The privacy loss ε is {round_up(loss.one, 2):.2f} for one answer, {round_up(loss.together, 2):.2f} for all.",
    ]
    return [*lines, LEAVING, STEPS] if is_selection else lines


def _fold(odds: float) -> str:
    return f"{round_up(odds - 1e-9, 1):g}"


def _from_ten(odds: float) -> int:
    """A prior chance of 10 in 100, after the most telling outcome."""
    return math.ceil(100 * odds / (odds + 9) - 1e-9)


def for_a_paper(loss: Losses, draw: QuestionSubset | None, why_red: str = "") -> str:
    """The sentences of the methods text. why_red: the reason that its author gave for publishing."""
    one, together = (_at_most(times) for times in loss.max_guess_rates)
    said = []
    if draw:
        said.append(
            f"Each respondent was asked {draw.count} of {len(draw.of)} sensitive questions, drawn uniformly on the "
            "device."
        )
    said.append(
        f"The privacy loss of one answer is at most {round_up(loss.one):g}, of a whole response at most "
        f"{round_up(loss.together):g} (sum over the questions asked, costliest path). Choosing between two answers "
        f"held equally likely, a reader of one report alone is right {one} times in 100, a reader of all reports "
        f"{together} times in 100, however the answers are related."
    )
    if draw:
        said.append(
            "If people left because of the question they were asked, its share is too low; a check of the questions "
            "asked sees this only when it is strong. For one question fewer than 20 reports may have been added "
            "at a time."
        )
    return " ".join(
        [*said, *([f"The researchers’ reason for this protection: {why_red}"] if why_red else [])]
    )
