"""What a person decides on a reflection, and what that leaves."""
