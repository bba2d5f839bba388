"""Reasons for a recommended design, in a sentence for authors.

They are computed from the mechanisms of the designs that were compared, the most precise one first.
"""

import math
from collections.abc import Sequence

from mechanisms import Mechanism, Rappor, best_known_error, planning, round_up, total_error
from mechanisms.designs.picking import TYPICAL_SHARE
from mechanisms.planning.channels import Channel
from mechanisms.planning.texts import times_beside


def precision_reason(ranked: Sequence[Mechanism]) -> str:
    """Return a sentence on how much more precise the recommended design is than the next one.

    Designs that are almost as precise as the recommended one are passed over.

    ranked: the mechanisms of the designs that were compared, the most precise one first.
    """
    best, *others = ranked
    least_error = total_error(best)
    for mechanism in others:
        more_respondents = total_error(mechanism) / least_error - 1
        # A smaller number would be shown as 0%.
        if more_respondents >= 0.005:
            return (
                f"It is the most precise design at this epsilon: “{mechanism.title}” would need "
                f"{more_respondents:.0%} more respondents."
            )
    return "No other design with this epsilon is more precise."


def picking_reason(ranked: Sequence[Mechanism]) -> str:
    """Return a text on what is gained and lost if the device picks only some of the options.

    ranked: a mechanism that picks options, and then one that scrambles all of them.
    """
    picking, scrambling = ranked
    number = round(picking.reported_fraction * picking.size)
    picking_error = planning.standard_error(Channel.of(picking), TYPICAL_SHARE, 1)
    scrambling_error = planning.standard_error(Channel.of(scrambling), TYPICAL_SHARE, 1)
    # The number of people that are needed grows with the square of the error.
    ratio = float(scrambling_error / picking_error) ** 2

    fewer = f"{1 - 1 / ratio:.0%} fewer people"
    if ratio >= 2:
        fewer = f"{ratio:.0f} times fewer people"
    options = "one mark" if number == 1 else f"{number} marks"
    return (
        f"The device picks {options} at random and uses all protection there: that needs {fewer} "
        "than scrambling every mark. It shows how many chose each, not how many chose two together."
    )


def one_number_reason(ranked: Sequence[Mechanism]) -> str:
    """Return a sentence on what a report that is one number costs, compared with the best design.

    The best known design needs a bit for each answer, which is too much for a long list.

    ranked: the mechanisms of the designs that were compared. Only the first one is used.
    """
    mechanism = ranked[0]
    best_error = best_known_error(mechanism.size, mechanism.epsilon)
    fewer = 100 * (1 - best_error / total_error(mechanism))
    percent = max(1, math.ceil(fewer))
    return (
        f"No known design would need more than {percent}% fewer respondents, and its reports are "
        "one number, however long the list is."
    )


def rappor_comparison(rappor: Rappor) -> str:
    """Return a text on what RAPPOR costs, compared with the design “written”, a hash.

    The sentences also have the epsilon of one report alone, and that of all reports of a device.
    """
    times = times_beside(rappor)
    cost = "about as many respondents as the hash"
    # A smaller number would be shown as 1.0 times.
    if times >= 1.05:
        cost = f"{times:.1f} times the respondents of the hash"
    once = f"{round_up(rappor.epsilon_once, 2):.2f}"
    ever = f"{round_up(rappor.epsilon, 2):.2f}"
    return (
        f"One report alone has epsilon {once}; there it needs {cost}. What counts is {ever}, "
        "for both steps, since the device forgets the first one."
    )
