"""One write: objects, index and branch, by a journal that survives a kill."""
