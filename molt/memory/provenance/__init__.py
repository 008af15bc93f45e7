"""Who changed what, when and why: the audit log and what is found by it."""
