"""What a survey is, as a draft and frozen: its conditions, designs, texts, and the way from one to the other."""
