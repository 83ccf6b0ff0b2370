"""JSON as people read it: each list of numbers on one line."""

import json
import re


def write_json(path, value):
    text = json.dumps(value, indent=1)
    path.write_text(re.sub(r"\[\s+([^\[\]{}]*?)\s*\]", lambda m: "[" + " ".join(m[1].split()) + "]", text) + "\n")
