"""Candidates found, fused and weighed."""
