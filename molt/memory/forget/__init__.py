"""What a person wants gone: found in all stores, put away, brought back."""
