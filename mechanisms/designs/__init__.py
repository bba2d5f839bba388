"""The mechanisms: what each design does to an answer, and how its reports decode."""
