"""Scripts for statistics programs: each reads responses.csv of the same survey."""
