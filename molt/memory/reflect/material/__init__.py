"""What a reflection reads."""
