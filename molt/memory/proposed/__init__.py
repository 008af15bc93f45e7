"""Reflections that await a person."""
