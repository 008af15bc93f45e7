"""A walk through ordinary work."""
