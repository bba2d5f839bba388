"""What a survey is: its questions, conditions, designs and texts, as a draft and as published."""
