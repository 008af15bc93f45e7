"""Memories on their way to and from the formats of other programs."""
