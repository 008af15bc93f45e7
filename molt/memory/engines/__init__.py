"""What says where a text belongs: rules, a host's answer, a model's answer."""
