"""The part of DDI-Codebook 2.5 that codebooks of Candor use, written by hand from its field-level documentation.

The schema itself is not part of this repository. So this says for each element which elements it may contain and in
which order, which attributes it may have and which values are allowed, and nothing of the many other elements.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

NAMESPACE = "{ddi:codebook:2_5}"
LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"


@dataclass(frozen=True)
class Rule:
    """What an element may contain.

    children: the names of its children, in their order. A child may be repeated, unless it is in `once`.
    required: children and attributes that it must have.
    attributes: the names of attributes, with the allowed values, or with none if any value is allowed.
    """

    children: tuple[str, ...] = ()
    once: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    attributes: dict[str, tuple[str, ...]] = field(default_factory=dict)


GROUP_TYPES = (
    *("section", "multipleResp", "grid", "display", "repetition", "subject", "version"),
    *("iteration", "analysis", "pragmatic", "record", "file", "randomized", "other"),
)
RULES = {
    "codeBook": Rule(
        children=("docDscr", "stdyDscr", "fileDscr", "dataDscr", "otherMat"),
        required=("stdyDscr",),
        attributes={"version": ("2.5",), LANGUAGE: ()},
    ),
    "stdyDscr": Rule(
        children=(
            *("citation", "studyAuthorization", "stdyInfo", "studyDevelopment", "method"),
            *("dataAccs", "othrStdyMat", "notes"),
        ),
        required=("citation",),
    ),
    "citation": Rule(
        children=("titlStmt", "rspStmt", "prodStmt", "distStmt", "serStmt", "verStmt", "biblCit"),
        once=("titlStmt", "rspStmt", "prodStmt"),
        required=("titlStmt",),
    ),
    "titlStmt": Rule(
        children=("titl", "subTitl", "altTitl", "parTitl", "IDNo"),
        once=("titl",),
        required=("titl",),
    ),
    "titl": Rule(),
    "IDNo": Rule(attributes={"agency": ()}),
    "rspStmt": Rule(children=("AuthEnty", "othId")),
    "AuthEnty": Rule(attributes={"affiliation": ()}),
    "prodStmt": Rule(children=("producer", "copyright", "prodDate", "prodPlac", "software")),
    "producer": Rule(attributes={"affiliation": (), "abbr": (), "role": ()}),
    "distStmt": Rule(children=("distrbtr", "contact", "depositr", "depDate", "distDate")),
    "contact": Rule(attributes={"affiliation": (), "URI": (), "email": ()}),
    "stdyInfo": Rule(children=("studyBudget", "subject", "abstract", "sumDscr", "notes")),
    "abstract": Rule(attributes={"date": ()}),
    "sumDscr": Rule(children=("timePrd", "collDate", "nation", "geogCover", "universe")),
    "collDate": Rule(attributes={"date": (), "event": ("start", "end", "single"), "cycle": ()}),
    "method": Rule(children=("dataColl", "notes", "anlyInfo", "stdyClas", "dataProcessing")),
    "dataColl": Rule(
        children=(
            *("timeMeth", "dataCollector", "collectorTraining", "frequenc", "sampProc"),
            *("sampleFrame", "targetSampleSize", "deviat", "collMode", "resInstru"),
        ),
    ),
    "targetSampleSize": Rule(
        children=("sampleSize", "sampleSizeFormula"), once=("sampleSize", "sampleSizeFormula")
    ),
    "sampleSize": Rule(),
    "collMode": Rule(),
    "anlyInfo": Rule(children=("respRate", "EstSmpErr", "dataAppr")),
    "respRate": Rule(),
    "notes": Rule(attributes={"type": (), "subject": (), "level": (), "resp": ()}),
    "fileDscr": Rule(children=("fileTxt", "locMap", "notes"), attributes={"ID": (), "URI": ()}),
    "fileTxt": Rule(
        children=("fileName", "fileCitation", "fileCont", "fileStrc", "dimensns", "fileType"),
        once=("fileStrc", "dimensns"),
    ),
    "fileName": Rule(),
    "dimensns": Rule(children=("caseQnty", "varQnty", "logRecL", "recPrCas", "recNumTot")),
    "caseQnty": Rule(),
    "varQnty": Rule(),
    "fileType": Rule(attributes={"charset": ()}),
    "dataDscr": Rule(children=("varGrp", "nCubeGrp", "var", "nCube", "notes")),
    "varGrp": Rule(
        children=("labl", "txt", "concept", "defntn", "universe", "notes"),
        attributes={"ID": (), "type": GROUP_TYPES, "var": ()},
    ),
    "labl": Rule(attributes={"level": ()}),
    "var": Rule(
        children=(
            *("location", "labl", "imputation", "security", "embargo", "respUnit", "anlysUnit"),
            *("qstn", "valrng", "invalrng", "undocCod", "universe", "TotlResp", "sumStat", "txt"),
            *("stdCatgry", "catgryGrp", "catgry", "codInstr", "verStmt", "concept", "derivation"),
            *("varFormat", "geoMap", "catLevel", "notes"),
        ),
        once=("imputation", "security", "TotlResp", "derivation", "varFormat"),
        required=("name",),
        attributes={
            "ID": (),
            "name": (),
            "files": (),
            "dcml": (),
            "intrvl": ("contin", "discrete"),
            "nature": ("nominal", "ordinal", "interval", "ratio", "percent", "other"),
        },
    ),
    "qstn": Rule(children=("preQTxt", "qstnLit", "postQTxt", "forward", "backward", "ivuInstr")),
    "qstnLit": Rule(),
    "ivuInstr": Rule(),
    "valrng": Rule(children=("item", "range", "key", "notes")),
    "range": Rule(attributes={"UNITS": ("INT", "REAL"), "min": (), "max": ()}),
    "universe": Rule(attributes={"level": (), "clusion": ("I", "E")}),
    "txt": Rule(attributes={"level": ()}),
    "catgry": Rule(
        children=("catValu", "labl", "txt", "catStat", "mrow"),
        once=("catValu", "mrow"),
        attributes={"missing": ("Y", "N")},
    ),
    "catValu": Rule(),
    "catStat": Rule(attributes={"type": ("freq", "percent", "crosstab", "other")}),
    "varFormat": Rule(attributes={"type": ("numeric", "character"), "formatname": ()}),
}


def structure_problems(element: Element) -> Iterator[str]:
    """Yield what is wrong with an element and all elements inside of it, in words."""
    name = element.tag.removeprefix(NAMESPACE)
    rule = RULES.get(name)
    if rule is None:
        yield f"There is no element {name}."
        return
    children = [child.tag.removeprefix(NAMESPACE) for child in element]
    unknown = [child for child in children if child not in rule.children]
    if unknown:
        yield f"{name} contains {', '.join(unknown)}."
    elif children != sorted(children, key=rule.children.index):
        yield f"{name} has its children in the order {', '.join(children)}."
    for child in rule.once:
        if children.count(child) > 1:
            yield f"{name} has {child} more than once."
    for required in rule.required:
        if required not in children and required not in element.attrib:
            yield f"{name} has no {required}."
    for attribute, value in element.attrib.items():
        allowed = rule.attributes.get(attribute)
        if allowed is None or (allowed and value not in allowed):
            yield f"{name} has {attribute}={value!r}."
    for child in element:
        yield from structure_problems(child)
