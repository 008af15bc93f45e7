"""Everything that becomes a commit of memories."""
