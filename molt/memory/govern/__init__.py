"""What a person decides about memories that exist."""
