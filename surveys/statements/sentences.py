"""The sentences of all statements. Each stands here once, for pages, files and the API."""

from dataclasses import dataclass, replace

# It stands once, at the top of a report in which some range is too wide for a number.
MORE_RESPONSES = "Four times as many responses would halve the ranges."
LOOK_AT_CHECKS = "Look at Data checks first."


@dataclass(frozen=True)
class Text:
    """A sentence, what stands behind it in smaller print, and the words that carry it.

    stress: a part of the sentence, which pages print in bold; "" for none.
    """

    sentence: str
    detail: str = ""
    stress: str = ""


_SHARE_DETAIL = "{number} ({range_name} {range})."
_BOUND_DETAIL = "{range_name} {range}; unbiased estimate {unbiased}."
_IMPOSSIBLE_DETAIL = (
    "The whole range ({computed_range}) is {side} {end}. If the true share is {end}, chance does "
    f"this in about 1 in {{surveys}} surveys. {LOOK_AT_CHECKS}"
)

# The key is the kind of the quantity, the state, and the case. A sentence about a mean is behind
# the short name of the question, if it has one.
SENTENCES: dict[str, Text] = {}
SENTENCES |= {
    "share shown named": Text("{name}: {words}.", _SHARE_DETAIL),
    "share shown unnamed": Text("{capitalized_words} answered “{answer}”.", _SHARE_DETAIL),
}
SENTENCES |= {
    "share at_most named": Text("{name}: {words}.", _BOUND_DETAIL),
    "share at_most unnamed": Text("{capitalized_words} answered “{answer}”.", _BOUND_DETAIL),
    "share at_least named": Text("{name}: {words}.", _BOUND_DETAIL),
    "share at_least unnamed": Text("{capitalized_words} answered “{answer}”.", _BOUND_DETAIL),
}
SENTENCES |= {
    "share withheld named": Text("{name}: too uncertain for one number ({range})."),
    "share withheld unnamed": Text("“{answer}”: too uncertain for one number ({range})."),
    "share anything named": Text("{name}: any share is possible."),
    "share anything unnamed": Text("“{answer}”: any share is possible."),
}
SENTENCES |= {
    "share impossible named": Text("{name}: the estimate is {side} {end}.", _IMPOSSIBLE_DETAIL),
    "share impossible unnamed": Text(
        "“{answer}”: the estimate is {side} {end}.", _IMPOSSIBLE_DETAIL
    ),
    "share too_few named": Text("Too few answers for a statement about “{name}”."),
    "share too_few unnamed": Text("Too few answers for a statement about “{answer}”."),
}
SENTENCES |= {
    "margin shown share": Text("{margin} with {n}."),
    "margin shown mean": Text("At most {margin} with {n}, {assumption}."),
    "margin shown text_share": Text(
        "{margin} is the smallest share clearly above 0, of {candidates} texts to count, with {n}."
    ),
    "margin withheld": Text("Needs {people}."),
}
SENTENCES |= {
    "power": Text(
        "With {who}, the report will call this difference clear in about {surveys} of 100 surveys."
    ),
    "power never": Text("With {who}, the report will be unable to compare this small group."),
    "power people": Text("For {target} of 100 you need about {people}."),
    "power family": Text(
        "The report makes {comparisons} comparisons, and this chance allows for all of them."
    ),
}
SENTENCES |= {
    "difference clear": Text(
        "{name}: {size} {direction} in “{group}” than in {versus} ({range_name} {range})."
    ),
    "difference withheld": Text(
        "{name}: {range}{unit} {direction} in “{group}” than in {versus} ({range_name})."
    ),
}
SENTENCES |= {
    "difference no_clear_difference": Text(
        "{name}: no clear difference between the groups. Differences of up to {largest} are still "
        "possible."
    ),
    "difference too_few": Text("Too few answers for a statement about “{group}”."),
    "change clear": Text("{name}: {direction} {size} since {since} ({range_name} {range})."),
    "change withheld": Text("{name}: {direction} {range}{unit} since {since} ({range_name})."),
    "change no_clear_change": Text(
        "{name}: no clear change since {since}: between {down} down and {up} up."
    ),
    "change of no answer": Text(
        "{name}: no clear change of any answer since {since}: between {down} down and {up} up."
    ),
    "change too_few": Text("{name}: too few answers to compare with {since}."),
}
SENTENCES |= {
    "mean shown": Text("{number} on average ({range_name} {range}).", stress="{number} on average"),
    "mean shown scale": Text(
        "{number} on average, {scale}.",
        detail="{range_name} {range}.",
        stress="{number} on average",
    ),
}
SENTENCES |= {
    "mean withheld": Text("too uncertain for one number ({range_with_unit})."),
    "mean impossible": Text(
        "the estimate is {side} the {end_name} possible answer.",
        detail=f"The whole range ({{computed_range}}) is {{side}} {{end}}. {LOOK_AT_CHECKS}",
    ),
    "mean too_few": Text("too few people gave a number."),
}
SENTENCES |= {
    "quartile": Text("The {quartile} is {number} ({range_name} {range})."),
    "quartile of one value": Text("The {quartile} is {number}."),
    "median at an end": Text("At least half answered {number}."),
}
# What stands below clear differences: one of them, or several.
ASSOCIATION_NOTE = "This is an association. It doesn’t show cause and effect."
ASSOCIATIONS_NOTE = "These are associations. They don’t show cause and effect."


