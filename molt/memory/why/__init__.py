"""The story of one memory, or of each line of a file."""
