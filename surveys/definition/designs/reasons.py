"""Why a design is the one to take, in a sentence for authors, from the mechanisms that were ranked, the best first."""

import math
from collections.abc import Sequence

from mechanisms import Mechanism, Rappor, best_known_error, planning, round_up, total_error
from mechanisms.designs.picking import TYPICAL
from mechanisms.planning.channels import Channel
from mechanisms.planning.texts import times_beside


def most_precise(ranked: Sequence[Mechanism]) -> str:
    """Why the first wins over the first other that is really different."""
    least = total_error(ranked[0])
    more = [(each.title, total_error(each) / least - 1) for each in ranked[1:]]
    others = [(title, part) for title, part in more if part >= 0.005]
    if not others:
        return "No other design with this epsilon is more precise."
    title, part = others[0]
    return f"It is the most precise design at this epsilon: “{title}” would need {part:.0%} more respondents."


def picked(ranked: Sequence[Mechanism]) -> str:
    """What picking saves beside scrambling every mark, and what it cannot say."""
    marks, every = ranked
    number = round(marks.reported_fraction * marks.size)
    errors = [planning.standard_error(Channel.of(each), TYPICAL, 1) for each in (every, marks)]
    ratio = float(errors[0] / errors[1]) ** 2
    fewer = f"{ratio:.0f} times fewer people" if ratio >= 2 else f"{1 - 1 / ratio:.0%} fewer people"
    return (
        f"The device picks {'one mark' if number == 1 else f'{number} marks'} at random and uses all protection "
        f"there: that needs {fewer} than scrambling every mark. It shows how many chose each, not how many chose two "
        "together."
    )


def one_number(ranked: Sequence[Mechanism]) -> str:
    """What a report in one number costs beside the best that is known, which needs a mark for each answer."""
    mechanism = ranked[0]
    fewer = 100 * (1 - best_known_error(mechanism.size, mechanism.epsilon) / total_error(mechanism))
    return (
        f"No known design would need more than {max(1, math.ceil(fewer))}% fewer respondents, and its reports are one "
        "number, however long the list is."
    )


def beside_a_hash(rappor: Rappor) -> str:
    """What RAPPOR costs beside the usual design of written answers, what it buys, and both of its epsilons."""
    times = times_beside(rappor)
    cost = (
        f"{times:.1f} times the respondents of the hash"
        if times >= 1.05
        else "about as many respondents as the hash"
    )
    once, ever = (f"{round_up(each, 2):.2f}" for each in (rappor.epsilon_once, rappor.epsilon))
    return (
        f"One report alone has epsilon {once}; there it needs {cost}. What counts is {ever}, for both steps, since "
        "the device forgets the first one."
    )
