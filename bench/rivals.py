"""Other mechanisms of the literature for answers, as their variances: what bench/accuracy.py sets beside ours.

Every variance is n times that of one estimate, sampling included. e is exp(epsilon), of the whole
response, whatever a paper calls epsilon.
"""

import math
from fractions import Fraction
from itertools import product

from scipy.optimize import minimize_scalar


def share(p: float, q: float, f: float) -> float:
    """n Var of a share f counted by reports that support it with chance p where it is true, and q where it is not."""
    r = q + f * (p - q)
    return r * (1 - r) / (p - q) ** 2


# One of k choices. Each returns n Var of one share that is f.


def local_hashing(e: float, f: float) -> float:
    """OLH (Wang et al. 2017, USENIX Security): a hash into g values, of which direct encoding sends one. The best g."""
    sizes = range(2, math.ceil(e) + 4)
    return min(share(e / (e + g - 1), 1 / g, f) for g in sizes)


def hadamard(e: float, f: float) -> float:
    """One bit of the Hadamard transform: half of all reports support an answer (Acharya, Sun and Zhang 2019)."""
    return share(e / (e + 1), 0.5, f)


def hadamard_response(e: float, size: int, blocks: int) -> float:
    """Hadamard response in B blocks (Acharya, Sun and Zhang 2019, AISTATS, section 5), all shares 1/k on average.

    The report supports v with weight 1/2 if it lies in v's half of v's block, and with -1/2 in the other half: mean
    f (e - 1)/(2 (e + 2B - 1)), variance a quarter of the block's chance less the mean squared.
    """
    f, slope = 1 / size, (e - 1) / (2 * (e + 2 * blocks - 1))
    return (1 / (4 * blocks) - (f * slope) ** 2) / slope**2


def best_hadamard_response(e: float, size: int) -> float:
    return min(hadamard_response(e, size, 2**power) for power in range(int(math.log2(size)) + 1))


def count_mean_sketch(e: float, f: float, cells: int = 1024) -> float:
    """Apple's sketch (2017): symmetric bits for a hash into so many cells, a fresh hash for each report."""
    p = math.sqrt(e) / (math.sqrt(e) + 1)
    return share(p, (1 - p) + (2 * p - 1) / cells, f)


def summed_histogram(e: float, f: float) -> float:
    """SHE (Wang et al. 2017): Laplace noise of scale 2/epsilon on each of the k zeros and ones."""
    return 8 / math.log(e) ** 2 + f * (1 - f)


def thresholded_histogram(e: float, f: float) -> float:
    """THE (Wang et al. 2017): only which of these numbers are above a threshold, the best one."""
    epsilon = math.log(e)

    def at(threshold: float) -> float:
        return share(
            1 - math.exp(epsilon * (threshold - 1) / 2) / 2,
            math.exp(-epsilon * threshold / 2) / 2,
            f,
        )

    return float(
        minimize_scalar(at, bounds=(0.5, 1), method="bounded", options={"xatol": 1e-10}).fun
    )


# Several questions of d, k choices each.


def fake_data(e: float, size: int, questions: int, f: float) -> float:
    """RS+FD with direct encoding (Arcolezi et al. 2021, CIKM): one question is answered, all others get uniform fakes.

    e is that of the whole response, which is that of the one answer: see `real_ratio`.
    """
    p, q = e / (e + size - 1), 1 / (e + size - 1)
    r = (q + f * (p - q)) / questions + (1 - 1 / questions) / size
    return r * (1 - r) * questions**2 / (p - q) ** 2


def one_of_several(e: float, size: int, questions: int, f: float) -> float:
    """Ask one of d questions at random, and say which: the same answer without fakes."""
    return questions * share(e / (e + size - 1), 1 / (e + size - 1), f)


def real_ratio(
    claimed: Fraction, size: int, questions: int, *, differing: int | None = None
) -> Fraction:
    """The largest ratio of chances of a whole RS+FD response, over all truths and responses.

    claimed: e of the paper; the one answer then gets d (e - 1) + 1. differing: in how many questions truths differ, by
    default in all.
    """
    amplified = questions * (claimed - 1) + 1
    p, q = amplified / (amplified + size - 1), 1 / (amplified + size - 1)
    truths = list(product(range(size), repeat=questions))
    fakes = Fraction(1, size) ** (questions - 1)

    def chance(response: tuple[int, ...], truth: tuple[int, ...]) -> Fraction:
        return (
            sum((p if a == b else q for a, b in zip(response, truth, strict=True)), Fraction(0))
            * fakes
            / questions
        )

    first = truths[0]  # the design treats all answers alike
    others = [
        t
        for t in truths
        if sum(a != b for a, b in zip(first, t, strict=True)) == (differing or questions)
    ]
    return max(chance(r, first) / chance(r, other) for r in truths for other in others)
