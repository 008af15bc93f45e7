"""A write: what it commits, how it is published, and how it is finished after an accident."""
