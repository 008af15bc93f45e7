"""Keys that sign: what molt signs its commits with, and whose key signed one that exists."""
