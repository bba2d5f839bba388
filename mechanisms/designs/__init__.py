"""The mechanisms: how each design randomizes an answer, and how its reports are decoded."""
