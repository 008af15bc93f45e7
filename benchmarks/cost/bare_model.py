"""The least that vectors of a model cost: its tokenizer and onnxruntime on texts of one length."""

import json
import os
import sys

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

folder, *paths = sys.argv[1:]
texts: list[str] = []
for path in paths:
    with open(path, encoding="utf-8") as file:
        texts += [line for line in file.read().split("\n") if line and line[0] not in "#|"]
texts.sort(key=len)
tokenizer = Tokenizer.from_file(os.path.join(folder, "tokenizer.json"))
with open(os.path.join(folder, "tokenizer_config.json"), encoding="utf-8") as file:
    tokenizer.enable_truncation(json.load(file)["model_max_length"])
tokenizer.enable_padding()
session = onnxruntime.InferenceSession(os.path.join(folder, "model.onnx"))
names = {one.name for one in session.get_inputs()}
for at in range(0, len(texts), 16):
    batch = tokenizer.encode_batch(texts[at : at + 16])
    ids = np.array([one.ids for one in batch], np.int64)
    mask = np.array([one.attention_mask for one in batch], np.int64)
    given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
    found = session.run(None, {name: given[name] for name in names})[0]
    found = (found * mask[:, :, None]).sum(1) / mask.sum(1, keepdims=True)
print(len(texts))
