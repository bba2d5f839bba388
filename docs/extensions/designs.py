"""Two directives, for pages on designs: what is in them is computed by the library and said in the workspace's words.

`{design}` on a page that has the key of a design for its name: what it does, what respondents read, and a table with a
row for each line of its content, such as "p=3/4" or "p=3/4 q=1/4 answers=10"; without content for the three levels.
`{designs}`: a table of all designs of a kind.
"""

import math
from dataclasses import dataclass
from html import unescape

import django
from django.apps import apps
from django.utils.html import strip_tags
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective

if not apps.ready:
    django.setup()

from django.template.loader import render_to_string

from mechanisms import odds_percent
from surveys.authoring.drafts.question_plan import QuestionPlan, plan_question
from surveys.authoring.planning.precision import ASSUMED, verdict
from surveys.definition.designs.catalogue import DESIGNS
from surveys.definition.designs.design import MOST_MARKED, Design
from surveys.definition.designs.external import ALL_DESIGNS, IMPORT_ONLY_DESIGNS
from surveys.definition.designs.levels import EPSILONS, USUAL_LEVEL
from surveys.definition.instrument import QuestionDefinition
from surveys.definition.odds import as_people, odds
from surveys.definition.protection import LEVELS
from surveys.models import Question
from surveys.site.number_format import epsilon_in_view

Kind = Question.Kind


def _asked(design: Design) -> bool:
    """Of respondents here; the others are for answers from files."""
    return design.key in DESIGNS


def _of_lists(design: Design) -> bool:
    """Made for more answers than others serve."""
    return design.most > MOST_MARKED


KINDS = {  # name of a table of designs -> what is asked, and the designs that are in it
    "yes-no": (Kind.YES_NO, lambda design: design.two_answers_only and _asked(design)),
    "choice": (
        Kind.CHOICE,
        lambda design: (
            (design.select, design.two_answers_only) == ("one", False)
            and _asked(design)
            and not _of_lists(design)
        ),
    ),
    "list": (Kind.CHOICE, _of_lists),
    "any": (Kind.ANY, lambda design: design.select == "any"),
    "text": (Kind.WRITTEN, lambda design: design.select == "text"),
    "ordered": (Kind.QUANTITY, lambda design: design.select == "ordered"),
    "files": (Kind.YES_NO, lambda design: design.key in IMPORT_ONLY_DESIGNS),
}
ANSWERS = 5  # of a question with several, unless a line says otherwise
LISTED = 1_000  # of one that is made for long lists
FEW_AND_MANY = (3, 10)
LONG_AND_LONGER = (LISTED, 10_000)
LARGEST = 30  # of a number, from 0 on


@dataclass(frozen=True)
class Example:
    """A design with numbers, and a question that is asked with it."""

    given: dict[str, str]
    plan: QuestionPlan

    @property
    def item(self) -> QuestionDefinition:
        plan = self.plan
        return QuestionDefinition(
            "shown",
            plan.kind,
            "The question",
            "",
            plan.answers,
            plan.mechanism,
            step=plan.step or 1,
        )

    @property
    def is_pair(self) -> bool:
        return self.plan.kind == Kind.YES_NO


def kind_of(design: Design) -> str:
    return next(kind for kind, fits in KINDS.values() if fits(design))


def usual_size(design: Design) -> int:
    return LISTED if _of_lists(design) else ANSWERS


def example(design: Design, given: dict[str, str], answers: int = 0) -> Example:
    """given: the parameters by their letters. answers: as many as is usual where it is 0."""
    answers = answers or usual_size(design)
    labels = (
        [f"Answer {number}" for number in range(1, answers + 1)]
        if kind_of(design) != Kind.WRITTEN
        else []
    )
    bounds = {"minimum": "0", "maximum": str(LARGEST)} if kind_of(design) == Kind.QUANTITY else {}
    chosen = {"kind": kind_of(design), "design": design.key, "parameters": given, "choices": labels}
    return Example(
        given, plan_question(**chosen, **bounds, import_only=design.key in IMPORT_ONLY_DESIGNS)
    )


def read(design: Design, line: str) -> Example:
    """ "epsilon=1 answers=10" -> that example."""
    given = dict(word.split("=") for word in line.split())
    answers = int(given.pop("answers", 0))
    return example(
        design, {letter: value.replace("|", " ") for letter, value in given.items()}, answers
    )


def sentence(found: Example) -> str:
    """What respondents read of the odds; of answers that come from a file, what happened to them."""
    if found.plan.design in IMPORT_ONLY_DESIGNS:
        words = found.plan.mechanism.in_words()
        return f"{words[0].upper()}{words[1:]}."
    html = render_to_string(
        "respondent/parts/scrambled.html", {"item": found.item, "odds": odds(found.item)}
    )
    return " ".join(unescape(strip_tags(html)).split())


def row(found: Example) -> list[str]:
    """The numbers of an example: odds, privacy loss, and the people it takes."""
    mechanism = found.plan.mechanism
    contrast = mechanism.contrast(1 if found.is_pair else 0)
    people, (chosen, other), is_rounded = as_people(contrast.chosen, contrast.other)
    prefix = "about " if is_rounded else ""
    proves = math.isinf(mechanism.epsilon)
    shows = verdict(found.plan.kind, mechanism, ASSUMED)
    return [
        f"{prefix}{chosen:,} of {people:,}",
        f"{prefix}{other:,} of {people:,}",
        epsilon_in_view(mechanism.epsilon, 2),
        "can be proved" if proves else f"{odds_percent(mechanism.epsilon)} in 100",
        f"{shows.needed:,}" if shows else "",
        shows.number if shows else "",
    ]