def false_differences(confidence: float) -> str:
    """Return how often a page shows a difference where there is none."""
    surveys = f"{100 * (1 - confidence):.4g}"
    return (
        f"Without any real difference, up to about {surveys} in 100 surveys would show one "
        "somewhere on this page."
    )


def after_name(name: str, sentence: str) -> str:
    """Return a sentence behind the short name of its question: "Hours: 4.8 on average."."""
    if name:
        return f"{name}: {sentence}"
    return f"{sentence[:1].upper()}{sentence[1:]}"


def after_condition(among: str, text: Text, name: str = "") -> Text:
    """Return a text about the people who were asked: "Among people who answered “A” to B, …".

    A text that opens with the condition already stays as it is.

    among: the clause behind “people who”; "" if everyone was asked.
    name: the name of the question. It keeps its capital letter if the sentence opens with it.
    """
    opening = f"Among people who {among}, "
    if not among or text.sentence.startswith(opening):
        return text
    sentence, stress = text.sentence, text.stress
    if not (name and sentence.startswith(name)):
        sentence = sentence[:1].lower() + sentence[1:]
    if stress and stress not in sentence:
        stress = stress[:1].lower() + stress[1:]
    return replace(text, sentence=f"{opening}{sentence}", stress=stress)


# The order of the answers to one question. “alone” is the whole sentence, “after” follows an
# opening about the answers without a rank: "35% chose “None of these”."
RANKINGS = {
    "clear alone": Text("Most common: “{first}”, {number}.", "Lead over “{second}”: {lead}."),
    "clear after": Text(
        "{opening} Of the other answers, the most common is “{first}”, {number}.",
        "Lead over “{second}”: {lead}.",
    ),
    "clear alone counted": Text("Most common answer: “{first}”, {number} of responses."),
    "clear after counted": Text(
        "{opening} Of the other answers, the most common is “{first}”, {number} of responses."
    ),
}
RANKINGS |= {
    "close alone": Text("Most common: {labels} (too close to call).", "Estimates: {numbers}."),
    "close after": Text(
        "{opening} Of the other answers, {labels} could be the most common.",
        "Estimates: {numbers}.",
    ),
    "close alone counted": Text(
        "Highest shares: {labels_with_numbers} of responses (too close to call)."
    ),
    "close after counted": Text(
        "{opening} Of the other answers, the highest shares are {list_with_numbers} "
        "(too close to call)."
    ),
}
RANKINGS |= {
    "many alone": Text(
        "No clear leader: {size} answers could be the most common.",
        "Highest estimate: “{first}”, {number}.",
    ),
    "many after": Text(
        "{opening} Of the other answers, {size} could be the most common.",
        "Highest estimate: “{first}”, {number}.",
    ),
    "many alone counted": Text(
        "No clear leader: {size} answers could be the most common.",
        "Highest share: “{first}”, {number} of responses.",
    ),
    "many after counted": Text(
        "{opening} Of the other answers, {size} could be the most common.",
        "Highest share: “{first}”, {number} of responses.",
    ),
}
RANKINGS |= {
    "several alone": Text("Highest estimates: {labels_with_numbers}."),
    "several after": Text(
        "{opening} Of the other answers, the highest estimates are {list_with_numbers}."
    ),
    "single": Text("Highest estimate: {labels_with_numbers}."),
    "withheld": Text("Too few answers to rank these."),
    "no other answers": Text("{opening} No one chose any of the other answers."),
}
DIFFERENCE_OF_CLOSE_ANSWERS = "The difference could be anything from {low} to {high} points."

