"""What one hook leaves for the next: names of files in the git folder."""

JUDGED = "judged"
"""That the files of a commit were judged, and with what result."""

UNSAVED = "unsaved-message"
"""What somebody wrote in an editor for a commit that was not made."""

UNSURE = "unsure"
"""That the parent of a commit was not certain when it was judged."""
