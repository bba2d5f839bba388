"""The analyses under Compare: each a form with its result beside it."""
