"""Text to value and back, pure: one module a format."""
