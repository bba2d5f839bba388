"""The choices of an author: designs, levels of protection, and who randomizes the answers."""
