"""How memories fade unless they are used."""
