"""The command ``logic-curriculum``: its first word says what to do, the others are passed on."""

import sys
from importlib import import_module

COMMANDS = {
    "generate": "logic_curriculum.generators.__main__",
    "judge": "logic_curriculum.rewards.__main__",
    "calibrate": "logic_curriculum.curriculum.calibrate",
}


def main() -> int:
    """Run a command and return its exit status; 2 if there is no such command."""
    name, *words = sys.argv[1:] or [""]
    if name not in COMMANDS:
        print(f"usage: logic-curriculum {{{','.join(COMMANDS)}}} …", file=sys.stderr)
        return 2
    return int(import_module(COMMANDS[name]).main(words))
