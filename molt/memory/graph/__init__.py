"""The knowledge graph of a workspace."""
