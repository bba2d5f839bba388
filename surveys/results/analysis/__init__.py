"""What goes with an answer: responses as cells, models of them, and what they say in words, tables and figures."""
