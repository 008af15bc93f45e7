"""A reflection told to people."""
