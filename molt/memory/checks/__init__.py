"""The policy on commits that exist, and how a person goes on where they break it."""
