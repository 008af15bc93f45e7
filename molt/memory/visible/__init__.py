"""What of a memory nobody is to see any more, and what only some are."""
