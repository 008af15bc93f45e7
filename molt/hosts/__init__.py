"""The doors for the programs that run an agent: one core of moments, and thin translations of it."""
