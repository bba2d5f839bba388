"""The colour of links and buttons that a sender chooses, with the contrast that it must have.

Contrast is defined as in WCAG 2.2. The light and the dark page are so different (18 : 1) that no
colour has a contrast of 4.5 : 1 with both, so there are two colours: one for light screens and one
for dark screens.
"""

import re

from surveys.site.expressions import full_match

# The lowest contrast that text may have at level AA.
LEAST_CONTRAST = 4.5
# A colour as it is stored: # and six digits.
HEX_COLOUR = re.compile(r"#[0-9a-f]{6}")
# The backgrounds on which the colour is used: `paper` and `wash` of static/css/respondent.css. A
# test compares them.
BACKGROUNDS = {"light": ("#ffffff", "#f4f7f7"), "dark": ("#0e1518", "#131c20")}
# The colour towards which a colour is changed, in steps, until its contrast is high enough.
EXTREME_COLOURS = {"light": "#000000", "dark": "#ffffff"}
MIXING_STEPS = 1000

# The red, the green and the blue value of a colour, each from 0 to 255.
RGB = tuple[int, int, int]


def validate_colour(colour: str, mode: str) -> str:
    """Return the colour that an author typed as #rrggbb.

    Raises ValueError, with a message for the author, if it is not a colour, or if its contrast is
    too low to be read.

    mode: the pages on which the colour is used: "light" or "dark".
    """
    normalized = normalize_colour(colour)
    ratio = lowest_contrast(normalized, mode)
    if ratio < LEAST_CONTRAST:
        raise ValueError(
            f"{normalized} has a contrast of {_format_ratio(ratio)} : 1 to {mode} pages; "
            f"{LEAST_CONTRAST:g} : 1 is the least that everyone can read. "
            f"The nearest colour with that contrast is {nearest_readable(normalized, mode)}."
        )
    return normalized


def normalize_colour(colour: str) -> str:
    """Return a colour as #rrggbb. Raises ValueError for anything else.

    The colour may be typed without #, in capital letters, or with three digits, which are doubled.
    """
    digits = colour.strip().lower().removeprefix("#")
    if full_match("[0-9a-f]{3}", digits, longest=3):
        digits = "".join(2 * digit for digit in digits)
    if not full_match(HEX_COLOUR, f"#{digits}", longest=7):
        raise ValueError("Write the colour as # and six digits from 0 to f, such as #0f5866.")
    return f"#{digits}"


def nearest_readable(colour: str, mode: str) -> str:
    """Return the colour if it has enough contrast, else the nearest one of its hue that has.

    A colour without enough contrast is mixed with more and more black for light pages, or with
    more and more white for dark ones. The result has the form #rrggbb.

    colour: a colour as #rrggbb.
    mode: the pages on which the colour is used: "light" or "dark".
    """
    start = _rgb_values(colour)
    end = _rgb_values(EXTREME_COLOURS[mode])
    shades = (_mix_colours(start, end, step / MIXING_STEPS) for step in range(MIXING_STEPS + 1))
    # Black and white themselves have enough contrast, so there always is such a shade.
    return next(shade for shade in shades if lowest_contrast(shade, mode) >= LEAST_CONTRAST)


def lowest_contrast(colour: str, mode: str) -> float:
    """Return the lowest contrast of the colour with the backgrounds of a mode.

    mode: "light" or "dark".
    """
    return min(contrast_ratio(colour, ground) for ground in BACKGROUNDS[mode])


def contrast_ratio(one: str, other: str) -> float:
    """Return the WCAG contrast ratio of two colours, from 1 to 21."""
    # WCAG adds 0.05 for the light of the room that every screen reflects.
    darker, lighter = sorted([_luminance(one), _luminance(other)])
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    """Return the relative luminance of a colour as WCAG defines it, from 0 to 1."""
    # The eye sees green as brighter than red, and red as brighter than blue. The weights sum to 1.
    red, green, blue = _rgb_values(colour)
    return (
        0.2126 * _linear_intensity(red)
        + 0.7152 * _linear_intensity(green)
        + 0.0722 * _linear_intensity(blue)
    )


def _linear_intensity(value: int) -> float:
    """Return the intensity of light, from 0 to 1, that an sRGB value from 0 to 255 stands for."""
    # The sRGB standard defines it as a straight line for dark values, and as a power for others.
    share = value / 255
    if share <= 0.04045:
        return share / 12.92
    return ((share + 0.055) / 1.055) ** 2.4


def _rgb_values(colour: str) -> RGB:
    """Return the red, the green and the blue value of a colour in the form #rrggbb."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _mix_colours(start: RGB, end: RGB, share: float) -> str:
    """Return a mixture of two colours as #rrggbb.

    share: the share of `end` in the mixture, from 0 to 1. The rest is `start`.
    """
    digits = ""
    for start_value, end_value in zip(start, end, strict=True):
        value = round(start_value + share * (end_value - start_value))
        digits += f"{value:02x}"
    return f"#{digits}"


def _format_ratio(ratio: float) -> str:
    """Return a ratio with one decimal, rounded down, so that it never looks high enough."""
    return f"{int(ratio * 10) / 10:.1f}"


def stylesheet(light: str, dark: str) -> str:
    """Return the CSS that sets the variable --accent to `light`, and on dark screens to `dark`."""
    light_rule = f":root {{ --accent: {light}; }}"
    dark_rule = f":root {{ --accent: {dark}; }}"
    return f"{light_rule}\n@media (prefers-color-scheme: dark) {{ {dark_rule} }}\n"
