"""A sender's colour for links and buttons: whether it can be read, and the style that brings it to the page.

Contrast as WCAG 2.2 defines it. White and the dark page are so far apart (18 : 1) that no colour has 4.5 : 1 to both,
so there are two colours: one for light screens, one for dark ones.
"""

import re

from surveys.site.expressions import full_match

ENOUGH = 4.5  # to 1: level AA for text
HEX = re.compile(r"#[0-9a-f]{6}")
# What the colour stands on, or under: paper and wash of static/css/respondent.css. A test holds them together.
GROUNDS = {"light": ("#ffffff", "#f4f7f7"), "dark": ("#0e1518", "#131c20")}
TOWARDS = {"light": "#000000", "dark": "#ffffff"}
STEPS = 1000

RGB = tuple[int, int, int]


def validate_colour(colour: str, mode: str) -> str:
    """Return the colour as #rrggbb.

    Raises ValueError if it cannot be read or has too little contrast.
    """
    colour_written = normalize_colour(colour)
    ratio = lowest_contrast(colour_written, mode)
    if ratio < ENOUGH:
        raise ValueError(
            f"{colour_written} has a contrast of {_ratio(ratio)} : 1 to {mode} pages; {ENOUGH:g} : 1 is the least that "
            f"everyone can read. The nearest colour with that contrast is {nearest_readable(colour_written, mode)}."
        )
    return colour_written


def normalize_colour(colour: str) -> str:
    """Return a colour as #rrggbb. Raises ValueError for anything else."""
    digits = colour.strip().lower().removeprefix("#")
    if full_match("[0-9a-f]{3}", digits, longest=3):
        digits = "".join(2 * digit for digit in digits)
    if not full_match(HEX, f"#{digits}", longest=7):
        raise ValueError("Write the colour as # and six digits from 0 to f, such as #0f5866.")
    return f"#{digits}"


def nearest_readable(colour: str, mode: str) -> str:
    """Return the colour, or the nearest one with enough contrast in the same hue."""
    ends = _rgb(colour), _rgb(TOWARDS[mode])
    mixed = (_mixed(*ends, step / STEPS) for step in range(STEPS + 1))
    return next(shade for shade in mixed if lowest_contrast(shade, mode) >= ENOUGH)


def lowest_contrast(colour: str, mode: str) -> float:
    """Return the lowest contrast of the colour with the backgrounds of a mode."""
    return min(contrast_ratio(colour, ground) for ground in GROUNDS[mode])


def contrast_ratio(one: str, other: str) -> float:
    """Return the WCAG contrast ratio of two colours, from 1 to 21."""
    darker, lighter = sorted(map(_luminance, (one, other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    parts = (part / 255 for part in _rgb(colour))
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _rgb(colour: str) -> RGB:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _mixed(one: RGB, other: RGB, part: float) -> str:
    return "#" + "".join(
        f"{round(a + part * (b - a)):02x}" for a, b in zip(one, other, strict=True)
    )


def _ratio(ratio: float) -> str:
    """Never rounded up to what would be enough."""
    return f"{int(ratio * 10) / 10:.1f}"


def stylesheet(light: str, dark: str) -> str:
    return f":root {{ --accent: {light}; }}\n@media (prefers-color-scheme: dark) {{ :root {{ --accent: {dark}; }} }}\n"
