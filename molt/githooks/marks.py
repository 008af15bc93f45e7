"""What one hook leaves for the next: names of files in the git folder."""

JUDGED = "judged"
"""The message of a commit that was judged, with its files, and may be made."""

REFUSED, REFUSAL = "refused", "refusal"
"""The message of a commit that was judged and may not be made, and what is said of it."""

UNSAVED = "unsaved-message"
"""What somebody wrote in an editor for a commit that was not made."""

PASSED = "passed"
"""A commit that was judged and may be made, but for who and when: git's object of it. The strict
hook, which sees it again, judges it no second time."""

UNSURE = "unsure"
"""That the parent of a commit was not certain when it was judged."""
