"""What results say together: comparisons, pooling, and signs of wrong reports."""
