"""The doors for programs that run an agent: one core of moments, and thin translations."""
