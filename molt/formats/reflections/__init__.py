"""The files of reflections: records, histories, and the parts they are made of."""
