"""The files of memory/meta."""
