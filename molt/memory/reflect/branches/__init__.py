"""The branch of a reflection, its record, and what people see of it."""
