"""Write reports.json and digests.json, to which Python and JavaScript are both held.

    python tests/vectors/make.py

The files are committed; run this only when a mechanism is added, and read the difference before committing it.
"""

import hashlib
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent))

from mechanisms import (  # noqa: E402
    Crosswise,
    DirectEncoding,
    ForcedResponse,
    Marks,
    Matrix,
    Mechanism,
    SubsetSelection,
    TwoCoin,
    UnaryEncoding,
    Warner,
    Window,
    from_spec,
)

DRAWS = 100_000
LAST = 2**32 - 1


def xorshift32(seed: int) -> Callable[[], int]:
    """A repeatable stream of words, never zero (Marsaglia 2003). For tests only: anyone can predict it."""
    state = seed

    def next_uint32() -> int:
        nonlocal state
        state ^= (state << 13) & LAST
        state ^= state >> 17
        state ^= (state << 5) & LAST
        return state

    return next_uint32


def digest_truth(spec: dict[str, Any], index: int) -> Any:
    """The truth of the index-th draw: all answers in turn, or all sets of answers in turn."""
    size = spec.get("size") or len(spec["rows"])
    if spec.get("select") == "any" or spec["kind"] == "marks":
        return [answer for answer in range(size) if index >> answer & 1]
    return index % size


def digest(mechanism: Mechanism, seed: int, draws: int) -> str:
    """SHA-256 over the reports, one per line."""
    spec, words, total = mechanism.spec(), xorshift32(seed), hashlib.sha256()
    for index in range(draws):
        total.update(f"{mechanism.draw(digest_truth(spec, index), words)}\n".encode())
    return total.hexdigest()


def case(name: str, mechanism: Mechanism, truth: Any, words: list[int]) -> dict[str, Any]:
    """One vector, with as many of the words as the report used."""
    rest: Iterator[int] = iter(words)
    report = mechanism.draw(truth, lambda: next(rest))
    used = words[: len(words) - len(list(rest))]
    return {"name": name, "spec": mechanism.spec(), "truth": truth, "words": used, "report": report}


def random_words(seed: int) -> list[int]:
    words = xorshift32(seed)
    return [words() for _ in range(200)]


def chosen_cases() -> Iterator[dict[str, Any]]:
    """Cases with words chosen by hand for the edges of a row and of the rejection."""
    for word in (0, 1, 2, 3, 4, LAST):
        yield case(f"two-coin, truth No, word {word}", TwoCoin(), 0, [word])
        yield case(f"two-coin, truth Yes, word {word}", TwoCoin(), 1, [word])
    ten = Warner("7/10")  # 2**32 = 10 * 429496729 + 6: the last six words are thrown away
    for word in (LAST - 6, LAST - 5, LAST):
        yield case(f"den 10, word {word} and then 2", ten, 1, [word, 2])
    yield case("den 10, three words thrown away", ten, 0, [LAST, LAST - 1, LAST - 5, 9])
    forced = ForcedResponse("2/3", "1/6", "1/6")
    for word in range(6):
        yield case(f"den 6, word {word}", forced, 1, [word])
    whole = DirectEncoding(3, 1)  # den 2**32: nothing is ever thrown away
    for word in (0, whole.truthful - 1, whole.truthful, whole.truthful + whole.other, LAST):
        yield case(f"den 2**32, word {word}", whole, 0, [word])
    unary = UnaryEncoding(3, "3/4", "1/4")
    yield case("unary, each bit has its own word", unary, 1, [0, 0, 3])
    yield case("unary, all bits turned over", unary, 1, [3, 0, 3])
    anything = UnaryEncoding(3, "7/10", "3/10", "any")
    yield case("any, nothing chosen, one word thrown away", anything, [], [6, LAST, 7, 9])
    yield case("any, all chosen in another order", anything, [2, 0, 1], [2, 3, 9])
    subset = SubsetSelection(4, 1, 2, den="survey")
    one, three = Marks(4, 1.0987, den="survey"), Marks.from_integers(4, 3, 1, 3, 1)
    yield case("marks, the last one picked and kept", one, [3], [3, 2])
    yield case("marks, the first one picked and turned", one, [3], [0, 3, 0])
    yield case("marks, three picked in another order, two turned", three, [0, 2], [2, 2, 1, 12, 1, 1])
    yield case("marks, a word thrown away at the pick", Marks(10, 1.0987, den="survey"), [], [LAST, 9, 0])
    yield case("subset, truth kept", subset, 0, [0, 1])
    yield case("subset, truth dropped", subset, 3, [subset.den - 1, 2, 0])
    yield case("subset, a word thrown away at the second draw", subset, 1, [0, LAST, 1])
    window = Window.from_integers(11, 7, 3, 1)  # den 31: 21 of the window, then 4 below truth 4 and 6 above it
    for word in (0, 2, 3, 20, 21, 24, 25, 30):
        yield case(f"window, truth 4, word {word}", window, 4, [word])
    yield case("window, one word thrown away", window, 10, [LAST, 30])
    aside = Window.from_integers(3, 2, 5, 2, 1)  # den 18: 10 of the window, then 4 below it
    for word in (0, 9, 10, 17):
        yield case(f"window, the answer aside, word {word}", aside, 3, [word])


def mechanisms() -> Iterator[tuple[str, Mechanism]]:
    yield "two-coin", TwoCoin()
    yield "warner 7/10", Warner("7/10")
    yield "crosswise 1/12", Crosswise("1/12")
    yield "matrix 3 x 3", Matrix([[7, 2, 1], [1, 8, 1], [0, 3, 7]], 10)
    yield "direct 5, epsilon 1", DirectEncoding(5, 1)
    yield "direct 4, survey", DirectEncoding(4, 2, "survey")
    yield "unary 3/4 1/4", UnaryEncoding(5, "3/4", "1/4")
    yield "unary optimized", UnaryEncoding.optimized(4, 1)
    yield "unary any", UnaryEncoding.symmetric(3, 3, "any", den="survey")
    yield "subset 6 of width 2", SubsetSelection(6, 1, 2)
    yield "subset 5, survey", SubsetSelection(5, 0.5, den="survey")
    yield "marks 10", Marks(10, 1.0987, den="survey")
    yield "marks 7, two picked", Marks(7, 2.1973)
    yield "marks 6, five picked, two may be turned", Marks(6, 3, 5, 2)
    yield "window 11 of width 7", Window.from_integers(11, 7, 3, 1)
    yield "window 1001", Window(1001, 1)
    yield "window 5 and an answer aside, survey", Window(5, 1, aside=True, den="survey")


def write(name: str, cases: list[dict[str, Any]]) -> None:
    lines = ",\n".join(json.dumps(entry) for entry in cases)
    (HERE / name).write_text(f"[\n{lines}\n]\n")


def main() -> None:
    reports = list(chosen_cases())
    for seed, (name, mechanism) in enumerate(mechanisms(), start=1):
        for index in range(8):
            truth = digest_truth(mechanism.spec(), index)
            reports.append(case(f"{name}, stream {index}", mechanism, truth, random_words(100 * seed + index)))
    write("reports.json", reports)
    write(
        "digests.json",
        [
            {
                "name": name,
                "spec": mechanism.spec(),
                "epsilon": mechanism.epsilon if mechanism.publishable else None,
                "seed": seed,
                "draws": DRAWS,
                "sha256": digest(from_spec(mechanism.spec()), seed, DRAWS),
            }
            for seed, (name, mechanism) in enumerate(mechanisms(), start=2026)
        ],
    )


if __name__ == "__main__":
    main()
