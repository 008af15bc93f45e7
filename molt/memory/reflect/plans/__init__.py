"""Plans as hosts, models and people give them, and what a model is told."""