# The order of the rows of a grid, which are different questions to the same people.
ROWS = {
    "clear": Text("Highest {name}: “{first}” ({number})."),
    "close": Text("Highest {name}: {labels_with_numbers} (too close to call)."),
    "many": Text("No clear leader: {size} rows could have the highest {name}."),
    "lowest": Text("Lowest: “{last}” ({number})."),
    "alike": Text("{number} {verb}: {labels}."),
}

# Shares among the people who gave one answer to another question.
SENTENCES |= {
    "conditional": Text(
        "Among people who answered “{condition}” to {condition_name}: “{answer}” to {name}, "
        "{number_with_range}."
    ),
    "conditional too_few": Text(
        "Too few answers for a statement about people who answered “{condition}” to "
        "{condition_name}."
    ),
}

# Whether the answers to two questions go together.
TABLES = {
    "clear": Text("{name} are associated."),
    "clear phi": Text("{name} are associated (phi {phi}, {range_name} {range})."),
    "clear strong": Text("{name} are strongly associated (phi {bound})."),
    "not_clear": Text("No clear association between {name}."),
    "too_few": Text("Too few responses to measure the association."),
    "unknown": Text(
        "Each person can choose several of these answers, so their errors don’t show whether they "
        "are associated."
    ),
}

# The differences of a model: of a group, of a number, or of a true answer that nobody knows.
LINKED = {
    "group clear": Text(
        "{name}: {size} {direction} in “{group}” than in “{versus}”{adjusted} "
        "({range_name} {range})."
    ),
    "group withheld": Text(
        "{name}: {range}{unit} {direction} in “{group}” than in “{versus}”{adjusted} "
        "({range_name})."
    ),
    "group too_few": Text("Too few answers for a statement about “{group}”."),
}
LINKED |= {
    "number clear": Text(
        "{name}: {size} {direction} for each 10 more in {predictor}{adjusted} "
        "({range_name} {range})."
    ),
    "number withheld": Text(
        "{name}: {range}{unit} {direction} for each 10 more in {predictor}{adjusted} "
        "({range_name})."
    ),
    "number too_few": Text(
        "Too few answers for a statement about {predictor}: a few people with unusual numbers "
        "decide it."
    ),
    "number no_error": Text("Too few answers for a statement about {predictor}."),
}
LINKED |= {
    "truth clear": Text(
        "People whose true answer to “{predictor}” is “{group}” (estimated; no one’s own answer "
        "is known): {name} is {size} {direction} than for everyone else{adjusted} "
        "({range_name} {range})."
    ),
    "truth withheld": Text(
        "People whose true answer to “{predictor}” is “{group}” (estimated; no one’s own answer "
        "is known): {name} is {range}{unit} {direction} than for everyone else{adjusted} "
        "({range_name})."
    ),
    "truth too_few": Text(
        "Too few answers for a statement about people whose true answer to “{predictor}” is "
        "“{group}”."
    ),
}
UNCLEAR_LINKS = (
    "{name}: no clear difference by {predictors}. Differences of up to {largest} are still "
    "possible."
)
