"""Which mechanism to take for written answers, and what RAPPOR costs beside the geometry of a hash."""

from mechanisms.designs.rappor import Rappor
from mechanisms.designs.texts import TextMechanism
from mechanisms.designs.written import Written
from mechanisms.estimation.intervals import normal_quantile
from mechanisms.planning.recommendation import Recommendation

HASHES = (1, 2, 4)


def rare_error(mechanism: TextMechanism) -> float:
    """n times the variance of the share of a text that nobody wrote, beside one candidate."""
    return (mechanism.smallest(1, 1) / normal_quantile(0.95)) ** 2


def times_beside(mechanism: Rappor) -> float:
    """How many times the respondents RAPPOR needs to tell the same rare text from 0, beside the geometry of a hash.

    At the epsilon of one report. What is bought with them: later reports of the same text add nothing beyond `epsilon`.
    """
    return rare_error(mechanism) / rare_error(Written(mechanism.epsilon_once))


def recommend_for_texts(epsilon: float) -> list[Recommendation]:
    """The mechanisms for one question with written answers at this epsilon of one report, least error first.

    error: n times the variance of the share of a rare text.
    """
    candidates: list[TextMechanism] = [Written(epsilon), *(Rappor.of_epsilon(epsilon, hashes=each) for each in HASHES)]
    ranked = sorted(candidates, key=rare_error)
    return [Recommendation(each, rare_error(each), _reason(each, ranked[0])) for each in ranked]


def _reason(mechanism: TextMechanism, best: TextMechanism) -> str:
    if not isinstance(mechanism, Rappor):
        return "Tells the smallest shares of rare texts. A report is one number; answering again reveals as much again."
    more, number = rare_error(mechanism) / rare_error(best), mechanism.hashes
    functions = "one hash function" if number == 1 else f"{number} hash functions"
    return (
        f"Needs {more:.1f} times the respondents, with {functions}. Later reports of the same text "
        f"can be drawn from what the device keeps; all together have epsilon {mechanism.epsilon:.2f}."
    )
