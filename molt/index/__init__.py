"""The local search index: chunks, keywords and vectors of a tree in one SQLite file."""
