"""The index brought up to a tree."""
