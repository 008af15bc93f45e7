"""The engine that needs no model: what rules find in a reflection's material."""
