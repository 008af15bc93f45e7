"""What a reflection proposes without any model: by rules, from words that were really said."""
