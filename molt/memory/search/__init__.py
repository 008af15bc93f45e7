"""`molt search`: the index of a workspace asked, and its answer weighed."""
