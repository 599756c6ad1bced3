"""A tokenizer for LogiNumSynth in formal language: every name, id and small number is one token.

It reads ``fact_1: is(Ed, legal, 4)`` as ``fact_1 Ed legal 4``: what punctuation says there, the
order of the rest says too. A world of 15 facts and 15 rules is about 200 tokens then, half of what
it would be otherwise. What the judge needs to read a solution is kept, if with other spaces. Such a
tokenizer fits models that are made for it; it is of no use to a pretrained one.
"""

from __future__ import annotations

from collections.abc import Iterable

from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast

PAD, EOS, UNKNOWN = "<pad>", "<eos>", "<unk>"
WHOLE_NUMBERS = 110
"""Numbers up to this one are a token each, 10 * 10 + 10 being the largest of one calculation on
operands up to 10; larger ones are cut into a number and digits."""
IDS = {"fact": 15, "rule": 15, "int": 10}
"""Kind of id → how many of its first are a token each, seen in training or not."""
CONTINUED = "##"
"""Begins a token that continues the word before it."""
PIECES = Regex(
    r"(?:fact|rule|int)_\d+|-?\d+|\?[a-z]\b"
    r"|\bis(?!\()|'s\b"  # of a conclusion; the is( of a formula is dropped
    r"|(?!\bis\(|(?<=')s\b|(?<=i)s\()\p{L}+(?:[-’]\p{L}+)*"
    r"|->|<-|=>>|\\boxed\{|[*+?}]"
    r"|\n(?=rule_\d+ &|Answer)"  # between the lines of a solution
)


def make_tokenizer(texts: Iterable[str]) -> PreTrainedTokenizerFast:
    """Return a tokenizer whose words are those of the texts, and any number."""
    split = pre_tokenizers.Split(PIECES, "removed", invert=True)
    words = {word for text in texts for word, _ in split.pre_tokenize_str(text)}
    tokenizer = Tokenizer(
        models.WordPiece(_vocabulary(words), unk_token=UNKNOWN, continuing_subword_prefix=CONTINUED)
    )
    tokenizer.pre_tokenizer = split
    tokenizer.decoder = decoders.WordPiece(CONTINUED, cleanup=True)
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token=PAD,
        eos_token=EOS,
        unk_token=UNKNOWN,
        padding_side="left",
    )


def _vocabulary(words: Iterable[str]) -> dict[str, int]:
    """Return token → id, in an order that depends on nothing but the words."""
    names = sorted(word for word in words if not word[-1].isdigit())
    ids = (f"{kind}_{number}" for kind, count in IDS.items() for number in range(1, count + 1))
    numbers = map(str, range(WHOLE_NUMBERS + 1))
    digits = (f"{CONTINUED}{digit}" for digit in range(10))
    tokens = dict.fromkeys([PAD, EOS, UNKNOWN, "-", *numbers, *digits, *ids, *names])
    return {token: number for number, token in enumerate(tokens)}
