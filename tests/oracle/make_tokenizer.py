# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes tests/golden/tokenizer: what the tokenizers package makes of texts, and Python's repr of numbers.

    python make_tokenizer.py --gpt2 FOLDER      (FOLDER has GPT-2's vocab.json and merges.txt)

vocab.json, merges.txt: a tokenizer of 420 tokens, trained here. cases.json: `texts`, each with its tokens in that vocabulary (`small`)
and in GPT-2's (`gpt2`), and `floats`: pairs of a double's bits (hexadecimal) and its repr.
"""

import argparse
import json
import pathlib
import struct

from tokenizers import ByteLevelBPETokenizer

CORPUS = [
    "Dataset description: hourly load of a transformer. Task description: forecast the next 96 steps given the previous "
    "512 steps information; Input statistics: min value -1.25, max value 2.5, median value 0.125, the trend of input is "
    "upward, top 5 lags are : [0, 1, 511, 24, 488]",
    "the trend of input is downward, it's what we'll see; they've said so, I'm sure you're right, he'd know, don't ask",
    "Wärme, Öl und Strom: größer als 100 °C; température extérieure", "стоимость энергии 2016 год", "温度和电力负荷的预测",
]

TEXTS = [
    "", " ", "  ", "\n", "a", " a", "  a", "a ", "a  ", "a \n b", "\n\n\nx", "\t\tx y\t", "x \u00a0y", "x\u2003\u2003y", "\r\n\r\nz",
    "it's IT'S don't we'll they've I'm you're he'd 'tis rock'n'roll", "1234567 12.5 -0.0625 1e-05 ½ ² Ⅷ ٣٤",
    "min value -1.6374485492706299, max value 2.3450136184692383, median value -0.05116262286901474",
    "top 5 lags are : [0, 1, 511, 24, 488]<|<end_prompt>|>", "<|start_prompt|>Dataset description: ",
    "<|endoftex", "Größe Ärger naïve façade", "температура воздуха", "温度と電力 負荷の予測", "한국어 데이터", "مرحبا بالعالم",
    "e\u0301 combining \u0301alone", "emoji 🙂🙂 👩‍👩‍👧 flags 🇨🇭", "zero\u200bwidth", "a_b__c--d...!?", "UPPERlower123mixed456",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "abababababab bababa", "    indented\n        more  \n", "𝔘𝔫𝔦 𐍈 𠜎", "\u0085next\u2028line",
    CORPUS[0],
]

FLOATS = [0.0, -0.0, 1.0, -1.0, 0.1, 1e-4, 9.9e-5, 1e-5, 123456.75, 1e15, 1e16, 9999999999999998.0, 1e22, 5e-324, 1.7976931348623157e308,
          float("inf"), float("-inf"), float("nan")]
# float32 values as doubles: what a tensor's tolist() gives.
FLOATS += [struct.unpack("f", struct.pack("f", x))[0] for x in (0.1, -1.6374485, 2.3450136, 3.4e38, 1e-45, 16777216.0, 1 / 3)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gpt2", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path,
                        default=pathlib.Path(__file__).resolve().parent.parent / "golden" / "tokenizer")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)

    small = ByteLevelBPETokenizer()
    small.train_from_iterator(CORPUS, vocab_size=420, min_frequency=1, show_progress=False)
    small.save_model(str(arguments.out))
    # Tokens are numbered in the order of their merges, as in GPT-2: what the program relies on.
    merges = (arguments.out / "merges.txt").read_text(encoding="utf-8").split("\n")[1:-1]
    numbers = small.get_vocab()
    assert [numbers[m.replace(" ", "")] for m in merges] == list(range(256, 256 + len(merges)))

    gpt2 = ByteLevelBPETokenizer(str(arguments.gpt2 / "vocab.json"), str(arguments.gpt2 / "merges.txt"))
    texts = [{"text": t, "small": small.encode(t).ids, "gpt2": gpt2.encode(t).ids} for t in TEXTS]
    floats = [[struct.pack(">d", x).hex(), repr(x)] for x in FLOATS]
    lines = ",\n".join(json.dumps(entry) for entry in texts)
    numbers_text = ",\n".join(json.dumps(entry) for entry in floats)
    (arguments.out / "cases.json").write_text(f'{{"texts": [\n{lines}\n],\n"floats": [\n{numbers_text}\n]}}\n')
    print(f"{len(texts)} texts, {len(floats)} numbers, {len(numbers)} tokens")


if __name__ == "__main__":
    main()
