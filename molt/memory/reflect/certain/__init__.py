"""What a reflection proposes without any model: what needs no understanding."""
