"""What stands in a clone alone."""
