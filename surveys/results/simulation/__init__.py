"""A rehearsal's assumption that groups differ, and what an analysis of its invented people says of it."""
