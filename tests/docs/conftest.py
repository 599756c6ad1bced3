import sys
from pathlib import Path

TESTS = Path(__file__).parents[1]
sys.path += [str(TESTS / "curriculum"), str(TESTS / "generators")]  # tiny models, the endpoint
