"""Conversations of hosts that keep none themselves: keys, sessions and transcripts, outside git."""
