"""Effects in words, which never say more than an interval does, and never a cause."""

from surveys.results.estimates.share_wording import Said
from surveys.site.number_format import format_level


def share_in_words(estimate: float, interval: tuple[float, float], confidence: float) -> str:
    """ "58% (95% range 46 to 70%)", or its bounds alone where they are too wide for a number."""
    share = Said(estimate, *interval)
    if share.is_wide or share.is_impossible:
        return f"{share.bounds} ({format_level(confidence)} range)"
    return f"{share.number} ({format_level(confidence)} range {share.range})"
