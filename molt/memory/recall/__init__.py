"""`molt recall`: a question answered with evidence."""
