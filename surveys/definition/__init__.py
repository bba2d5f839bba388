"""From draft to instrument: freezing, opening, pausing, closing, by hand or by the clock."""
