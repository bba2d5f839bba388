"""What an author can choose from: designs, levels of protection, and who draws the chances."""
