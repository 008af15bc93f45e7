"""The files that define who an agent is: watched, and told of when they change."""
