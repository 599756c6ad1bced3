"""Word pools of the paper's sizes for LogiNumSynth, from word lists of your own.

python scripts/word_pools.py --data FOLDER --out pools.yaml
logic-curriculum generate loginum --words pools.yaml --preset EL-EN --out DIR

FOLDER has names.txt, adjectives.txt and verbs_transitive.txt, a word a line, the most frequent
first. Left out are words that the templates use, forms of words taken before, and words that stand
in two lists. Nobody has read what is left: look through it for what you do not want to see.
"""

import argparse
import re
import sys
from importlib import resources
from pathlib import Path

import lemminflect
import yaml

from logic_curriculum.common.files import read_text

LISTS = {"names": "names", "attributes": "adjectives", "relations": "verbs_transitive"}
SIZES = {"names": 7944, "attributes": 1366, "relations": 976}  # section 2.2 of the paper
TAGS = {"attributes": "ADJ", "relations": "VERB"}


def template_words() -> set[str]:
    """Return the words of the templates, with their lemmas."""
    folder = resources.files("logic_curriculum.generators.loginum") / "templates"
    text = re.sub(r"(?m)\{.*?\}|(?:^|\s)#.*$", " ", (folder / "english.yaml").read_text("utf-8"))
    words = set(re.findall(r"[a-z]+", text.lower()))
    return words | {lemma for word in words for lemma in lemmas(word)}


def lemmas(word: str) -> set[str]:
    """Return a word with all that it can be a form of."""
    return {word, *(each for found in lemminflect.getAllLemmas(word).values() for each in found)}


def forms(word: str, tag: str) -> set[str]:
    """Return a word with its own forms as a part of speech."""
    found = lemminflect.getAllInflections(word, tag).values()
    return {word, *(each for group in found for each in group)}


def main() -> int:
    """Write the pools; return 2 if a list is too short."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="folder of the word lists")
    parser.add_argument("--out", type=Path, required=True, help="YAML file that is written")
    options = parser.parse_args()
    taken, pools = template_words(), {}
    for kind in ("relations", "attributes", "names"):  # a name gives way to any other word
        path = options.data / f"{LISTS[kind]}.txt"
        pattern = "[A-Z][a-z]+" if kind == "names" else "[a-z]+"
        chosen: list[str] = []
        for word in read_text(path).split():
            own = {word.lower()} if kind == "names" else lemmas(word) | forms(word, TAGS[kind])
            if len(chosen) < SIZES[kind] and re.fullmatch(pattern, word) and not own & taken:
                chosen.append(word)
                taken |= own
        if len(chosen) < SIZES[kind]:
            print(f"{path}: {len(chosen)} words can be used of {SIZES[kind]}", file=sys.stderr)
            return 2
        pools[kind] = chosen
    options.out.write_text(yaml.safe_dump(pools, sort_keys=True), encoding="utf-8")
    print(", ".join(f"{len(words):,} {kind}" for kind, words in pools.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
