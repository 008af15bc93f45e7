"""Reflection: what happened becomes knowledge, proposed on a branch and approved by a person."""
