"""Write reports.json, digests.json and text.json, to which Python and JavaScript are both held.

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
    Geometry,
    Matrix,
    Mechanism,
    OptionSampling,
    Rappor,
    SubsetSelection,
    TwoCoin,
    UnaryEncoding,
    Warner,
    Window,
    Written,
    from_spec,
)
from mechanisms.designs import texts  # noqa: E402

DRAWS = 100_000
STRINGS = 2_000
# First and last code points of what strings are made of: letters of many writings, marks that join them, odd spaces.
LETTERS = (
    *(
        (0x20, 0x7E),
        (0x09, 0x0D),
        (0x1C, 0x20),
        (0x85, 0x85),
        (0xA0, 0x17F),
        (0x300, 0x36F),
        (0x391, 0x3C9),
    ),
    *(
        (0x400, 0x4FF),
        (0x621, 0x64A),
        (0x1100, 0x11F9),
        (0x1E00, 0x1EFF),
        (0x2000, 0x200B),
        (0x2028, 0x202F),
    ),
    *(
        (0x2126, 0x212B),
        (0x2160, 0x217F),
        (0x3000, 0x3000),
        (0x3041, 0x3096),
        (0xAC00, 0xAC80),
        (0xFB00, 0xFB06),
    ),
    *((0xFEFF, 0xFEFF), (0xFF01, 0xFF5E), (0x1D400, 0x1D454), (0x1F300, 0x1F5FF)),
)
TEXTS = (
    *(
        "HIV",
        "  hiv\t\n",
        "ＨＩＶ",
        "Straße",
        "ΌΔΟΣ",
        "İstanbul",
        "ﬁve  mg",
        "½ tablet",
        "crack\u00a0cocaine",
        "ﷺ",
    ),
    *(
        "Å",
        "A\u030a",
        "나쁜",
        "\u1102\u1161",
        "كوكايين",
        "🍄",
        "x" * 100,
        "a\ufeffb",
        "no\u200bgap",
    ),
)
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
    if spec["kind"] in ("written", "rappor"):
        return f"text {index % 50}"
    size = spec.get("size") or len(spec["rows"])
    if spec.get("select") == "any" or spec["kind"] == "marks":
        return [answer for answer in range(size) if index >> answer & 1]
    return index % size


def digest(mechanism: Mechanism, seed: int, draws: int) -> str:
    """SHA-256 over the reports, one per line."""
    spec, words, total = mechanism.spec(), xorshift32(seed), hashlib.sha256()
    for index in range(draws):
        total.update(f"{mechanism.randomize_one(digest_truth(spec, index), words)}\n".encode())
    return total.hexdigest()


def made(words: Callable[[], int]) -> str:
    """A text of 1 to 20 characters from anywhere in LETTERS."""
    ranges = [LETTERS[words() % len(LETTERS)] for _ in range(1 + words() % 20)]
    return "".join(chr(first + words() % (last - first + 1)) for first, last in ranges)


def digest_of_texts(seed: int, strings: int) -> str:
    """SHA-256 over the digests of normalised strings, one per line."""
    words, total = xorshift32(seed), hashlib.sha256()
    for _ in range(strings):
        total.update(
            texts.digest("candor-text-1", texts.normalize(made(words))).hex().encode() + b"\n"
        )
    return total.hexdigest()


def text_cases() -> dict[str, Any]:
    forms = [(text, texts.normalize(text)) for text in TEXTS]
    return {
        "texts": [
            {"text": text, "form": form, "sha256": texts.digest("candor-text-1", form).hex()}
            for text, form in forms
        ],
        "letters": LETTERS,
        "seed": 2026,
        "strings": STRINGS,
        "sha256": digest_of_texts(2026, STRINGS),
    }


def case(name: str, mechanism: Mechanism, truth: Any, words: list[int]) -> dict[str, Any]:
    """One vector, with as many of the words as the report used."""
    rest: Iterator[int] = iter(words)
    report = mechanism.randomize_one(truth, lambda: next(rest))
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
    one, three = (
        OptionSampling(4, 1.0987, den="survey"),
        OptionSampling.from_integers(4, 3, 1, 3, 1),
    )
    yield case("marks, the last one picked and kept", one, [3], [3, 2])
    yield case("marks, the first one picked and turned", one, [3], [0, 3, 0])
    yield case(
        "marks, three picked in another order, two turned", three, [0, 2], [2, 2, 1, 12, 1, 1]
    )
    yield case(
        "marks, a word thrown away at the pick",
        OptionSampling(10, 1.0987, den="survey"),
        [],
        [LAST, 9, 0],
    )
    yield case("subset, truth kept", subset, 0, [0, 1])
    yield case("subset, truth dropped", subset, 3, [subset.den - 1, 2, 0])
    yield case("subset, a word thrown away at the second draw", subset, 1, [0, LAST, 1])
    window = Window.from_integers(
        11, 7, 3, 1
    )  # den 31: 21 of the window, then 4 below truth 4 and 6 above it
    for word in (0, 2, 3, 20, 21, 24, 25, 30):
        yield case(f"window, truth 4, word {word}", window, 4, [word])
    yield case("window, one word thrown away", window, 10, [LAST, 30])
    aside = Window.from_integers(3, 2, 5, 2, 1)  # den 18: 10 of the window, then 4 below it
    for word in (0, 9, 10, 17):
        yield case(f"window, the answer aside, word {word}", aside, 3, [word])
    plane = Geometry.from_integers(
        13, 3, 3, 6, 10
    )  # truth 12 is 122, so that its first coordinate is solved for
    yield case("geometry, kept, all zeros drawn again", plane, 12, [5, 0, 0, 1, 1])
    yield case("geometry, dropped, the other target", plane, 12, [6, 0, 0, 1])
    yield case("geometry, a word thrown away at a coordinate", plane, 0, [0, LAST, 2, 1])
    yield case(
        "geometry of order 2, which draws no target",
        Geometry.from_integers(3, 2, 2, 3, 4),
        1,
        [3, 1],
    )
    rappor = Rappor(2, 1, 3)  # a word for the cohort, one for each bit, and one for each again
    yield case("rappor, every bit kept", rappor, "heroin", [2, 0, 3, 0, 3])
    yield case(
        "rappor, every bit turned over, one word thrown away",
        rappor,
        " Heroin",
        [LAST, 1, 3, 0, 2, 1],
    )


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
    yield "marks 10", OptionSampling(10, 1.0987, den="survey")
    yield "marks 7, two picked", OptionSampling(7, 2.1973)
    yield "marks 6, five picked, two may be turned", OptionSampling(6, 3, 5, 2)
    yield "window 11 of width 7", Window.from_integers(11, 7, 3, 1)
    yield "window 1001", Window(1001, 1)
    yield "window 5 and an answer aside, survey", Window(5, 1, aside=True, den="survey")
    yield "geometry 1,000, survey", Geometry(1000, 1.0987, den="survey")
    yield "geometry 20,000", Geometry(20_000, 3)
    yield "geometry of order 2, 300", Geometry(300, 0.5, den="survey")
    yield "written, survey", Written(1.0987, den="survey")
    yield "written of order 2", Written(0.5, 2)
    yield "rappor 8 bits, 5 cohorts", Rappor(8, 2, 5)
    yield "rappor 4 bits, odd chances", Rappor(4, 1, 256, f="1/3", p="9/10", q="1/7")


def write(name: str, cases: list[dict[str, Any]]) -> None:
    lines = ",\n".join(json.dumps(entry) for entry in cases)
    (HERE / name).write_text(f"[\n{lines}\n]\n")


def main() -> None:
    reports = list(chosen_cases())
    for seed, (name, mechanism) in enumerate(mechanisms(), start=1):
        for index in range(8):
            truth = digest_truth(mechanism.spec(), index)
            reports.append(
                case(f"{name}, stream {index}", mechanism, truth, random_words(100 * seed + index))
            )
    write("reports.json", reports)
    (HERE / "text.json").write_text(json.dumps(text_cases(), indent=1) + "\n")
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