def heads(*found: Example) -> list[str]:
    """Over the rows of these examples, which may be said in different ways."""
    shapes = {each.plan.mechanism.contrast(0).shape for each in found}
    told = {
        "pair": ("Yes sent of a true Yes", "Yes sent of a true No"),
        "direct": ("An answer sent where it is true", "Where another is true"),
        "marks": ("Mark set of an answer that is true", "Of one that is not"),
        "picked": ("Mark set of an answer that is true, if picked", "Of one that is not"),
        "group": ("In the group sent, an answer that is true", "One that is not"),
        "text": ("Fits the text that was written", "Any other text"),
        "bits": ("A bit that the text sets is sent as 1", "Any other bit"),
        "band": ("In the band of the true number", "By chance alone"),
        "": ("Sent, or marked, where it is true", "Where it is not"),
    }[shapes.pop() if len(shapes) == 1 else ""]
    if found[0].plan.mechanism.tells == "candidates":
        return [
            *told,
            "Epsilon",
            "Guessed right, at most",
            "People for 5%",
            f"Share at {ASSUMED:,} people",
        ]
    off = "5% of the range" if found[0].plan.mechanism.tells == "mean" else "±5 points"
    return [
        *told,
        "Epsilon",
        "Guessed right, at most",
        f"People for {off}",
        f"Off at {ASSUMED:,} people",
    ]


def table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def usual(design: Design) -> Example:
    """Return the example at the balanced level, or with the numbers that the workspace starts with.

    Only a design that is made from an epsilon has a balanced level.
    """
    if "epsilon" in design.parameters:
        return example(design, {"epsilon": EPSILONS[USUAL_LEVEL]})
    return example(design, design.start)


def levels(design: Design) -> list[tuple[str, Example]]:
    """The three levels, with few answers and with many; without an epsilon what the workspace starts with."""
    if "epsilon" not in design.parameters:
        return [(told(usual(design).given), usual(design))]
    several = LONG_AND_LONGER if _of_lists(design) else FEW_AND_MANY
    sizes = [ANSWERS] if kind_of(design) in (Kind.QUANTITY, Kind.WRITTEN) else several
    many = len(sizes) > 1
    examples = []
    for size in sizes:
        for level in LEVELS.values():
            name = f"{level.title}, {size:,} answers" if many else level.title
            examples.append((name, example(design, {"epsilon": repr(level.epsilon)}, size)))
    return examples


def told(given: dict[str, str]) -> str:
    return ", ".join(f"{letter} = {value}" for letter, value in given.items()) or "–"


def among(design: Design) -> str:
    """The question that the sentence and the table are about."""
    if kind_of(design) == Kind.QUANTITY:
        return f"a number from 0 to {LARGEST}"
    if kind_of(design) == Kind.WRITTEN:
        return "a short text"
    return "two answers" if kind_of(design) == Kind.YES_NO else f"{usual_size(design):,} answers"


class OneDesign(SphinxDirective):
    has_content = True

    def run(self) -> list[nodes.Node]:
        design = ALL_DESIGNS[self.env.docname.rpartition("/")[2]]
        lines = [line for line in self.content if line.strip()]
        found = [
            (told(dict(word.split("=") for word in line.split())), read(design, line))
            for line in lines
        ]
        return self.parse_text_to_nodes("\n\n".join(self._parts(design, found or levels(design))))

    def _parts(self, design: Design, found: list[tuple[str, Example]]) -> list[str]:
        said = (
            "What happened to an answer"
            if design.key in IMPORT_ONLY_DESIGNS
            else "What respondents read"
        )
        start = usual(design)
        numbers = f", with {told(start.given)}" if start.given else ""
        parts = [design.advice, f"**{said}**, for {among(design)}{numbers}:"]
        parts += [
            f"> {sentence(start)}",
            table(["", *heads(start)], [[name, *row(each)] for name, each in found]),
        ]
        if design.parameters:
            rows = [[f"`{letter}`", meaning] for letter, meaning in design.parameters.items()]
            parts += ["What you give it:", table(["", ""], rows)]
        return parts


class AllDesigns(SphinxDirective):
    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        _, fits = KINDS[self.arguments[0]]
        found = [design for design in ALL_DESIGNS.values() if fits(design)]
        head = ["Design", "With", *heads(*map(usual, found))]
        rows = [
            [f"[{each.title}]({each.key}.md)", told(usual(each).given), *row(usual(each))]
            for each in found
        ]
        return self.parse_text_to_nodes(table(head, rows))


def computed(
    app: Sphinx, env: BuildEnvironment, added: set[str], changed: set[str], removed: set[str]
) -> set[str]:
    """The pages that are made anew each time, since the library may have changed."""
    return {name for name in env.found_docs if name.startswith("designs/")}


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("env-get-outdated", computed)
    app.add_directive("design", OneDesign)
    app.add_directive("designs", AllDesigns)
    return {"parallel_read_safe": True}
