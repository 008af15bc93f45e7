"""What rules find in notes that are written in prose."""
