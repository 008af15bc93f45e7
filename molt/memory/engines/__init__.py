"""What says where a text belongs: a host's answer, a model's answer, the model that ships."""
