"""``python -m logic_curriculum``: the same as the command ``logic-curriculum``."""

import sys

from logic_curriculum.curriculum.cli import main

if __name__ == "__main__":
    sys.exit(main())
