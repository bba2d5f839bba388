"""Which mechanism to take for written answers, and what RAPPOR costs beside the geometry of a hash."""

from operator import attrgetter

from mechanisms.designs.rappor import Rappor
from mechanisms.designs.specs import CLASSES
from mechanisms.designs.texts import TextMechanism
from mechanisms.designs.written import Written
from mechanisms.planning.recommendation import Recommendation


def times_beside(mechanism: Rappor) -> float:
    """How many times the respondents RAPPOR needs to tell the same rare text from 0, beside the geometry of a hash.

    At the epsilon of one report. What is bought with them: later reports of the same text add nothing beyond `epsilon`.
    """
    return mechanism.noise / Written(mechanism.epsilon_once).noise


def recommend_for_texts(epsilon: float) -> list[Recommendation]:
    """The mechanisms for one question with written answers at this epsilon of one report, least error first.

    error: n times the variance of the share of a rare text.
    """
    classes = [each for each in CLASSES if issubclass(each, TextMechanism)]
    ranked = sorted(
        (made for each in classes for made in each.variants_for_epsilon(epsilon)),
        key=attrgetter("noise"),
    )
    least = ranked[0].noise
    return [
        Recommendation(each, each.noise, each.comparison_note(each.noise / least))
        for each in ranked
    ]
